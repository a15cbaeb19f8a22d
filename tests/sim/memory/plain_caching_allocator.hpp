// The caching allocator in its plainest form: ordered sets of block pointers, rules written out as
// the specification states them, no statistics, no events. Tests hold the real one against it, the
// benchmark measures against it.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <tuple>
#include <vector>

#include "sim/memory/driver.hpp"

namespace memsim::sim {

class PlainCachingAllocator {
 public:
  struct Block {
    std::uint32_t stream = 0;
    std::int64_t size = 0;
    std::uint64_t address = 0;
    bool small = false;
    bool allocated = false;
    Driver::Region segment{};
    Block* previous = nullptr;
    Block* next = nullptr;
  };

  explicit PlainCachingAllocator(Driver& driver) : driver_(driver) {}

  // Null: out of memory.
  Block* allocate(std::int64_t requested, std::uint32_t stream) {
    const std::int64_t size = (requested + 511) / 512 * 512;
    const bool small = size <= 1048576;
    Block* block = best_fit(small ? small_ : large_, stream, size);
    if (block == nullptr) block = segment(stream, size);
    if (block == nullptr) {
      empty_cache();
      block = segment(stream, size);
    }
    if (block == nullptr) return nullptr;
    const std::int64_t rest = block->size - size;
    if (small ? rest >= 512 : rest > 1048576) block = split(block, size);
    block->allocated = true;
    allocated_ += block->size;
    return block;
  }

  void free(Block* block) {
    block->allocated = false;
    allocated_ -= block->size;
    Free& free = block->small ? small_ : large_;
    for (Block* neighbour : {block->previous, block->next}) {
      if (neighbour == nullptr || neighbour->allocated) continue;
      free.erase(neighbour);
      absorb(block, neighbour);
    }
    free.insert(block);
  }

  void empty_cache() {
    for (Free* free : {&large_, &small_}) {
      for (auto place = free->begin(); place != free->end();) {
        Block* block = *place;
        if (block->previous != nullptr || block->next != nullptr) {
          ++place;
          continue;
        }
        place = free->erase(place);
        reserved_ -= block->size;
        driver_.free(block->segment);
        unused_.push_back(block);
      }
    }
  }

  [[nodiscard]] std::int64_t allocated() const { return allocated_; }
  [[nodiscard]] std::int64_t reserved() const { return reserved_; }

 private:
  struct Order {
    bool operator()(const Block* a, const Block* b) const {
      return std::tie(a->stream, a->size, a->address) < std::tie(b->stream, b->size, b->address);
    }
  };
  using Free = std::set<Block*, Order>;

  Block* best_fit(Free& free, std::uint32_t stream, std::int64_t size) {
    Block wanted;
    wanted.stream = stream;
    wanted.size = size;
    const auto place = free.lower_bound(&wanted);
    if (place == free.end() || (*place)->stream != stream) return nullptr;
    Block* block = *place;
    free.erase(place);
    return block;
  }

  Block* segment(std::uint32_t stream, std::int64_t size) {
    std::int64_t bytes = (size + 2097151) / 2097152 * 2097152;
    if (size < 10485760) bytes = 20971520;
    if (size <= 1048576) bytes = 2097152;
    const auto region = driver_.malloc(Bytes(bytes));
    if (!region) return nullptr;
    reserved_ += bytes;
    Block* block = own();
    block->stream = stream;
    block->size = bytes;
    block->address = driver_.address(*region);
    block->small = size <= 1048576;
    block->segment = *region;
    return block;
  }

  Block* split(Block* rest, std::int64_t size) {
    Block* block = own();
    *block = *rest;
    block->size = size;
    block->next = rest;
    if (block->previous != nullptr) block->previous->next = block;
    rest->previous = block;
    rest->address += static_cast<std::uint64_t>(size);
    rest->size -= size;
    (rest->small ? small_ : large_).insert(rest);
    return block;
  }

  void absorb(Block* block, Block* neighbour) {
    if (neighbour == block->previous) {
      block->address = neighbour->address;
      block->previous = neighbour->previous;
      if (block->previous != nullptr) block->previous->next = block;
    } else {
      block->next = neighbour->next;
      if (block->next != nullptr) block->next->previous = block;
    }
    block->size += neighbour->size;
    unused_.push_back(neighbour);
  }

  Block* own() {
    if (unused_.empty()) return &blocks_.emplace_back();
    Block* block = unused_.back();
    unused_.pop_back();
    *block = {};
    return block;
  }

  Driver& driver_;
  Free small_;
  Free large_;
  std::deque<Block> blocks_;
  std::vector<Block*> unused_;
  std::int64_t allocated_ = 0;
  std::int64_t reserved_ = 0;
};

}  // namespace memsim::sim
