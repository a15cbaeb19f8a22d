// Frees that wait for streams, and memory that goes back to the driver.
#include <algorithm>

#include "sim/core/check.hpp"
#include "sim/memory/torch_caching.hpp"

namespace memsim::sim {

void TorchCachingAllocator::record_stream(AllocationId allocation, StreamId stream) {
  if (allocation == null_allocation) return;
  if (stream_of(live(allocation)) == stream) return;
  TorchBlockRecord& block = blocks_[static_cast<Index>(allocation)];
  if (block.uses == no_torch_uses) {
    if (unused_uses_.empty()) {
      unused_uses_.push_back(static_cast<std::uint32_t>(uses_.size()));
      uses_.emplace_back();
    }
    block.uses = unused_uses_.back();
    unused_uses_.pop_back();
  }
  uses_[block.uses].streams.insert(stream);
  if (!diversions_.empty()) uses_[block.uses].during_diversion.insert(stream);
}

// The block becomes pending: an event on every stream that uses it.
void TorchCachingAllocator::record_events(Index index) {
  TorchBlockRecord& block = blocks_[index];
  block.use = TorchUse::pending;
  Uses& uses = uses_[block.uses];
  uses.streams.visit([&](StreamId stream) {
    Home& home = homes_[find_home(default_pools, stream)];
    home.outstanding.push_back({events_.record(stream), index});
    waiting_.insert(stream);
    ++uses.events;
  });
  uses.streams = {};
}

// Of blocks that were freed during a diversion. Streams recorded meanwhile have ended with it.
void TorchCachingAllocator::record_deferred_events() {
  for (const Index index : std::exchange(deferred_, {})) {
    Uses& uses = uses_[blocks_[index].uses];
    if (!uses.during_diversion.empty()) {
      TorchStreamOrder earlier;
      uses.streams.visit([&](StreamId stream) {
        if (!uses.during_diversion.contains(stream)) earlier.insert(stream);
      });
      uses.streams = earlier;
      uses.during_diversion = {};
    }
    record_events(index);
    if (uses.events > 0) continue;
    drop_uses(index);
    complete_free(index);
  }
}

void TorchCachingAllocator::drop_uses(Index index) {
  unused_uses_.push_back(std::exchange(blocks_[index].uses, no_torch_uses));
}

// One of the block's events is done.
void TorchCachingAllocator::complete_if_last(Index index) {
  if (--uses_[blocks_[index].uses].events > 0) return;
  drop_uses(index);
  complete_free(index);
}

// Per stream first in, first out: an event that is not done holds back the later ones.
void TorchCachingAllocator::process_events() {
  record_deferred_events();
  waiting_.visit_and_erase([&](StreamId stream) {
    std::deque<Outstanding>& outstanding = homes_[find_home(default_pools, stream)].outstanding;
    while (!outstanding.empty() && events_.done(stream, outstanding.front().event)) {
      complete_if_last(outstanding.front().block);
      outstanding.pop_front();
    }
    return outstanding.empty();
  });
}

void TorchCachingAllocator::wait_for_events() {
  ++counters_.calls.sync_all_streams;
  record_deferred_events();
  waiting_.visit([&](StreamId stream) {
    std::deque<Outstanding>& outstanding = homes_[find_home(default_pools, stream)].outstanding;
    for (const Outstanding& entry : outstanding) {
      events_.wait(stream, entry.event);
      complete_if_last(entry.block);
    }
    outstanding.clear();
  });
  waiting_.clear();
}

void TorchCachingAllocator::empty_cache(DriverWork& work) {
  MEMSIM_CHECK(diversions_.empty(), "the cache is emptied while a private pool takes requests");
  release_cached(work);
}

// Every segment without a block in use goes back: of the default pools, large ones first, then of
// private pools that nobody uses any more.
void TorchCachingAllocator::release_cached(DriverWork& work) {
  wait_for_events();
  release_pools(default_pools, TorchPool::large, work);
  release_pools(default_pools, TorchPool::small, work);
  unused_pools_.visit_and_erase([&](TorchPoolId id) {
    const auto pools = find_private_pool(id);
    MEMSIM_CHECK(pools.has_value(), "an unused private pool that is not there");
    release_pools(*pools, TorchPool::small, work);
    release_pools(*pools, TorchPool::large, work);
    PrivatePool& pool = *private_pool(*pools);
    pool.exists = pool.device_allocs != 0;
    return !pool.exists;
  });
}

// In the order of the free sets: (stream, size, address). Expandable segments come last, and give
// back their free pages.
void TorchCachingAllocator::release_pools(PoolsNumber pools, TorchPool pool, DriverWork& work) {
  std::vector<Index> cached;
  for (const auto& [number, stream, home] : slots_)
    if (number == pools) free_set(home, pool).append_to(cached);
  for (const Index block : cached)
    if (!blocks_[block].expandable && !blocks_[block].split()) release_segment(block, work);
  std::erase_if(cached, [&](Index block) {
    return blocks_[block].use == TorchUse::unused || !blocks_[block].expandable;
  });
  for (const Index block : cached) {
    unmap(block, work);
    if (blocks_[block].split()) continue;
    erase_unmapped(block);
    driver_.release(blocks_[block].segment);
    blocks_.release(block);
    --expandable_segments_;
    settings_changed();
  }
}

void TorchCachingAllocator::release_segment(Index index, DriverWork& work) {
  const TorchBlockRecord& block = blocks_[index];
  tell(AllocatorAction::segment_free, block.address, block.size, stream_of(block));
  ++work.frees;
  work.synchronized = true;
  ++counters_.calls.device_frees;
  counters_.decrease(TorchMeasure::segment, block.pool, 1);
  counters_.decrease(TorchMeasure::reserved_bytes, block.pool, block.size);
  if (block.size >= options_.max_split) counters_.oversize_segments.take(1);
  count_device_alloc(block.home, -1);
  free_set(block.home, block.pool).erase(block, index);
  driver_.free(block.segment);
  blocks_.release(index);
}

}  // namespace memsim::sim
