// When flows complete, kept by clocks that count work instead of time.
//
// All flows with one bottleneck move at its level, so one clock per bottleneck counts the work that
// each of them has done: in d picoseconds at level r it advances by r x d. A flow is done when the
// clock reaches the value that it had at the start plus the flow's work. A change of the level then
// costs one division, however many flows it slows down or speeds up.
//
// The bundles that a clock drives stand in its heap by the value at which their first flow is done;
// the flows of a bundle stand in the heap of the bundle, by the bundle's own count of work, which
// is the clock's plus an offset (so a bundle that changes its bottleneck takes its flows along in
// one step).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/core/int128.hpp"
#include "sim/core/units.hpp"
#include "sim/flow/bundle_table.hpp"
#include "sim/flow/indexed_heap.hpp"

namespace memsim::sim {

// Work is amount x 10^12: units per second times picoseconds. Below 2^126 for all int64 operands.
using Work = Int128;
using ClockId = std::uint32_t;

inline constexpr ClockId no_clock = 0xFFFFFFFF;

class WorkClocks {
 public:
  struct Done {
    BundleId bundle;
    std::uint32_t flow;
  };

  WorkClocks() : finishes_(finish_places_) {}
  WorkClocks(const WorkClocks&) = delete;
  WorkClocks& operator=(const WorkClocks&) = delete;

  ClockId add_clock();

  // Puts a flow with `work` > 0 to do into the bundle. Returns the bundle's count of work at which
  // it is done. A bundle without a clock stands still.
  Work add_flow(BundleId bundle, std::uint32_t flow, Work work, Time now);

  // From now on the clock advances at `rate`; bundle is driven by `clock`. refresh() must follow.
  void set_rate(ClockId clock, std::int64_t rate, Time now);
  void drive(BundleId bundle, ClockId clock, Time now);
  // Finds the next completion of every clock that changed.
  void refresh();

  // The first completion; Time::max() if there is none.
  [[nodiscard]] Time next() const { return finishes_.empty() ? Time::max() : finishes_.top_key(); }
  // Takes out the flows that are done at `now`. Requires: now <= next().
  void take_done(Time now, std::vector<Done>& done);

  [[nodiscard]] Work count(BundleId bundle, Time now) const;
  [[nodiscard]] std::int64_t rate(BundleId bundle) const;

 private:
  struct Clock {
    explicit Clock(std::vector<std::uint32_t>& places) : bundles(places) {}
    Work value = 0;  // at `at`
    Time at;
    std::int64_t rate = 0;
    bool stale = false;  // its place in finishes_ is to be found again
    IndexedHeap<Work> bundles;
  };
  struct Due {
    Work count;  // the bundle's count of work at which the flow is done
    std::uint32_t flow;

    friend bool operator>(const Due& a, const Due& b) { return a.count > b.count; }
  };
  struct Queue {
    Work offset = 0;  // bundle's count - clock's value
    ClockId clock = no_clock;
    std::vector<Due> flows;  // a heap, the first to be done in front
  };

  [[nodiscard]] static Work value(const Clock& clock, Time now) {
    return clock.value + static_cast<Work>(clock.rate) * (now - clock.at).value();
  }
  void make_stale(ClockId clock);
  void place(BundleId bundle);
  void take_done_of(BundleId bundle, Work count, std::vector<Done>& done);

  std::vector<Clock> clocks_;
  std::vector<Queue> queues_;                 // by bundle
  std::vector<std::uint32_t> bundle_places_;  // by bundle: a bundle stands in one clock's heap
  std::vector<std::uint32_t> finish_places_;  // by clock
  IndexedHeap<Time> finishes_;                // clocks by their next completion
  std::vector<ClockId> stale_;
};

}  // namespace memsim::sim
