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

std::vector<TorchSegment> TorchCachingAllocator::snapshot() const {
  std::vector<TorchSegment> segments;
  for (const TorchBlockRecord& head : blocks_.records()) {
    if (head.use == TorchUse::unused || head.previous != no_torch_block) continue;
    TorchSegment& segment = segments.emplace_back();
    segment.address = head.address;
    segment.pool = head.pool;
    segment.stream = streams_[head.stream].id;
    add_block(segment, head);
    for (Index next = head.next; next != no_torch_block; next = blocks_[next].next) {
      add_block(segment, blocks_[next]);
    }
  }
  std::sort(segments.begin(), segments.end(),
            [](const TorchSegment& a, const TorchSegment& b) { return a.address < b.address; });
  return segments;
}

OutOfMemory TorchCachingAllocator::out_of_memory(Bytes requested, std::int64_t segment_size) const {
  const DeviceMemory& memory = driver_.memory();
  const AllocatorUsage now = usage();
  std::int64_t largest = 0;
  for (const Stream& stream : streams_) {
    for (const TorchFreeSet& set : stream.free) largest = std::max(largest, set.largest());
  }
  const bool oversize = requested.value() >= torch_request_limit;
  const TorchOomFacts facts{.segment = Bytes(segment_size),
                            .device = driver_.spec().device,
                            .capacity = memory.capacity(),
                            .free = memory.free(),
                            .process_known = driver_.spec().reports_processes,
                            .process = memory.used(),
                            .allocated = now.allocated,
                            .reserved = now.reserved};
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
