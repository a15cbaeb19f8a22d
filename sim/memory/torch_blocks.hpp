// Blocks of the caching allocator: one record each, in one array, named by 32-bit indices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/check.hpp"
#include "sim/memory/driver.hpp"
#include "sim/memory/torch_statistics.hpp"

namespace memsim::sim {

using TorchBlockIndex = std::uint32_t;
inline constexpr TorchBlockIndex no_torch_block = 0xFFFFFFFF;
inline constexpr std::uint32_t no_torch_uses = 0xFFFFFFFF;

enum class TorchUse : std::uint8_t {
  unused,     // the record is not in use; `next` chains the unused ones
  cached,     // in a free set
  allocated,  // in the hands of a caller
  pending,    // given back, but streams are still using it
  unmapped,   // addresses of an expandable segment without memory behind them
};

// A part of a segment. Neighbours by address are linked; a block without neighbours is its whole
// segment ("not split"). An expandable segment is a stretch of addresses that has memory behind
// some of them.
struct TorchBlockRecord {
  std::uint64_t address = 0;
  std::int64_t size = 0;
  std::int64_t requested = 0;  // by the last caller, also after its free
  TorchBlockIndex previous = no_torch_block;
  TorchBlockIndex next = no_torch_block;
  Driver::Region segment{};            // expandable: the reserved addresses
  std::uint32_t home = 0;              // slot of its stream and pools
  std::uint32_t uses = no_torch_uses;  // slot of the other streams that use it, if any do
  std::uint64_t cached_at = 0;         // how many searches of its pool came before it was cached
  TorchPool pool = TorchPool::small;   // small or large
  TorchUse use = TorchUse::unused;
  bool expandable = false;

  [[nodiscard]] bool split() const { return previous != no_torch_block || next != no_torch_block; }
};

// All records; references are valid until the next acquire().
class TorchBlocks {
 public:
  [[nodiscard]] TorchBlockRecord& operator[](TorchBlockIndex index) { return records_[index]; }
  [[nodiscard]] const TorchBlockRecord& operator[](TorchBlockIndex index) const {
    return records_[index];
  }

  // A record to be filled in by the caller.
  [[nodiscard]] TorchBlockIndex acquire() {
    const TorchBlockIndex index = unused_;
    if (index == no_torch_block) return grow();
    unused_ = records_[index].next;
    return index;
  }
  void release(TorchBlockIndex index) {
    records_[index].use = TorchUse::unused;
    records_[index].next = unused_;
    unused_ = index;
  }

  // Records ever acquired; the unused ones among them say so.
  [[nodiscard]] std::size_t size() const { return records_.size(); }
  [[nodiscard]] const std::vector<TorchBlockRecord>& records() const { return records_; }

 private:
  TorchBlockIndex grow() {
    MEMSIM_CHECK(records_.size() < no_torch_block, "more blocks than 32-bit indices");
    records_.emplace_back();
    return static_cast<TorchBlockIndex>(records_.size() - 1);
  }

  std::vector<TorchBlockRecord> records_;
  TorchBlockIndex unused_ = no_torch_block;
};

}  // namespace memsim::sim
