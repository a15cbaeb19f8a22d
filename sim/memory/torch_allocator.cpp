#include "sim/memory/torch_allocator.hpp"

#include <algorithm>
#include <cstddef>

#include "sim/core/check.hpp"
#include "sim/memory/torch_caching.hpp"
#include "sim/memory/torch_rules.hpp"

namespace memsim::sim {

std::unique_ptr<TorchAllocator> make_torch_allocator(Driver& driver, StreamEvents& events) {
  return std::make_unique<TorchCachingAllocator>(driver, events);
}

TorchCachingAllocator::TorchCachingAllocator(Driver& driver, StreamEvents& events)
    : driver_(driver), events_(events), last_slot_(find_stream_slot(last_stream_)) {}

TorchCachingAllocator::~TorchCachingAllocator() {
  for (const TorchBlockRecord& block : blocks_.records()) {
    if (block.use != TorchUse::unused && block.previous == no_torch_block) {
      driver_.free(block.segment);
    }
  }
}

tl::expected<AllocationId, OutOfMemory> TorchCachingAllocator::allocate(Bytes requested,
                                                                        StreamId stream,
                                                                        DriverWork& work) {
  MEMSIM_CHECK(requested >= Bytes(0), "a request of negative size");
  if (requested == Bytes(0)) return null_allocation;
  if (requested.value() >= torch_request_limit) [[unlikely]] {
    return tl::unexpected(out_of_memory(requested, requested.value()));
  }
  if (!waiting_.empty()) [[unlikely]]
    process_events();

  const std::int64_t size = torch_block_size(requested.value());
  const TorchPool pool = torch_is_small(size) ? TorchPool::small : TorchPool::large;
  const std::uint32_t slot = stream_slot(stream);
  Index found = free_set(slot, pool).take_best_fit(size);
  if (found == no_torch_block) [[unlikely]] {
    found = serve_miss(size, slot, work);
    if (found == no_torch_block) {
      tell(AllocatorAction::oom, static_cast<std::uint64_t>(driver_.memory().free().value()), size,
           stream);
      ++counters_.calls.ooms;
      return tl::unexpected(out_of_memory(requested, torch_segment_size(size)));
    }
  }
  const Index block = hand_out(found, size);
  blocks_[block].requested = requested.value();
  counters_.increase(TorchMeasure::allocation, pool, 1);
  counters_.increase(TorchMeasure::active, pool, 1);
  counters_.increase(TorchMeasure::allocated_bytes, pool, blocks_[block].size);
  counters_.increase(TorchMeasure::active_bytes, pool, blocks_[block].size);
  counters_.increase(TorchMeasure::requested_bytes, pool, requested.value());
  tell(AllocatorAction::alloc, blocks_[block].address, requested.value(), stream);
  return AllocationId{block};
}

std::uint32_t TorchCachingAllocator::stream_slot(StreamId stream) {
  if (stream != last_stream_) [[unlikely]] {
    last_slot_ = find_stream_slot(stream);
    last_stream_ = stream;
  }
  return last_slot_;
}

std::uint32_t TorchCachingAllocator::find_stream_slot(StreamId stream) {
  const auto place =
      std::lower_bound(slots_.begin(), slots_.end(), stream,
                       [](const auto& entry, StreamId id) { return entry.first < id; });
  if (place != slots_.end() && place->first == stream) return place->second;
  const auto slot = static_cast<std::uint32_t>(streams_.size());
  streams_.emplace_back().id = stream;
  slots_.insert(place, {stream, slot});
  return slot;
}

// No cached block fits: new memory; if the driver is full, that again without the cache.
TorchCachingAllocator::Index TorchCachingAllocator::serve_miss(std::int64_t size,
                                                               std::uint32_t slot,
                                                               DriverWork& work) {
  const TorchPool pool = torch_is_small(size) ? TorchPool::small : TorchPool::large;
  const std::int64_t segment_size = torch_segment_size(size);
  const Index block = new_segment(segment_size, pool, slot, work);
  if (block != no_torch_block) return block;
  release_cached(work);
  ++counters_.calls.alloc_retries;
  return new_segment(segment_size, pool, slot, work);
}

// A block, in no free set, that spans new memory; no_torch_block if the driver is full.
TorchCachingAllocator::Index TorchCachingAllocator::new_segment(std::int64_t segment_size,
                                                                TorchPool pool, std::uint32_t slot,
                                                                DriverWork& work) {
  const std::optional<Driver::Region> region = driver_.malloc(Bytes(segment_size));
  if (!region) {
    ++work.failed_mallocs;
    return no_torch_block;
  }
  ++work.mallocs;
  ++counters_.calls.device_allocs;
  counters_.increase(TorchMeasure::segment, pool, 1);
  counters_.increase(TorchMeasure::reserved_bytes, pool, segment_size);
  const Index block = blocks_.acquire();
  blocks_[block] = {.address = driver_.address(*region),
                    .size = segment_size,
                    .segment = *region,
                    .stream = slot,
                    .pool = pool,
                    .use = TorchUse::cached};
  tell(AllocatorAction::segment_alloc, blocks_[block].address, segment_size, streams_[slot].id);
  return block;
}

// Marks the block allocated, or the low part of it that is asked for; the rest, which keeps the old
// record, goes back to the free set.
TorchCachingAllocator::Index TorchCachingAllocator::hand_out(Index found, std::int64_t size) {
  const TorchPool pool = blocks_[found].pool;
  const bool was_split = blocks_[found].split();
  const std::int64_t rest = blocks_[found].size - size;
  if (!torch_splits(pool == TorchPool::small, rest)) {
    blocks_[found].use = TorchUse::allocated;
    if (was_split) {
      counters_.decrease(TorchMeasure::inactive_split, pool, 1);
      counters_.decrease(TorchMeasure::inactive_split_bytes, pool, blocks_[found].size);
    }
    return found;
  }
  const Index part = blocks_.acquire();
  TorchBlockRecord& remainder = blocks_[found];
  TorchBlockRecord& block = blocks_[part];
  block = remainder;
  block.size = size;
  block.next = found;
  block.use = TorchUse::allocated;
  if (block.previous != no_torch_block) blocks_[block.previous].next = part;
  remainder.previous = part;
  remainder.address += static_cast<std::uint64_t>(size);
  remainder.size = rest;
  free_set(remainder.stream, pool).insert(remainder, found);
  if (was_split) {
    counters_.decrease(TorchMeasure::inactive_split_bytes, pool, size);
  } else {
    counters_.increase(TorchMeasure::inactive_split, pool, 1);
    counters_.increase(TorchMeasure::inactive_split_bytes, pool, rest);
  }
  return part;
}

const TorchBlockRecord& TorchCachingAllocator::live(AllocationId allocation) const {
  const auto index = static_cast<Index>(allocation);
  MEMSIM_CHECK(index < blocks_.size() && blocks_[index].use == TorchUse::allocated,
               "an allocation that is not live");
  return blocks_[index];
}

void TorchCachingAllocator::free(AllocationId allocation, DriverWork& /*work*/) {
  if (allocation == null_allocation) return;
  const TorchBlockRecord& block = live(allocation);
  counters_.decrease(TorchMeasure::allocation, block.pool, 1);
  counters_.decrease(TorchMeasure::allocated_bytes, block.pool, block.size);
  tell(AllocatorAction::free_requested, block.address, block.requested, streams_[block.stream].id);
  if (block.uses != no_torch_uses) [[unlikely]] {
    record_events(static_cast<Index>(allocation));
  } else {
    complete_free(static_cast<Index>(allocation));
  }
}

// The block can be used again: it merges with free neighbours and goes to the free set.
void TorchCachingAllocator::complete_free(Index index) {
  TorchBlockRecord& block = blocks_[index];
  const TorchPool pool = block.pool;
  tell(AllocatorAction::free_completed, block.address, block.requested, streams_[block.stream].id);
  counters_.decrease(TorchMeasure::active, pool, 1);
  counters_.decrease(TorchMeasure::active_bytes, pool, block.size);
  counters_.decrease(TorchMeasure::requested_bytes, pool, block.requested);

  std::int64_t pieces = 0;  // change of what is free within segments in use
  std::int64_t bytes = 0;
  for (const Index neighbour : {block.previous, block.next}) {
    const std::int64_t absorbed = absorb(index, neighbour);
    if (absorbed == 0) continue;
    pieces -= 1;
    bytes -= absorbed;
  }
  block.use = TorchUse::cached;
  free_set(block.stream, pool).insert(block, index);
  if (block.split()) {
    pieces += 1;
    bytes += block.size;
  }
  counters_.change(TorchMeasure::inactive_split, pool, pieces);
  counters_.change(TorchMeasure::inactive_split_bytes, pool, bytes);
}

// Merges a neighbour into the block if it is free; returns how many bytes came.
std::int64_t TorchCachingAllocator::absorb(Index index, Index neighbour_index) {
  if (neighbour_index == no_torch_block) return 0;
  const TorchBlockRecord& neighbour = blocks_[neighbour_index];
  if (neighbour.use != TorchUse::cached) return 0;
  TorchBlockRecord& block = blocks_[index];
  free_set(block.stream, block.pool).erase(neighbour, neighbour_index);
  if (neighbour_index == block.previous) {
    block.address = neighbour.address;
    block.previous = neighbour.previous;
    if (block.previous != no_torch_block) blocks_[block.previous].next = index;
  } else {
    block.next = neighbour.next;
    if (block.next != no_torch_block) blocks_[block.next].previous = index;
  }
  block.size += neighbour.size;
  const std::int64_t absorbed = neighbour.size;
  blocks_.release(neighbour_index);
  return absorbed;
}

Bytes TorchCachingAllocator::block_size(AllocationId allocation) const {
  return allocation == null_allocation ? Bytes(0) : Bytes(live(allocation).size);
}

std::uint64_t TorchCachingAllocator::address(AllocationId allocation) const {
  return allocation == null_allocation ? 0 : live(allocation).address;
}

}  // namespace memsim::sim
