// The state of the caching allocator as a digest, and its invariants.
#include <algorithm>

#include "sim/core/check.hpp"
#include "sim/memory/torch_caching.hpp"
#include "sim/memory/torch_rules.hpp"

namespace memsim::sim {

// A sum over the blocks, so that neither their indices nor their order matter and one pass over the
// records suffices. Free sets, segments and neighbours follow from the blocks.
void TorchCachingAllocator::add_state(Digest& digest) const {
  std::uint64_t sum = 0;
  for (const TorchBlockRecord& block : blocks_.records()) {
    if (block.use == TorchUse::unused) continue;
    // The low bits of addresses are free: blocks start at multiples of 512.
    const std::uint64_t traits =
        static_cast<std::uint64_t>(block.use) << 4 | static_cast<std::uint64_t>(block.pool) << 2 |
        (block.expandable ? 2U : 0U) | (block.previous == no_torch_block ? 1U : 0U);
    const bool used = block.use == TorchUse::allocated || block.use == TorchUse::pending;
    const Home& home = homes_[block.home];
    Digest one(Digest::fnv_offset ^ static_cast<std::uint64_t>(home.stream));
    one.add(block.address | traits).add(block.size).add(used ? block.requested : 0);
    if (home.pools != default_pools) [[unlikely]] {
      const TorchPoolId& id = private_pools_[home.pools - 1].id;
      one.add(id.first).add(id.second);
    }
    if (collects() && block.use == TorchUse::cached) one.add(searches_ - block.cached_at);
    if (block.uses != no_torch_uses) [[unlikely]] {
      const Uses& uses = uses_[block.uses];
      std::uint64_t users = uses.events;
      const auto add = [&](StreamId stream) {
        users += Digest().add(static_cast<std::uint64_t>(stream)).value();
      };
      uses.streams.visit(add);
      uses.during_diversion.visit(add);
      one.add(users);
    }
    sum += one.value();
  }
  digest.add(sum);
  for (const auto& [pools, id, slot] : slots_) {
    if (homes_[slot].outstanding.empty()) continue;
    digest.add(static_cast<std::uint64_t>(id));
    for (const Outstanding& entry : homes_[slot].outstanding) {
      digest.add(blocks_[entry.block].address);
      events_.add_state(digest, id, entry.event);
    }
  }
  add_settings(digest);
  driver_.add_state(digest);
}

void TorchCachingAllocator::add_settings(Digest& digest) const {
  digest.add(options_.max_split).add(options_.max_non_split_rounding);
  for (const std::int64_t divisions : options_.divisions) digest.add(divisions);
  digest.add(std::uint64_t{options_.expandable_segments});
  digest.add(limit_.value_or(-1));
  if (limit_) digest.add(options_.collection_threshold.of(*limit_));
  for (const Index index : deferred_) digest.add(blocks_[index].address);
  for (const Diversion& diversion : diversions_) {
    const TorchPoolId& id = private_pools_[diversion.pools - 1].id;
    digest.add(id.first).add(id.second).add(static_cast<std::uint64_t>(diversion.stream));
  }
  for (const PrivatePool& pool : private_pools_)
    if (pool.exists) digest.add(pool.id.first).add(pool.id.second).add(pool.uses);
}

void TorchCachingAllocator::check_invariants() const {
  driver_.check_invariants();
  check_free_sets();
  std::int64_t reserved = 0;
  for (Index index = 0; index < blocks_.size(); ++index) {
    const TorchBlockRecord& block = blocks_[index];
    if (block.use != TorchUse::unused && block.previous == no_torch_block) {
      check_segment(index, reserved);
    }
  }
  check_statistics(reserved);
}

// Blocks tile their segment, belong to its stream and pool, and are merged.
void TorchCachingAllocator::check_segment(Index head, std::int64_t& reserved) const {
  const TorchBlockRecord& first = blocks_[head];
  const bool expandable = first.expandable;
  std::uint64_t address =
      expandable ? driver_.reserved_address(first.segment) : driver_.address(first.segment);
  const Bytes size =
      expandable ? driver_.reserved_size(first.segment) : driver_.size(first.segment);
  const std::uint64_t end = address + static_cast<std::uint64_t>(size.value());
  Index previous = no_torch_block;
  for (Index index = head; index != no_torch_block; index = blocks_[index].next) {
    const TorchBlockRecord& block = blocks_[index];
    MEMSIM_CHECK(block.address == address, "a gap or an overlap between blocks");
    MEMSIM_CHECK(block.size > 0 && block.size % torch_min_block == 0, "a block of odd size");
    MEMSIM_CHECK(block.segment == first.segment && block.expandable == expandable &&
                     block.home == first.home && block.pool == first.pool &&
                     block.previous == previous,
                 "a block that does not belong to its segment");
    const bool used = block.use == TorchUse::allocated || block.use == TorchUse::pending;
    MEMSIM_CHECK(!used || block.requested <= block.size, "a block smaller than its request");
    MEMSIM_CHECK(expandable || block.use != TorchUse::unmapped, "a segment without its memory");
    MEMSIM_CHECK(previous == no_torch_block || used || blocks_[previous].use != block.use,
                 "free neighbours that are not merged");
    if (block.use != TorchUse::unmapped) reserved += block.size;
    address += static_cast<std::uint64_t>(block.size);
    previous = index;
  }
  MEMSIM_CHECK(address == end, "blocks that do not fill their segment");
}

// Exactly the free blocks are in the free sets, each in the right one; the same for addresses
// without memory.
void TorchCachingAllocator::check_free_sets() const {
  std::size_t listed = 0;
  std::size_t unmapped = 0;
  std::vector<Index> cached;
  for (std::uint32_t slot = 0; slot < homes_.size(); ++slot) {
    for (const TorchPool pool : {TorchPool::small, TorchPool::large}) {
      const std::size_t at = static_cast<std::size_t>(pool) - 1;
      const TorchFreeSet& set = homes_[slot].free[at];
      set.check_invariants();
      cached.clear();
      set.append_to(cached);
      const auto belongs = [&](Index index, TorchUse use) {
        return index < blocks_.size() && blocks_[index].use == use && blocks_[index].home == slot &&
               blocks_[index].pool == pool;
      };
      for (const Index index : cached)
        MEMSIM_CHECK(belongs(index, TorchUse::cached),
                     "a free set with a block that is not free or belongs elsewhere");
      MEMSIM_CHECK(std::is_sorted(cached.begin(), cached.end(),
                                  [&](Index a, Index b) {
                                    return TorchFreeSet::key(blocks_[a], a) <
                                           TorchFreeSet::key(blocks_[b], b);
                                  }),
                   "a free set whose keys are not those of its blocks");
      listed += cached.size();
      for (const auto& [address, index] : homes_[slot].unmapped[at])
        MEMSIM_CHECK(belongs(index, TorchUse::unmapped) && blocks_[index].address == address,
                     "addresses in the wrong set of those without memory");
      unmapped += homes_[slot].unmapped[at].size();
    }
  }
  for (const TorchBlockRecord& block : blocks_.records()) {
    if (block.use == TorchUse::cached) --listed;
    if (block.use == TorchUse::unmapped) --unmapped;
  }
  MEMSIM_CHECK(listed == 0 && unmapped == 0, "a free block in no free set");
}

// The statistics say what the blocks say.
void TorchCachingAllocator::check_statistics(std::int64_t reserved) const {
  TorchCounters counted;
  std::size_t pending_events = 0;
  for (const TorchBlockRecord& block : blocks_.records()) {
    if (block.use == TorchUse::unused || block.use == TorchUse::unmapped) continue;
    if (block.previous == no_torch_block && !block.expandable)
      counted.increase(TorchMeasure::segment, block.pool, 1);
    counted.increase(TorchMeasure::reserved_bytes, block.pool, block.size);
    if (block.use == TorchUse::cached) {
      if (!block.split() || block.expandable) continue;
      counted.increase(TorchMeasure::inactive_split, block.pool, 1);
      counted.increase(TorchMeasure::inactive_split_bytes, block.pool, block.size);
      continue;
    }
    counted.increase(TorchMeasure::active, block.pool, 1);
    counted.increase(TorchMeasure::active_bytes, block.pool, block.size);
    counted.increase(TorchMeasure::requested_bytes, block.pool, block.requested);
    if (block.use == TorchUse::pending) {
      MEMSIM_CHECK(block.uses != no_torch_uses, "a pending block that waits for nothing");
      pending_events += uses_[block.uses].events;
      continue;
    }
    counted.increase(TorchMeasure::allocation, block.pool, 1);
    counted.increase(TorchMeasure::allocated_bytes, block.pool, block.size);
  }
  for (std::size_t at = 0; at < torch_measure_count; ++at) {
    const auto measure = static_cast<TorchMeasure>(at);
    for (const TorchPool pool : {TorchPool::small, TorchPool::large}) {
      MEMSIM_CHECK(counted.stat(measure, pool).current == counters_.stat(measure, pool).current,
                   "a statistic that does not match the blocks");
    }
  }
  std::size_t outstanding = 0;
  for (const Home& home : homes_) outstanding += home.outstanding.size();
  MEMSIM_CHECK(outstanding == pending_events, "events that no pending block waits for");
  MEMSIM_CHECK(counters_.current(TorchMeasure::allocated_bytes) <= reserved &&
                   Bytes(reserved) <= driver_.memory().used(),
               "more allocated than reserved, or more reserved than the driver gave");
}

}  // namespace memsim::sim
