#include "sim/memory/ledger.hpp"

#include <cstddef>

#include "sim/core/check.hpp"

namespace memsim::sim {
void Ledger::begin_phase(Time now, std::uint32_t phase) {
  MEMSIM_CHECK(phase != no_phase, "a phase index out of range");
  advance(now);
  if (current_ != no_phase) phases_[current_].end = state_;
  if (phase >= position_.size()) position_.resize(std::size_t{phase} + 1, no_phase);
  if (position_[phase] == no_phase) {
    position_[phase] = static_cast<std::uint32_t>(phases_.size());
    phases_.push_back({.phase = phase,
                       .begin = state_,
                       .end = state_,
                       .peak_live = state_,
                       .peak_reserved = state_});
  }
  current_ = position_[phase];
  track_peaks();
}

void Ledger::allocate(Time now, Category category, std::uint32_t label, Bytes size,
                      Bytes reserved) {
  MEMSIM_CHECK(size >= Bytes(0), "an allocation of negative size");
  state_.reserved = reserved;
  change(now, category, label, size);
  track_peaks();
}

void Ledger::release(Time now, Category category, std::uint32_t label, Bytes size, Bytes reserved) {
  MEMSIM_CHECK(size >= Bytes(0), "a release of negative size");
  state_.reserved = reserved;
  change(now, category, label, Bytes(0) - size);
  track_peaks();
}

void Ledger::relabel(Time now, Category from, Category to, std::uint32_t label, Bytes size) {
  MEMSIM_CHECK(size >= Bytes(0), "a relabel of negative size");
  change(now, from, label, Bytes(0) - size);
  change(now, to, label, size);
}

void Ledger::set_reserved(Time now, Bytes reserved) {
  advance(now);
  state_.reserved = reserved;
  if (record_) entries_.push_back({now, no_label, Category::cache, Bytes(0), reserved});
  track_peaks();
}

std::vector<PhaseMemory> Ledger::phases(Time end) const {
  MEMSIM_CHECK(end >= state_.time, "a ledger closed before its last change");
  std::vector<PhaseMemory> closed = phases_;
  if (current_ != no_phase) {
    closed[current_].end = state_;
    closed[current_].end.time = end;
  }
  return closed;
}

void Ledger::add_state(Digest& digest) const {
  digest.add(state_.reserved);
  for (const Bytes bytes : state_.by_category) digest.add(bytes);
}

void Ledger::advance(Time now) {
  MEMSIM_CHECK(now >= state_.time, "a ledger entry before the last one");
  state_.time = now;
}

void Ledger::change(Time now, Category category, std::uint32_t label, Bytes delta) {
  MEMSIM_CHECK(category != Category::cache && category != Category::context,
               "memory that no allocation owns");
  advance(now);
  Bytes& owned = state_.by_category[static_cast<std::size_t>(category)];
  owned += delta;
  state_.live += delta;
  MEMSIM_CHECK(owned >= Bytes(0), "a category gives back more than it owns");
  if (record_) entries_.push_back({now, label, category, delta, state_.reserved});
}

void Ledger::track_peaks() {
  if (current_ == no_phase) return;
  PhaseMemory& phase = phases_[current_];
  if (state_.live > phase.peak_live.live) phase.peak_live = state_;
  const MemoryState& highest = phase.peak_reserved;
  if (state_.reserved > highest.reserved ||
      (state_.reserved == highest.reserved && state_.live > highest.live)) {
    phase.peak_reserved = state_;
  }
}

}  // namespace memsim::sim
