// Leaves out whole periods of a simulation that repeats itself.
//
// At the end of a loop's iteration the state of all jobs relative to now is compared with earlier
// ends of iterations of the same loop. If it recurs, so does everything that happened in between,
// as long as all loops go on: each repetition adds the same time and the same sums, and takes the
// same number of iterations off the loops that are open. As many periods are left out as the loops
// of all threads have iterations for, but for one: the last is simulated, so that records of what
// happened last (in the ledgers) are right.
//
// For each loop one earlier state is kept, replaced after 1, 2, 4, 8 ... iterations (R. Brent,
// 1980): any period is found after a number of iterations proportional to where it starts and how
// long it is. States are compared in steps: positions and bytes, which cost little and mostly
// differ; then what streams and works are doing; then every block of every memory. The last two are
// digests of two independent 64-bit halves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/digest.hpp"
#include "sim/core/units.hpp"
#include "sim/exec/agenda.hpp"
#include "sim/exec/job_memory.hpp"
#include "sim/exec/streams.hpp"
#include "sim/exec/threads.hpp"
#include "sim/exec/timeline.hpp"
#include "sim/exec/works.hpp"

namespace memsim::sim {

class Periods {
 public:
  // All arguments outlive this object.
  Periods(Agenda& agenda, Works& works, Streams& streams, Threads& threads, Timeline& timeline,
          const std::vector<JobMemory>& memory);

  // `thread` has ended an iteration of its innermost loop. Only the first thread that is in a loop
  // sets the pace. Returns at once if the run cannot be looked at here.
  void visit(std::uint32_t thread);

  [[nodiscard]] std::int64_t skipped() const { return skipped_; }

 private:
  using Key = std::array<std::uint64_t, 2>;

  // An earlier state.
  struct Anchor {
    std::uint64_t positions = 0;
    Key works{};
    Key bytes{};
    Time time;  // simulated
    Timeline::State timeline;
    std::vector<std::vector<OpenLoop>> loops;  // by thread
  };
  struct Loop {
    std::uint32_t thread;
    std::size_t start;            // its instruction
    std::int64_t iterations = 0;  // since the anchor was set
    std::int64_t replace_after = 0;
    Anchor anchor;
  };

  [[nodiscard]] Loop& find(std::uint32_t thread, std::size_t start);
  [[nodiscard]] bool recurs(const Anchor& anchor);
  // Whole periods that the open loops leave room for.
  [[nodiscard]] std::int64_t room(const Anchor& anchor);
  void skip(const Anchor& anchor, std::int64_t periods);
  void set_anchor(Anchor& anchor);

  template <class F>
  [[nodiscard]] Key key(F&& add) const;
  [[nodiscard]] std::uint64_t positions_key() const;
  [[nodiscard]] Key works_key();
  [[nodiscard]] Key bytes_key() const;

  Agenda& agenda_;
  Works& works_;
  Streams& streams_;
  Threads& threads_;
  Timeline& timeline_;
  const std::vector<JobMemory>& memory_;
  std::vector<Loop> loops_;  // by first visit
  std::int64_t skipped_ = 0;
};

}  // namespace memsim::sim
