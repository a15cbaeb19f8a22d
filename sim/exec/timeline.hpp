// Where the time of every queue went: closed spans, added up by phase, reason and route.
//
// Each queue has a mark, up to which its life is tiled. Whoever knows what a queue did since then
// closes that span. Nothing is closed ahead of time, so sums and marks tell everything.
//
// Marks count in simulated time (agenda.hpp), so a span that is open while periods are left out
// grows by them; callers pass now().
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/digest.hpp"
#include "sim/core/units.hpp"
#include "sim/exec/layout.hpp"
#include "sim/exec/run_result.hpp"
#include "sim/exec/works.hpp"

namespace memsim::sim {

class Timeline {
 public:
  Timeline(const Layout& layout, bool record_spans);

  // The queue did this from its mark to `until`; nothing if that is not after the mark.
  void close(std::uint32_t queue, Time until, std::uint32_t phase, Reason reason,
             std::uint32_t label = no_label, std::uint32_t route = no_route);
  // The queue did this work from its mark to `until`: waited for its start for the reason `before`,
  // passed its latency, met its demands, and if it ended earlier waited for the other members.
  void close_work(std::uint32_t queue, Time until, std::uint32_t phase, Reason before,
                  const WorkRun& run);

  // A thread enters a phase; `counts`: it is thread 0.
  void enter_phase(std::uint32_t job, std::uint32_t phase, bool counts);

  // Everything that grows: all sums and counts, and the marks.
  struct State {
    std::vector<std::int64_t> sums;
    std::vector<Time> marks;
  };
  [[nodiscard]] State state() const { return {sums_, marks_}; }
  // Whether what lies between `before` and now is a period of this length: each queue is as far
  // behind its mark as it was then, or has been in one span all the time.
  [[nodiscard]] bool recurs(const State& before, Duration period) const;
  // Adds the period that began at `before` again, `times` times. Requires: recurs(before, period).
  void repeat(const State& before, Duration period, std::int64_t times);

  // Phases of the job in order of first entry.
  [[nodiscard]] const std::vector<std::uint32_t>& entered(std::uint32_t job) const {
    return tables_[job].entered;
  }
  [[nodiscard]] std::int64_t count(std::uint32_t job, std::uint32_t phase) const {
    return sums_[tables_[job].counts + phase];
  }
  [[nodiscard]] QueueTime time(std::uint32_t queue, std::uint32_t phase) const;
  [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }

 private:
  // Sums by queue and phase lie in rows: reasons, then routes. A job's counts follow its rows.
  struct Rows {
    std::size_t first;   // of phase 0
    std::size_t length;  // of one row
  };
  struct Table {
    std::size_t counts;  // of the job, by phase
    std::vector<std::uint32_t> entered;
    std::vector<bool> was_entered;
  };

  const Layout& layout_;
  std::vector<Table> tables_;  // by job
  std::vector<Rows> rows_;     // by queue
  std::vector<Time> marks_;    // by queue, in simulated time
  Duration skipped_;
  std::vector<std::int64_t> sums_;
  bool record_spans_;
  std::vector<Span> spans_;
};

}  // namespace memsim::sim
