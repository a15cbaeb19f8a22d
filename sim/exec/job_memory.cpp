#include "sim/exec/job_memory.hpp"

#include <utility>

namespace memsim::sim {

JobMemory::JobMemory(const Program& program, const Placement& placement, bool record)
    : slots_(program.slots), allocators_(placement.memories) {
  ledgers_.assign(allocators_.size(), Ledger(record));
  for (std::size_t m = 0; m < allocators_.size(); ++m) note_reserved(m, Time(0));
}

std::optional<OutOfMemory> JobMemory::allocate(Slot& slot, const Op& op, Time now,
                                               DriverWork& driver) {
  Allocator& allocator = *allocators_[op.unit];
  auto allocation = allocator.allocate(Bytes(op.amount), StreamId{op.stream}, driver);
  if (!allocation) {
    note_reserved(op.unit, now);
    return std::move(allocation.error());
  }
  const bool empty = *allocation == null_allocation;
  const Bytes size = empty ? Bytes(0) : allocator.block_size(*allocation);
  slot = {*allocation, op.unit, op.category, true, op.label, size};
  ledgers_[op.unit].allocate(now, op.category, op.label, size, allocator.usage().reserved);
  return std::nullopt;
}

void JobMemory::release(Slot& slot, Time now, DriverWork& driver) {
  Allocator& allocator = *allocators_[slot.memory];
  allocator.free(slot.allocation, driver);
  slot.live = false;
  ledgers_[slot.memory].release(now, slot.category, slot.label, slot.size,
                                allocator.usage().reserved);
}

void JobMemory::relabel(Slot& slot, Category category, Time now) {
  ledgers_[slot.memory].relabel(now, slot.category, category, slot.label, slot.size);
  slot.category = category;
}

void JobMemory::use_on_stream(const Slot& slot, std::uint32_t stream) {
  if (slot.allocation == null_allocation) return;
  allocators_[slot.memory]->record_stream(slot.allocation, StreamId{stream});
}

void JobMemory::empty_cache(std::uint16_t memory, Time now, DriverWork& driver) {
  allocators_[memory]->empty_cache(driver);
  note_reserved(memory, now);
}

void JobMemory::synchronized(Time now, DriverWork& driver) {
  for (std::size_t m = 0; m < allocators_.size(); ++m) {
    allocators_[m]->synchronized(driver);
    note_reserved(m, now);
  }
}

void JobMemory::note_reserved(std::size_t memory, Time now) {
  const Bytes reserved = allocators_[memory]->usage().reserved;
  if (reserved != ledgers_[memory].state().reserved) ledgers_[memory].set_reserved(now, reserved);
}

void JobMemory::begin_phase(Time now, std::uint32_t phase) {
  for (Ledger& ledger : ledgers_) ledger.begin_phase(now, phase);
}

void JobMemory::add_usage(Digest& digest) const {
  for (std::size_t m = 0; m < allocators_.size(); ++m) {
    digest.add(ledgers_[m].state().live).add(ledgers_[m].state().reserved);
  }
}

void JobMemory::add_state(Digest& digest) const {
  for (std::size_t m = 0; m < allocators_.size(); ++m) {
    allocators_[m]->add_state(digest);
    ledgers_[m].add_state(digest);
  }
  add_state(digest, slots_);
}

void JobMemory::add_state(Digest& digest, const std::vector<Slot>& slots) const {
  for (const Slot& slot : slots) {
    digest.add(std::uint64_t{slot.live});
    if (!slot.live) continue;
    digest.add(static_cast<std::uint64_t>(slot.label) << 32 |
               static_cast<std::uint64_t>(slot.memory) << 16 |
               static_cast<std::uint64_t>(slot.category));
    if (slot.allocation != null_allocation)
      digest.add(allocators_[slot.memory]->address(slot.allocation));
  }
}

}  // namespace memsim::sim
