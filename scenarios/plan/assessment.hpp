// Whether a training job fits on its GPU, by running it.
//
// The job is run first in unlimited memory. What its allocator reserves at most there is an upper
// bound of what is needed, what tensors hold at most a lower bound: a cache can be given back.
// Where the two leave the verdict open, the job is run in less memory, first in as much as would
// make it FIT: the need is then the least in which it completes (within 1/256 of the capacity). A
// job that would reserve more than there is runs once more in the memory that is there, to see what
// the flushes of its cache cost, or where it ends.
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
  sim::Bytes unconstrained;  // reserved at most in unlimited memory, with the context
  sim::Bytes need;           // as described above, with the context
  bool with_cache = true;    // whether `need` is `unconstrained`: nothing has to be given back
  models::Fraction probability;
  Verdict verdict = Verdict::fit;
  sim::Run run;                    // in unlimited memory
  Profile profile;                 // of `run`
  std::optional<Profile> limited;  // in the memory that is there, if that makes a difference
  std::optional<sim::MemoryOutcome> failure;  // in the memory that is there

  // The profile whose times count: in the memory that is there, if the job completes in it.
  [[nodiscard]] const Profile& timing() const { return limited ? *limited : profile; }
};

struct AssessmentOptions {
  bool record_memory = false;
  // Find the need as exactly as described above; else only as far as the verdict asks for it.
  bool exact_need = false;
};

Planned<Assessment> assess(const TrainingSimulation& simulation, const PredictionError& error,
                           const AssessmentOptions& options, EventBudget& budget);

// Only whether the verdict of assess() would be FIT: two runs at most.
struct SureFit {
  sim::Bytes unconstrained;  // as in Assessment
  sim::Bytes least;          // what tensors hold at most, with the context
  bool fits = false;
};
Planned<SureFit> assess_sure_fit(const TrainingSimulation& simulation, const PredictionError& error,
                                 EventBudget& budget);

}  // namespace memsim::scenarios
