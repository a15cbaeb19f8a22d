// Where options have a say: which cached block serves a request, and what happens if none does.
#include <algorithm>

#include "sim/memory/torch_caching.hpp"
#include "sim/memory/torch_rules.hpp"

namespace memsim::sim {

Result<void> TorchCachingAllocator::configure(std::string_view options) {
  auto applied = options_.apply(options);
  settings_changed();
  return applied;
}

void TorchCachingAllocator::set_memory_fraction(TorchRatio fraction) {
  limit_ = fraction.of(driver_.memory().capacity().value());
  settings_changed();
}

void TorchCachingAllocator::settings_changed() {
  plain_sizes_ = options_.divisions == TorchDivisions{};
  plain_search_ = options_.max_split == torch_unlimited && !options_.expandable_segments &&
                  expandable_segments_ == 0 && !collects();
}

// Takes the best fit out of its free set; no_torch_block if there is none.
TorchCachingAllocator::Index TorchCachingAllocator::search(std::int64_t size, TorchPool pool,
                                                           std::uint32_t home) {
  if (collects() && pool == TorchPool::large && homes_[home].pools == default_pools) ++searches_;
  TorchFreeSet& set = free_set(home, pool);
  auto key = set.first_of(size);
  if (!key) return no_torch_block;
  const auto block_at = [](TorchFreeSet::Key at) { return TorchFreeSet::index_of(at); };
  if (blocks_[block_at(*key)].expandable) {
    if (options_.expandable_segments) {
      // A block that touches addresses without memory counts with them: others go first.
      for (auto next = set.after(*key);
           next && blocks_[block_at(*key)].expandable &&
           extended_size(block_at(*next)) < extended_size(block_at(*key));
           next = set.after(*next))
        key = next;
    } else {
      while (key && blocks_[block_at(*key)].expandable) key = set.after(*key);
      if (!key) return no_torch_block;
    }
  }
  const Index found = block_at(*key);
  const std::int64_t found_size = blocks_[found].size;
  if (size < options_.max_split && found_size >= options_.max_split) return no_torch_block;
  if (size >= options_.max_split && found_size - size >= options_.max_non_split_rounding)
    return no_torch_block;
  set.erase(blocks_[found], found);
  return found;
}

std::int64_t TorchCachingAllocator::extended_size(Index index) const {
  const TorchBlockRecord& block = blocks_[index];
  const bool open = block.next != no_torch_block && blocks_[block.next].use == TorchUse::unmapped;
  return block.size + (open ? blocks_[block.next].size : 0);
}

// No cached block fits: new memory, if need be after cached memory was given back, first of the
// blocks that are too large to be split, then all of it.
TorchCachingAllocator::Index TorchCachingAllocator::serve_miss(std::int64_t size,
                                                               std::uint32_t home,
                                                               DriverWork& work) {
  const TorchPool pool = torch_is_small(size) ? TorchPool::small : TorchPool::large;
  if (collects()) collect_garbage(work);
  Index block = new_memory(size, pool, home, work);
  if (block != no_torch_block) return block;
  if (options_.max_split != torch_unlimited && release_oversize(size, pool, home, work)) {
    block = new_memory(size, pool, home, work);
    if (block != no_torch_block) return block;
  }
  if (!diversions_.empty()) return no_torch_block;
  release_cached(work);
  ++counters_.calls.alloc_retries;
  return new_memory(size, pool, home, work);
}

TorchCachingAllocator::Index TorchCachingAllocator::new_memory(std::int64_t size, TorchPool pool,
                                                               std::uint32_t home,
                                                               DriverWork& work) {
  const std::int64_t segment_size = torch_segment_size(size);
  if (limit_ && counters_.current(TorchMeasure::reserved_bytes) + segment_size > *limit_)
    return no_torch_block;
  return options_.expandable_segments ? expand(size, pool, home, work)
                                      : new_segment(segment_size, pool, home, work);
}

// Gives back one segment that is large enough, or several of those that are never split, the
// largest first; false if they are not enough. Blocks that were split before the option was set
// stay: the real allocator would hand them to the driver, which refuses a part of a segment.
bool TorchCachingAllocator::release_oversize(std::int64_t size, TorchPool pool, std::uint32_t home,
                                             DriverWork& work) {
  const std::int64_t wanted = std::max(size, options_.max_split);
  TorchFreeSet& set = free_set(home, pool);
  const auto can_go = [&](TorchFreeSet::Key key) {
    const TorchBlockRecord& block = blocks_[TorchFreeSet::index_of(key)];
    return !block.expandable && !block.split();
  };
  const auto first = set.first_of(wanted);
  if (first && can_go(*first)) {
    release_segment(TorchFreeSet::index_of(*first), work);
    return true;
  }
  std::int64_t released = 0;
  for (auto key = set.last_below(wanted); key && released < wanted;) {
    const Index index = TorchFreeSet::index_of(*key);
    const std::int64_t block_size = blocks_[index].size;
    if (block_size < options_.max_split) break;
    const auto below = set.before(*key);
    if (can_go(*key)) {
      release_segment(index, work);
      released += block_size;
    }
    key = below;
  }
  return released >= wanted;
}

// Gives back segments of the default large pool that have been cached for long: those older than
// the mean, again and again, until the limit's share is kept. Ages are counted in searches.
void TorchCachingAllocator::collect_garbage(DriverWork& work) {
  const std::int64_t kept = options_.collection_threshold.of(*limit_);
  const std::int64_t excess = counters_.current(TorchMeasure::reserved_bytes) - kept;
  if (excess <= 0) return;
  std::vector<Index> cached;
  for (const auto& [pools, stream, home] : slots_)
    if (pools == default_pools) free_set(home, TorchPool::large).append_to(cached);
  std::erase_if(cached, [&](Index index) { return blocks_[index].split(); });
  const auto age = [&](Index index) { return searches_ - blocks_[index].cached_at; };
  std::uint64_t ages = 0;
  for (const Index index : cached) ages += age(index);
  std::uint64_t count = cached.size();

  std::int64_t reclaimed = 0;
  for (bool any = true; any && reclaimed < excess && count > 0;) {
    any = false;
    const std::uint64_t ages_before = ages;
    const std::uint64_t count_before = count;
    std::erase_if(cached, [&](Index index) {
      // At least the mean age, in whole numbers.
      if (blocks_[index].expandable || age(index) * count_before < ages_before) return false;
      any = true;
      reclaimed += blocks_[index].size;
      ages -= age(index);
      --count;
      release_segment(index, work);
      return true;
    });
  }
}

}  // namespace memsim::sim
