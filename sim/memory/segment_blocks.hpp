// Segments cut into blocks that know their neighbours.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/check.hpp"
#include "sim/memory/driver.hpp"

namespace memsim::sim {

using BlockIndex = std::uint32_t;
inline constexpr BlockIndex no_block = 0xFFFFFFFF;

// `State` is what the allocator keeps of each block. Indices are used again; references are valid
// until the next add or split.
template <class State>
class SegmentBlocks {
 public:
  struct Block {
    std::uint64_t address = 0;
    std::int64_t size = 0;
    Driver::Region segment{};
    BlockIndex previous = no_block;  // neighbours within the segment
    BlockIndex next = no_block;
    bool in_use = false;  // the record, not the memory
    State state{};
  };

  [[nodiscard]] Block& operator[](BlockIndex index) { return blocks_[index]; }
  [[nodiscard]] const Block& operator[](BlockIndex index) const { return blocks_[index]; }

  // A segment that is one block.
  [[nodiscard]] BlockIndex add_segment(const Driver& driver, Driver::Region region, State state) {
    const BlockIndex index = acquire();
    blocks_[index] = {.address = driver.address(region),
                      .size = driver.size(region).value(),
                      .segment = region,
                      .in_use = true,
                      .state = state};
    return index;
  }
  // Requires: is_whole(index).
  Driver::Region drop_segment(BlockIndex index) {
    MEMSIM_CHECK(is_whole(index), "a segment given back that is in pieces");
    release(index);
    return blocks_[index].segment;
  }
  [[nodiscard]] bool is_whole(BlockIndex index) const {
    return blocks_[index].previous == no_block && blocks_[index].next == no_block;
  }

  // Keeps the first `size` bytes; the rest becomes a block of the same state, which is returned.
  // Requires: 0 < size < the block's size.
  BlockIndex split(BlockIndex index, std::int64_t size) {
    const BlockIndex rest = acquire();
    Block& block = blocks_[index];
    MEMSIM_CHECK(size > 0 && size < block.size, "a block split where it is not");
    blocks_[rest] = block;
    blocks_[rest].address += static_cast<std::uint64_t>(size);
    blocks_[rest].size -= size;
    blocks_[rest].previous = index;
    if (block.next != no_block) blocks_[block.next].previous = rest;
    block.next = rest;
    block.size = size;
    return rest;
  }
  // The block takes in the one behind it; its state stays. Requires: there is one.
  void absorb_next(BlockIndex index) {
    Block& block = blocks_[index];
    MEMSIM_CHECK(block.next != no_block, "nothing behind a block to take in");
    const BlockIndex gone = block.next;
    block.size += blocks_[gone].size;
    block.next = blocks_[gone].next;
    if (block.next != no_block) blocks_[block.next].previous = index;
    release(gone);
  }

  // All blocks by address.
  [[nodiscard]] std::vector<BlockIndex> by_address() const {
    std::vector<BlockIndex> indices;
    indices.reserve(blocks_.size() - unused_.size());
    for (BlockIndex index = 0; index < blocks_.size(); ++index) {
      if (blocks_[index].in_use) indices.push_back(index);
    }
    std::ranges::sort(indices, {}, [&](BlockIndex index) { return blocks_[index].address; });
    return indices;
  }

  // Neighbours point at each other, touch, and share their segment.
  void check_links() const {
    for (BlockIndex index = 0; index < blocks_.size(); ++index) {
      const Block& block = blocks_[index];
      if (!block.in_use) continue;
      MEMSIM_CHECK(block.size > 0, "a block without bytes");
      MEMSIM_CHECK(block.previous == no_block || blocks_[block.previous].next == index,
                   "a broken link to the block before");
      if (block.next == no_block) continue;
      const Block& next = blocks_[block.next];
      MEMSIM_CHECK(next.in_use && next.previous == index && next.segment == block.segment &&
                       next.address == block.address + static_cast<std::uint64_t>(block.size),
                   "neighbours that do not touch");
    }
  }

 private:
  BlockIndex acquire() {
    if (!unused_.empty()) {
      const BlockIndex index = unused_.back();
      unused_.pop_back();
      return index;
    }
    MEMSIM_CHECK(blocks_.size() < no_block, "more blocks than 32-bit indices");
    blocks_.emplace_back();
    return static_cast<BlockIndex>(blocks_.size() - 1);
  }
  void release(BlockIndex index) {
    blocks_[index].in_use = false;
    unused_.push_back(index);
  }

  std::vector<Block> blocks_;
  std::vector<BlockIndex> unused_;
};

// Free blocks in the order of best fit: the smallest that is large enough, among equals the lowest.
struct Fit {
  std::int64_t size;
  std::uint64_t address;
  BlockIndex block;
  friend auto operator<=>(const Fit&, const Fit&) = default;
};

}  // namespace memsim::sim
