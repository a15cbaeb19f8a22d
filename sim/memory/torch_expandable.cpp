// Expandable segments: stretches of addresses that get memory, page by page, as blocks need it.
#include <algorithm>

#include "sim/core/check.hpp"
#include "sim/memory/torch_caching.hpp"
#include "sim/memory/torch_rules.hpp"

namespace memsim::sim {
namespace {

constexpr Bytes largest_device{std::int64_t{1} << 50};

constexpr std::int64_t page_of(TorchPool pool) {
  return pool == TorchPool::small ? torch_small_segment : torch_large_segment;
}

}  // namespace

void TorchCachingAllocator::insert_unmapped(Index index) {
  TorchBlockRecord& block = blocks_[index];
  block.use = TorchUse::unmapped;
  auto& set = homes_[block.home].unmapped[static_cast<std::size_t>(block.pool) - 1];
  const std::pair entry(block.address, index);
  set.insert(std::ranges::lower_bound(set, entry), entry);
}

void TorchCachingAllocator::erase_unmapped(Index index) {
  const TorchBlockRecord& block = blocks_[index];
  auto& set = homes_[block.home].unmapped[static_cast<std::size_t>(block.pool) - 1];
  const auto place = std::ranges::lower_bound(set, std::pair(block.address, index));
  MEMSIM_CHECK(place != set.end() && place->second == index,
               "unmapped addresses outside their set");
  set.erase(place);
}

// A block, in no free set, of at least `size` bytes with memory behind it; no_torch_block if the
// device is full. What was mapped on the way stays mapped.
TorchCachingAllocator::Index TorchCachingAllocator::expand(std::int64_t size, TorchPool pool,
                                                           std::uint32_t home, DriverWork& work) {
  Index block = find_expandable(size, pool, home);
  if (block == no_torch_block) return no_torch_block;
  if (blocks_[block].use == TorchUse::unmapped &&
      !map(block, std::min(blocks_[block].size, size), work))
    return no_torch_block;
  while (blocks_[block].size < size) {
    const Index next = blocks_[block].next;
    if (!map(next, std::min(size - blocks_[block].size, blocks_[next].size), work))
      return no_torch_block;
    block = next;  // it has absorbed the block before it
  }
  free_set(home, pool).erase(blocks_[block], block);
  count_device_alloc(home, 1);
  return block;
}

// The first of several neighbours, free or without memory, that together have `size` bytes.
TorchCachingAllocator::Index TorchCachingAllocator::find_expandable(std::int64_t size,
                                                                    TorchPool pool,
                                                                    std::uint32_t home) {
  const auto usable = [&](Index index) {
    return index != no_torch_block &&
           (blocks_[index].use == TorchUse::cached || blocks_[index].use == TorchUse::unmapped);
  };
  for (const auto& [address, unmapped] :
       homes_[home].unmapped[static_cast<std::size_t>(pool) - 1]) {
    const Index before = blocks_[unmapped].previous;
    const Index first = usable(before) ? before : unmapped;
    std::int64_t bytes = 0;
    for (Index at = first; bytes < size && usable(at); at = blocks_[at].next)
      bytes += blocks_[at].size;
    if (bytes >= size) return first;
  }
  return reserve_segment(pool, home);
}

// Addresses for 9/8 of the device, or for as much as any device could have.
TorchCachingAllocator::Index TorchCachingAllocator::reserve_segment(TorchPool pool,
                                                                    std::uint32_t home) {
  const Bytes capacity = driver_.memory().capacity();
  const Bytes most = std::min(capacity, largest_device);
  const Bytes size = round_up(most + most / 8, Bytes(page_of(pool)));
  const auto region = driver_.reserve(size);
  if (!region) return no_torch_block;
  const Index block = blocks_.acquire();
  blocks_[block] = {.address = driver_.reserved_address(*region),
                    .size = size.value(),
                    .segment = *region,
                    .home = home,
                    .pool = pool,
                    .expandable = true};
  insert_unmapped(block);
  ++expandable_segments_;
  settings_changed();
  return block;
}

// Puts memory behind the first `size` bytes of a block without, in whole pages; false, and no
// change, if the device has not that much. The block merges with free neighbours.
bool TorchCachingAllocator::map(Index index, std::int64_t size, DriverWork& work) {
  const TorchPool pool = blocks_[index].pool;
  const std::int64_t mapped = round_up(size, page_of(pool));
  if (!driver_.map(Bytes(mapped))) {
    ++work.failed_mallocs;
    return false;
  }
  work.maps += mapped / page_of(pool);
  const std::uint64_t address = blocks_[index].address;
  erase_unmapped(index);
  if (mapped < blocks_[index].size) insert_unmapped(split_tail(index, mapped));
  TorchBlockRecord& block = blocks_[index];
  block.use = TorchUse::cached;
  absorb(index, block.previous);
  absorb(index, block.next);
  cache(index);
  counters_.increase(TorchMeasure::reserved_bytes, pool, mapped);
  ++counters_.calls.device_allocs;
  tell(AllocatorAction::segment_map, address, mapped, stream_of(block));
  return true;
}

// Takes the memory from behind the whole pages in a free block; slivers beside them stay free.
void TorchCachingAllocator::unmap(Index index, DriverWork& work) {
  const TorchPool pool = blocks_[index].pool;
  const auto page = static_cast<std::uint64_t>(page_of(pool));
  const std::uint64_t base = driver_.reserved_address(blocks_[index].segment);
  const std::uint64_t begin = blocks_[index].address - base;
  const std::uint64_t end = begin + static_cast<std::uint64_t>(blocks_[index].size);
  const std::uint64_t first = (begin + page - 1) / page * page;
  const std::uint64_t last = end / page * page;
  if (last <= first) return;
  const auto unmapped = static_cast<std::int64_t>(last - first);

  free_set(blocks_[index].home, pool).erase(blocks_[index], index);
  if (first > begin) cache(split_off(index, static_cast<std::int64_t>(first - begin)));
  if (last < end) cache(split_tail(index, unmapped));
  TorchBlockRecord& block = blocks_[index];
  block.use = TorchUse::unmapped;
  const std::uint64_t address = block.address;
  absorb(index, block.previous);
  absorb(index, block.next);
  insert_unmapped(index);
  driver_.unmap(Bytes(unmapped));
  work.unmaps += unmapped / page_of(pool);
  work.synchronized = true;
  counters_.decrease(TorchMeasure::reserved_bytes, pool, unmapped);
  count_device_alloc(block.home, -1);
  ++counters_.calls.device_frees;
  tell(AllocatorAction::segment_unmap, address, unmapped, stream_of(block));
}

}  // namespace memsim::sim
