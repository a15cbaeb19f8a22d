// Who owns each byte of one memory, and when.
//
// The ledger counts live bytes (what allocators handed out, after rounding) by category, and what
// the allocator holds in reserve. For each phase it keeps the instants of the highest live and of
// the highest reserved bytes, with the owners at that instant.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/core/digest.hpp"
#include "sim/core/units.hpp"
#include "sim/memory/category.hpp"

namespace memsim::sim {

// The state of a memory at one instant. Category::cache and Category::context are not counted here.
struct MemoryState {
  Time time;
  Bytes live;       // sum of by_category
  Bytes reserved;   // held by the allocator
  std::array<Bytes, category_count> by_category{};
};

struct PhaseMemory {
  std::uint32_t phase = 0;
  MemoryState begin;            // at the first entry
  MemoryState end;              // at the last exit
  MemoryState peak_live;        // first instant of the highest live bytes
  MemoryState peak_reserved;    // first instant of the highest reserved bytes, with the highest live bytes seen while it held
};

// One change, kept when recording is on: enough to rebuild the state at any instant.
struct LedgerEntry {
  Time time;
  std::uint32_t label;          // index into Program::labels
  Category category;
  Bytes live_delta;
  Bytes reserved;               // after the change
};

class Ledger {
 public:
  explicit Ledger(bool record = false);

  void begin_phase(Time now, std::uint32_t phase);
  void allocate(Time now, Category category, std::uint32_t label, Bytes size, Bytes reserved);
  void release(Time now, Category category, std::uint32_t label, Bytes size, Bytes reserved);
  void relabel(Time now, Category from, Category to, std::uint32_t label, Bytes size);
  void set_reserved(Time now, Bytes reserved);

  [[nodiscard]] const MemoryState& state() const { return state_; }
  // Phases in order of first entry; a phase entered again accumulates into its first record.
  [[nodiscard]] std::vector<PhaseMemory> phases(Time end) const;
  [[nodiscard]] const std::vector<LedgerEntry>& entries() const { return entries_; }

 private:
  MemoryState state_;
  std::vector<PhaseMemory> phases_;
  std::size_t current_ = 0;
  bool record_;
  std::vector<LedgerEntry> entries_;
};

}  // namespace memsim::sim
