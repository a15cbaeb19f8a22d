// What the caching allocator tells: usage, snapshot, and why a request failed.
#include <algorithm>

#include "sim/memory/torch_caching.hpp"
#include "sim/memory/torch_message.hpp"
#include "sim/memory/torch_rules.hpp"

namespace memsim::sim {

std::string_view name(TorchBlock::State state) {
  switch (state) {
    case TorchBlock::State::active_allocated:
      return "active_allocated";
    case TorchBlock::State::active_pending_free:
      return "active_pending_free";
    case TorchBlock::State::inactive:
      break;
  }
  return "inactive";
}

namespace {

TorchBlock::State state_of(TorchUse use) {
  if (use == TorchUse::allocated) return TorchBlock::State::active_allocated;
  if (use == TorchUse::pending) return TorchBlock::State::active_pending_free;
  return TorchBlock::State::inactive;
}

void add_block(TorchSegment& segment, const TorchBlockRecord& block) {
  const Bytes size(block.size);
  segment.size += size;
  if (block.use == TorchUse::allocated) segment.allocated += size;
  if (block.use != TorchUse::cached) {
    segment.active += size;
    segment.requested += Bytes(block.requested);
  }
  segment.blocks.push_back({.address = block.address,
                            .size = size,
                            .requested = Bytes(block.requested),
                            .state = state_of(block.use)});
}

}  // namespace

AllocatorUsage TorchCachingAllocator::usage() const {
  return {.requested = Bytes(counters_.current(TorchMeasure::requested_bytes)),
          .allocated = Bytes(counters_.current(TorchMeasure::allocated_bytes)),
          .reserved = Bytes(counters_.current(TorchMeasure::reserved_bytes))};
}

// A segment, or a stretch of an expandable one with memory behind it, begins where nothing or
// addresses without memory are before it.
std::vector<TorchSegment> TorchCachingAllocator::snapshot() const {
  const auto has_memory = [&](Index index) {
    return index != no_torch_block && blocks_[index].use != TorchUse::unmapped;
  };
  std::vector<TorchSegment> segments;
  for (const TorchBlockRecord& head : blocks_.records()) {
    if (head.use == TorchUse::unused || head.use == TorchUse::unmapped || has_memory(head.previous))
      continue;
    TorchSegment& segment = segments.emplace_back();
    segment.address = head.address;
    segment.pool = head.pool;
    segment.stream = stream_of(head);
    segment.expandable = head.expandable;
    const PoolsNumber pools = homes_[head.home].pools;
    if (pools != default_pools) segment.owner = private_pools_[pools - 1].id;
    add_block(segment, head);
    for (Index next = head.next; has_memory(next); next = blocks_[next].next) {
      add_block(segment, blocks_[next]);
    }
  }
  std::sort(segments.begin(), segments.end(),
            [](const TorchSegment& a, const TorchSegment& b) { return a.address < b.address; });
  return segments;
}

std::int64_t TorchCachingAllocator::free_in_private_pools() const {
  std::int64_t bytes = 0;
  for (const TorchBlockRecord& block : blocks_.records())
    if (block.use == TorchUse::cached && homes_[block.home].pools != default_pools)
      bytes += block.size;
  return bytes;
}

OutOfMemory TorchCachingAllocator::out_of_memory(Bytes requested, std::int64_t segment_size) const {
  const DeviceMemory& memory = driver_.memory();
  const AllocatorUsage now = usage();
  std::int64_t largest = 0;
  for (const Home& home : homes_) {
    for (const TorchFreeSet& set : home.free) largest = std::max(largest, set.largest());
  }
  const bool oversize = requested.value() >= torch_request_limit;
  const TorchOomFacts facts{.segment = Bytes(segment_size),
                            .device = driver_.spec().device,
                            .capacity = memory.capacity(),
                            .free = memory.free(),
                            .process_known = driver_.spec().reports_processes,
                            .process = memory.used(),
                            .limit = limit_ ? std::optional(Bytes(*limit_)) : std::nullopt,
                            .allocated = now.allocated,
                            .reserved = now.reserved,
                            .in_private_pools = Bytes(free_in_private_pools())};
  return {.requested = requested,
          .segment = facts.segment,
          .free = facts.free,
          .capacity = facts.capacity,
          .allocated = now.allocated,
          .reserved = now.reserved,
          .largest_free_block = Bytes(largest),
          .message = oversize ? torch_oversize_message() : torch_oom_message(facts)};
}

}  // namespace memsim::sim
