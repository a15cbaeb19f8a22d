// The tensors of one job: slots, the allocators behind them, and the ledgers that count them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/digest.hpp"
#include "sim/core/units.hpp"
#include "sim/exec/placement.hpp"
#include "sim/exec/program.hpp"
#include "sim/memory/allocator.hpp"
#include "sim/memory/ledger.hpp"

namespace memsim::sim {

// What one allocation of the program is, while it lives.
struct Slot {
  AllocationId allocation = null_allocation;
  std::uint16_t memory = 0;
  Category category = Category::temporaries;
  bool live = false;
  std::uint32_t label = 0;
  Bytes size;  // of the block, after rounding
};

// Times are simulated time. DriverWork adds up what the calls cost the host.
class JobMemory {
 public:
  JobMemory(const Program& program, const Placement& placement, bool record);

  // Program slots.
  [[nodiscard]] Slot& slot(std::uint32_t slot) { return slots_[slot]; }

  // Serves an `allocate`, or says why it cannot. Requires: !slot.live.
  [[nodiscard]] std::optional<OutOfMemory> allocate(Slot& slot, const Op& op, Time now,
                                                    DriverWork& driver);
  // Requires of these three: slot.live.
  void release(Slot& slot, Time now, DriverWork& driver);
  void relabel(Slot& slot, Category category, Time now);
  void use_on_stream(const Slot& slot, std::uint32_t stream);
  void empty_cache(std::uint16_t memory, Time now, DriverWork& driver);
  // The host has waited for an event or the device.
  void synchronized(Time now, DriverWork& driver);

  void begin_phase(Time now, std::uint32_t phase);

  [[nodiscard]] const std::vector<Ledger>& ledgers() const { return ledgers_; }

  // What is live and how much is reserved: cheap, and equal where states are.
  void add_usage(Digest& digest) const;
  // Everything that decides later behaviour.
  void add_state(Digest& digest) const;
  // The same of slots that are not the program's. Requires: they belong to this job.
  void add_state(Digest& digest, const std::vector<Slot>& slots) const;

 private:
  void note_reserved(std::size_t memory, Time now);

  std::vector<Slot> slots_;
  std::vector<Allocator*> allocators_;
  std::vector<Ledger> ledgers_;  // by memory
};

}  // namespace memsim::sim
