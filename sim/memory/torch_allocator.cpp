#include "sim/memory/torch_allocator.hpp"

#include <algorithm>
#include <cstddef>

#include "sim/core/check.hpp"
#include "sim/memory/torch_caching.hpp"
#include "sim/memory/torch_rules.hpp"

namespace memsim::sim {

std::unique_ptr<TorchAllocator> make_torch_allocator(Driver& driver, StreamEvents& events,
                                                     const TorchOptions& options) {
  return std::make_unique<TorchCachingAllocator>(driver, events, options);
}

TorchCachingAllocator::TorchCachingAllocator(Driver& driver, StreamEvents& events,
                                             const TorchOptions& options)
    : driver_(driver),
      events_(events),
      options_(options),
      last_home_(find_home(default_pools, last_stream_)) {
  counters_.max_split_size = options.max_split == torch_unlimited ? -1 : options.max_split;
  settings_changed();
}

TorchCachingAllocator::~TorchCachingAllocator() {
  for (const TorchBlockRecord& block : blocks_.records()) {
    if (block.use == TorchUse::unused) continue;
    if (block.expandable && block.use != TorchUse::unmapped) driver_.unmap(Bytes(block.size));
    if (block.previous != no_torch_block) continue;
    if (block.expandable)
      driver_.release(block.segment);
    else
      driver_.free(block.segment);
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
  if ((!waiting_.empty() || !deferred_.empty()) && diversions_.empty()) [[unlikely]]
    process_events();

  const std::int64_t size = plain_sizes_ ? torch_block_size(requested.value())
                                         : torch_block_size(requested.value(), options_.divisions);
  const TorchPool pool = torch_is_small(size) ? TorchPool::small : TorchPool::large;
  const std::uint32_t home = home_for(stream);
  Index found = plain_search_ ? free_set(home, pool).take_best_fit(size) : search(size, pool, home);
  if (found == no_torch_block) [[unlikely]] {
    found = serve_miss(size, home, work);
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
  if (blocks_[block].size >= options_.max_split) [[unlikely]]
    counters_.oversize_allocations.add(1);
  tell(AllocatorAction::alloc, blocks_[block].address, requested.value(), stream);
  return AllocationId{block};
}

// Where requests on a stream are served.
std::uint32_t TorchCachingAllocator::home_for(StreamId stream) {
  if (stream == last_stream_) [[likely]]
    return last_home_;
  PoolsNumber pools = default_pools;
  const auto diversion = std::ranges::find(diversions_, stream, &Diversion::stream);
  if (diversion != diversions_.end()) pools = diversion->pools;
  last_home_ = find_home(pools, stream);
  last_stream_ = stream;
  return last_home_;
}

std::uint32_t TorchCachingAllocator::find_home(PoolsNumber pools, StreamId stream) {
  const auto slot = static_cast<std::uint32_t>(homes_.size());
  const auto place = std::lower_bound(slots_.begin(), slots_.end(), std::tuple(pools, stream, 0U));
  if (place != slots_.end() && std::get<0>(*place) == pools && std::get<1>(*place) == stream)
    return std::get<2>(*place);
  Home& home = homes_.emplace_back();
  home.stream = stream;
  home.pools = pools;
  slots_.insert(place, {pools, stream, slot});
  return slot;
}

// A block, in no free set, that spans new memory; no_torch_block if the driver is full.
TorchCachingAllocator::Index TorchCachingAllocator::new_segment(std::int64_t segment_size,
                                                                TorchPool pool, std::uint32_t home,
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
  if (segment_size >= options_.max_split) counters_.oversize_segments.add(1);
  count_device_alloc(home, 1);
  const Index block = blocks_.acquire();
  blocks_[block] = {.address = driver_.address(*region),
                    .size = segment_size,
                    .segment = *region,
                    .home = home,
                    .pool = pool,
                    .use = TorchUse::cached};
  tell(AllocatorAction::segment_alloc, blocks_[block].address, segment_size, homes_[home].stream);
  return block;
}

// Into the free set.
void TorchCachingAllocator::cache(Index index) {
  TorchBlockRecord& block = blocks_[index];
  block.use = TorchUse::cached;
  block.cached_at = searches_;
  free_set(block.home, block.pool).insert(block, index);
}

// The low part of a block as a block of its own; the rest keeps the record. Neither is in a set.
TorchCachingAllocator::Index TorchCachingAllocator::split_off(Index index, std::int64_t size) {
  const Index part = blocks_.acquire();
  TorchBlockRecord& rest = blocks_[index];
  TorchBlockRecord& block = blocks_[part];
  block = rest;
  block.size = size;
  block.requested = 0;
  block.next = index;
  if (block.previous != no_torch_block) blocks_[block.previous].next = part;
  rest.previous = part;
  rest.address += static_cast<std::uint64_t>(size);
  rest.size -= size;
  return part;
}

// The high part of a block, from `size` on, as a block of its own; the low part keeps the record.
TorchCachingAllocator::Index TorchCachingAllocator::split_tail(Index index, std::int64_t size) {
  const Index tail = blocks_.acquire();
  TorchBlockRecord& block = blocks_[index];
  TorchBlockRecord& rest = blocks_[tail];
  rest = block;
  rest.address += static_cast<std::uint64_t>(size);
  rest.size -= size;
  rest.requested = 0;
  rest.previous = index;
  if (block.next != no_torch_block) blocks_[block.next].previous = tail;
  block.next = tail;
  block.size = size;
  return tail;
}

// Marks the block allocated, or the low part of it that is asked for; the rest, which keeps the old
// record, goes back to the free set.
TorchCachingAllocator::Index TorchCachingAllocator::hand_out(Index found, std::int64_t size) {
  const TorchPool pool = blocks_[found].pool;
  const bool was_split = blocks_[found].split();
  const bool counts = !blocks_[found].expandable;  // in the statistics of what is split
  const std::int64_t rest = blocks_[found].size - size;
  const bool splits =
      torch_splits(pool == TorchPool::small || options_.expandable_segments, rest) &&
      (pool == TorchPool::small || options_.expandable_segments || size < options_.max_split);
  if (!splits) {
    blocks_[found].use = TorchUse::allocated;
    if (was_split && counts) {
      counters_.decrease(TorchMeasure::inactive_split, pool, 1);
      counters_.decrease(TorchMeasure::inactive_split_bytes, pool, blocks_[found].size);
    }
    return found;
  }
  const Index part = split_off(found, size);
  blocks_[part].use = TorchUse::allocated;
  cache(found);
  if (!counts) return part;
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
  tell(AllocatorAction::free_requested, block.address, block.requested, stream_of(block));
  if (block.size >= options_.max_split) [[unlikely]]
    counters_.oversize_allocations.take(1);
  const auto index = static_cast<Index>(allocation);
  if (block.uses == no_torch_uses) [[likely]] {
    complete_free(index);
  } else if (diversions_.empty()) {
    record_events(index);
  } else {
    blocks_[index].use = TorchUse::pending;
    deferred_.push_back(index);
  }
}

// The block can be used again: it merges with free neighbours and goes to the free set.
void TorchCachingAllocator::complete_free(Index index) {
  TorchBlockRecord& block = blocks_[index];
  const TorchPool pool = block.pool;
  tell(AllocatorAction::free_completed, block.address, block.requested, stream_of(block));
  counters_.decrease(TorchMeasure::active, pool, 1);
  counters_.decrease(TorchMeasure::active_bytes, pool, block.size);
  counters_.decrease(TorchMeasure::requested_bytes, pool, block.requested);

  std::int64_t pieces = 0;  // change of what is free within segments in use
  std::int64_t bytes = 0;
  block.use = TorchUse::cached;
  for (const Index neighbour : {block.previous, block.next}) {
    const std::int64_t absorbed = absorb(index, neighbour);
    if (absorbed == 0) continue;
    pieces -= 1;
    bytes -= absorbed;
  }
  cache(index);
  if (block.expandable) return;
  if (block.split()) {
    pieces += 1;
    bytes += block.size;
  }
  counters_.change(TorchMeasure::inactive_split, pool, pieces);
  counters_.change(TorchMeasure::inactive_split_bytes, pool, bytes);
}

// Merges a neighbour into the block if it is free as the block is (with memory, or without);
// returns how many bytes came.
std::int64_t TorchCachingAllocator::absorb(Index index, Index neighbour_index) {
  if (neighbour_index == no_torch_block) return 0;
  const TorchBlockRecord& neighbour = blocks_[neighbour_index];
  TorchBlockRecord& block = blocks_[index];
  if (neighbour.use != block.use) return 0;
  if (neighbour.use == TorchUse::cached)
    free_set(block.home, block.pool).erase(neighbour, neighbour_index);
  else
    erase_unmapped(neighbour_index);
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
