// Frees that wait for streams, and memory that goes back to the driver.
#include <algorithm>

#include "sim/core/check.hpp"
#include "sim/memory/torch_caching.hpp"

namespace memsim::sim {

void TorchCachingAllocator::record_stream(AllocationId allocation, StreamId stream) {
  if (allocation == null_allocation) return;
  if (streams_[live(allocation).stream].id == stream) return;
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
}

// The block becomes pending: an event on every stream that uses it.
void TorchCachingAllocator::record_events(Index index) {
  TorchBlockRecord& block = blocks_[index];
  block.use = TorchUse::pending;
  Uses& uses = uses_[block.uses];
  uses.streams.visit([&](StreamId stream) {
    const std::uint32_t slot = find_stream_slot(stream);
    streams_[slot].outstanding.push_back({events_.record(stream), index});
    waiting_.insert(stream);
    ++uses.events;
  });
  uses.streams = {};
}

// One of the block's events is done.
void TorchCachingAllocator::complete_if_last(Index index) {
  TorchBlockRecord& block = blocks_[index];
  if (--uses_[block.uses].events > 0) return;
  unused_uses_.push_back(block.uses);
  block.uses = no_torch_uses;
  complete_free(index);
}

// Per stream first in, first out: an event that is not done holds back the later ones.
void TorchCachingAllocator::process_events() {
  waiting_.visit_and_erase([&](StreamId stream) {
    std::deque<Outstanding>& outstanding = streams_[find_stream_slot(stream)].outstanding;
    while (!outstanding.empty() && events_.done(stream, outstanding.front().event)) {
      complete_if_last(outstanding.front().block);
      outstanding.pop_front();
    }
    return outstanding.empty();
  });
}

void TorchCachingAllocator::wait_for_events() {
  ++counters_.calls.sync_all_streams;
  waiting_.visit([&](StreamId stream) {
    std::deque<Outstanding>& outstanding = streams_[find_stream_slot(stream)].outstanding;
    for (const Outstanding& entry : outstanding) {
      events_.wait(stream, entry.event);
      complete_if_last(entry.block);
    }
    outstanding.clear();
  });
  waiting_.clear();
}

void TorchCachingAllocator::empty_cache(DriverWork& work) { release_cached(work); }

// Every segment without a block in use goes back, large ones first, in the order of the free sets:
// (stream, size, address).
void TorchCachingAllocator::release_cached(DriverWork& work) {
  wait_for_events();
  std::vector<Index> cached;
  for (const TorchPool pool : {TorchPool::large, TorchPool::small}) {
    for (const auto& [stream, slot] : slots_) free_set(slot, pool).append_to(cached);
  }
  for (const Index block : cached) {
    if (!blocks_[block].split()) release_segment(block, work);
  }
}

void TorchCachingAllocator::release_segment(Index index, DriverWork& work) {
  const TorchBlockRecord& block = blocks_[index];
  tell(AllocatorAction::segment_free, block.address, block.size, streams_[block.stream].id);
  ++work.frees;
  work.synchronized = true;
  ++counters_.calls.device_frees;
  counters_.decrease(TorchMeasure::segment, block.pool, 1);
  counters_.decrease(TorchMeasure::reserved_bytes, block.pool, block.size);
  free_set(block.stream, block.pool).erase(block, index);
  driver_.free(block.segment);
  blocks_.release(index);
}

}  // namespace memsim::sim
