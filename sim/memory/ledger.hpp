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
  Bytes live;      // sum of by_category
  Bytes reserved;  // held by the allocator
  std::array<Bytes, category_count> by_category{};
};

struct PhaseMemory {
  std::uint32_t phase = 0;
  MemoryState begin;      // at the first entry
  MemoryState end;        // at the last exit
  MemoryState peak_live;  // first instant of the highest live bytes
  // First instant of the highest reserved bytes; among the instants of that height, the first of
  // the highest live bytes.
  MemoryState peak_reserved;
};

// Label of an entry that no tensor made: the reserve alone changed.
inline constexpr std::uint32_t no_label = 0xFFFFFFFF;

// One change, kept when recording is on: enough to rebuild the state at any instant.
struct LedgerEntry {
  Time time;
  std::uint32_t label;  // index into Program::labels
  Category category;
  Bytes live_delta;
  Bytes reserved;  // after the change
};

class Ledger {
 public:
  // `record`: keep every change (entries()); costs memory in proportion to the run.
  explicit Ledger(bool record = false) : record_(record) {}

  // From here on changes count for `phase` as well; before the first phase they only count in
  // state(). What is live at the entry counts for the phase's peaks. Requires: now >= every earlier
  // instant, as in all calls below.
  void begin_phase(Time now, std::uint32_t phase);
  // `reserved` is what the allocator holds after the change. Requires: size >= 0.
  void allocate(Time now, Category category, std::uint32_t label, Bytes size, Bytes reserved);
  // Requires: the category owns at least `size`.
  void release(Time now, Category category, std::uint32_t label, Bytes size, Bytes reserved);
  // Hands `size` bytes from one owner to another. Requires: `from` owns at least that much.
  void relabel(Time now, Category from, Category to, std::uint32_t label, Bytes size);
  void set_reserved(Time now, Bytes reserved);

  // The present state; its time is that of the last change.
  [[nodiscard]] const MemoryState& state() const { return state_; }
  // Phases in order of first entry; a phase entered again accumulates into its first record.
  // `end` closes the present one. Requires: end >= every instant so far.
  [[nodiscard]] std::vector<PhaseMemory> phases(Time end) const;
  // All changes in order; empty unless recording. A relabel is two of them: away and to. A change
  // of the reserve alone is an entry of Category::cache with no_label.
  [[nodiscard]] const std::vector<LedgerEntry>& entries() const { return entries_; }

  // Bytes by owner and in reserve, without times: what a state digest needs of a ledger.
  void add_state(Digest& digest) const;

 private:
  static constexpr std::uint32_t no_phase = 0xFFFFFFFF;

  void advance(Time now);
  // Moves the clock and gives the bytes of one owner their change.
  void change(Time now, Category category, std::uint32_t label, Bytes delta);
  // Compares the present state with the peaks of the present phase.
  void track_peaks();

  MemoryState state_;
  std::vector<PhaseMemory> phases_;
  std::vector<std::uint32_t>
      position_;                      // by phase index: where in phases_; no_phase = never entered
  std::uint32_t current_ = no_phase;  // position of the present phase
  bool record_;
  std::vector<LedgerEntry> entries_;
};

}  // namespace memsim::sim
