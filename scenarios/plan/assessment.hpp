// Whether a training job fits on its GPU, by running it.
//
// The job is run first in unlimited memory. What its allocator reserves at most there is an upper
// bound of what is needed, what tensors hold at most a lower bound: a cache can be given back.
// Where the upper bound is no FIT, the need is the least in which the job completes (least_memory),
// unless the lower bound is more than twice what there is.
// A job that would reserve more than there is runs once more in the memory that is there, to see
// what the flushes of its cache cost, or where it ends; if it ends there, it needs more than that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/plan/failure.hpp"
#include "scenarios/plan/profile.hpp"
#include "scenarios/plan/simulation.hpp"
#include "scenarios/plan/uncertainty.hpp"
#include "sim/core/units.hpp"
#include "sim/exec/run_result.hpp"

namespace memsim::scenarios {

// What all runs of one plan may execute together; a run that would pass it is an error.
class EventBudget {
 public:
  explicit EventBudget(std::int64_t events) : left_(events) {}
  [[nodiscard]] std::int64_t left() const { return left_; }
  void spend(std::int64_t events) { left_ -= events; }

 private:
  std::int64_t left_;
};

struct Assessment {
  sim::Bytes context;        // that no allocator sees
  sim::Bytes unconstrained;  // reserved at most in unlimited memory, with the context
  sim::Bytes need;           // as described above, with the context
  bool with_cache = true;    // whether `need` is `unconstrained`: nothing has to be given back
  models::Fraction probability;
  Verdict verdict = Verdict::fit;
  sim::Run run;                    // in unlimited memory
  Profile profile;                 // of `run`
  std::optional<Profile> limited;  // in the memory that is there, if that makes a difference
  std::optional<sim::MemoryOutcome> failure;  // in the memory that is there

  // No memory in which the job completes is smaller: what tensors hold at most, with the context.
  [[nodiscard]] sim::Bytes least() const { return profile.peak_live + context; }

  // The profile whose times count: in the memory that is there, if the job completes in it.
  [[nodiscard]] const Profile& timing() const { return limited ? *limited : profile; }
};

// `record_memory`: every block of the run in unlimited memory, for who holds what at its peak.
Planned<Assessment> assess(const TrainingSimulation& simulation, const PredictionError& error,
                           bool record_memory, EventBudget& budget);

// Only whether the verdict of assess() would be FIT, mostly with fewer runs.
struct SureFit {
  sim::Bytes unconstrained;  // as in Assessment
  sim::Bytes least;          // as in Assessment
  bool fits = false;
};
Planned<SureFit> assess_sure_fit(const TrainingSimulation& simulation, const PredictionError& error,
                                 EventBudget& budget);

}  // namespace memsim::scenarios
