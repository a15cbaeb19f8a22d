#include "sim/memory/async_pool.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "sim/core/check.hpp"

namespace memsim::sim {

AsyncPool::~AsyncPool() {
  for (const BlockIndex index : blocks_.by_address()) {
    if (blocks_[index].previous == no_block) driver_.free(blocks_[index].segment);
  }
}

BlockIndex AsyncPool::take(std::int64_t size, StreamId stream) {
  const Fit least{size, 0, 0};
  std::optional<Fit> best;
  if (const auto found = ready_.lower_bound(least); found != ready_.end()) best = *found;
  if (const auto own = ordered_.find(stream); own != ordered_.end()) {
    const auto found = own->second.fits.lower_bound(least);
    if (found != own->second.fits.end() && (!best || *found < *best)) best = *found;
  }
  if (!best) return no_block;
  erase(best->block);
  if (best->size > size) insert(blocks_.split(best->block, size));
  blocks_[best->block].state = {.use = Use::taken};
  return best->block;
}

bool AsyncPool::grow(std::int64_t size, DriverWork& work) {
  const std::optional<Driver::Region> region = driver_.malloc(Bytes(size));
  if (!region) {
    ++work.failed_mallocs;
    return false;
  }
  ++work.mallocs;
  held_ += driver_.size(*region).value();
  insert(blocks_.add_segment(driver_, *region, {.use = Use::ready}));
  return true;
}

void AsyncPool::give_back(BlockIndex block, StreamUse use) {
  if (events_.done(use.stream, use.event)) {
    make_ready(block);
    return;
  }
  const BlockIndex next = blocks_[block].next;
  if (may_join(next, use.stream)) {
    erase(next);
    blocks_.absorb_next(block);
  }
  const BlockIndex previous = blocks_[block].previous;
  BlockIndex merged = block;
  if (may_join(previous, use.stream)) {
    erase(previous);
    blocks_.absorb_next(previous);
    merged = previous;
  }
  // Events of one stream end in order: the last one stands for all.
  blocks_[merged].state = {.use = Use::ordered, .stream = use.stream, .event = use.event};
  insert(merged);
}

void AsyncPool::give_back(BlockIndex block, StreamUseList uses) {
  blocks_[block].state = {.use = Use::guarded};
  guarded_.push_back({block, std::move(uses)});
}

bool AsyncPool::may_join(BlockIndex block, StreamId stream) const {
  if (block == no_block) return false;
  const State& state = blocks_[block].state;
  return state.use == Use::ready || (state.use == Use::ordered && state.stream == stream);
}

void AsyncPool::observe() {
  while (!guarded_.empty() && have_ended(events_, guarded_.front().uses)) {
    make_ready(guarded_.front().block);
    guarded_.pop_front();
  }
  for (auto& [stream, ordered] : ordered_) {
    while (!ordered.by_event.empty() && events_.done(stream, ordered.by_event.begin()->first)) {
      const BlockIndex block = ordered.by_event.begin()->second;
      erase(block);
      make_ready(block);
    }
  }
}

bool AsyncPool::wait_for_fit(std::int64_t size, StreamId stream) {
  std::optional<Fit> best;
  for (const auto& [owner, ordered] : ordered_) {
    if (owner == stream) continue;
    const auto found = ordered.fits.lower_bound({size, 0, 0});
    if (found != ordered.fits.end() && (!best || *found < *best)) best = *found;
  }
  if (!best) return false;
  const State& state = blocks_[best->block].state;
  events_.wait(state.stream, state.event);
  observe();
  return true;
}

void AsyncPool::wait_for_all() {
  for (const Guarded& guarded : guarded_) wait_for(events_, guarded.uses);
  for (const auto& [stream, ordered] : ordered_) {
    if (!ordered.by_event.empty()) events_.wait(stream, ordered.by_event.rbegin()->first);
  }
  observe();
}

void AsyncPool::trim(std::int64_t keep, DriverWork& work) {
  if (held_ <= keep) return;
  std::vector<BlockIndex> blocks = blocks_.by_address();
  while (held_ > keep && !blocks.empty()) {
    const BlockIndex block = blocks.back();
    blocks.pop_back();
    if (!is_ready(block) || !blocks_.is_whole(block)) continue;
    erase(block);
    held_ -= blocks_[block].size;
    driver_.free(blocks_.drop_segment(block));
    ++work.frees;
  }
}

// Into the set that its state names.
void AsyncPool::insert(BlockIndex block) {
  const State& state = blocks_[block].state;
  if (state.use == Use::ready) {
    ready_.insert(fit(block));
    return;
  }
  Ordered& ordered = ordered_[state.stream];
  ordered.fits.insert(fit(block));
  ordered.by_event.insert({state.event, block});
}

void AsyncPool::erase(BlockIndex block) {
  const State& state = blocks_[block].state;
  if (state.use == Use::ready) {
    MEMSIM_CHECK(ready_.erase(fit(block)) == 1, "a ready range outside its set");
    return;
  }
  Ordered& ordered = ordered_[state.stream];
  MEMSIM_CHECK(
      ordered.fits.erase(fit(block)) == 1 && ordered.by_event.erase({state.event, block}) == 1,
      "a stream's range outside its sets");
}

// Requires: in no set.
void AsyncPool::make_ready(BlockIndex block) {
  BlockIndex merged = block;
  if (is_ready(blocks_[block].next)) {
    erase(blocks_[block].next);
    blocks_.absorb_next(block);
  }
  if (is_ready(blocks_[block].previous)) {
    merged = blocks_[block].previous;
    erase(merged);
    blocks_.absorb_next(merged);
  }
  blocks_[merged].state = {.use = Use::ready};
  insert(merged);
}

std::int64_t AsyncPool::largest_free() const {
  std::int64_t largest = ready_.empty() ? 0 : ready_.rbegin()->size;
  for (const auto& [stream, ordered] : ordered_) {
    if (!ordered.fits.empty()) largest = std::max(largest, ordered.fits.rbegin()->size);
  }
  return largest;
}

void AsyncPool::add_state(Digest& digest) const {
  for (const BlockIndex index : blocks_.by_address()) {
    const Blocks::Block& block = blocks_[index];
    digest.add(block.address).add(block.size).add(static_cast<std::uint64_t>(block.state.use));
    digest.add(std::uint64_t{block.previous == no_block});
    if (block.state.use != Use::ordered) continue;
    digest.add(static_cast<std::uint64_t>(block.state.stream));
    events_.add_state(digest, block.state.stream, block.state.event);
  }
  digest.add(std::uint64_t{guarded_.size()});
  for (const Guarded& guarded : guarded_) {
    digest.add(blocks_[guarded.block].address);
    add_uses(digest, events_, guarded.uses);
  }
}

void AsyncPool::check_invariants(std::int64_t used) const {
  blocks_.check_links();
  std::int64_t taken = 0;
  std::int64_t all = 0;
  std::size_t free = 0;
  for (const BlockIndex index : blocks_.by_address()) {
    const Blocks::Block& block = blocks_[index];
    all += block.size;
    if (block.state.use == Use::taken) taken += block.size;
    if (block.state.use == Use::ready || block.state.use == Use::ordered) ++free;
    MEMSIM_CHECK(!is_ready(index) || !is_ready(block.next), "two ready ranges touch");
  }
  MEMSIM_CHECK(taken == used, "blocks in use do not add up to what was handed out");
  MEMSIM_CHECK(all == held_, "ranges do not add up to the segments");
  std::size_t in_sets = ready_.size();
  for (const auto& [stream, ordered] : ordered_) {
    MEMSIM_CHECK(ordered.fits.size() == ordered.by_event.size(), "a stream's sets differ");
    in_sets += ordered.fits.size();
  }
  MEMSIM_CHECK(free == in_sets, "free ranges missing in their sets");
  check_sets();
}

// What the sets say of a range is so.
void AsyncPool::check_sets() const {
  for (const Fit& entry : ready_)
    MEMSIM_CHECK(is_ready(entry.block) && fit(entry.block) == entry, "a wrong ready range");
  for (const auto& [stream, ordered] : ordered_) {
    for (const Fit& entry : ordered.fits) {
      const State& state = blocks_[entry.block].state;
      MEMSIM_CHECK(state.use == Use::ordered && state.stream == stream && fit(entry.block) == entry,
                   "a wrong range of a stream");
      MEMSIM_CHECK(ordered.by_event.contains({state.event, entry.block}), "a wrong event");
    }
  }
}

}  // namespace memsim::sim
