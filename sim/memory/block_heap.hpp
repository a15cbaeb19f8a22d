// Where blocks lie in segments: the part in which textbook allocators differ.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/digest.hpp"
#include "sim/core/units.hpp"
#include "sim/memory/driver.hpp"

namespace memsim::sim {

// A part of a segment in use. `place` is the heap's own.
struct HeapBlock {
  std::uint64_t address;
  std::int64_t size;
  std::uint32_t place;
};

// Blocks of one stream in segments that the owner of the heap gets from the driver.
class BlockHeap {
 public:
  virtual ~BlockHeap() = default;

  // From the segments there are; nothing if none has room. Requires: size > 0.
  [[nodiscard]] virtual std::optional<HeapBlock> take(std::int64_t size) = 0;
  // What a segment for such a request spans; nothing beyond 64 bits. Requires: size > 0.
  [[nodiscard]] virtual std::optional<std::int64_t> segment_size(std::int64_t size) const = 0;
  // Requires: `region` spans at least what segment_size() said.
  virtual void add_segment(Driver::Region region) = 0;
  // Requires: the block is in use.
  virtual void give_back(const HeapBlock& block) = 0;
  // Segments without blocks in use leave the heap.
  [[nodiscard]] virtual std::vector<Driver::Region> remove_unused() = 0;
  // Whether they are to leave as soon as there are any.
  [[nodiscard]] virtual bool keeps_unused() const { return true; }

  // By address.
  [[nodiscard]] virtual std::vector<Driver::Region> segments() const = 0;
  [[nodiscard]] virtual std::int64_t largest_free() const = 0;
  // Free memory, and what else decides where blocks go.
  virtual void add_state(Digest& digest) const = 0;
  // Also that the blocks in use are as many bytes as `used`.
  virtual void check_invariants(std::int64_t used) const = 0;
};

}  // namespace memsim::sim
