#include "scenarios/plan/assessment.hpp"

#include <algorithm>
#include <utility>

#include "scenarios/plan/least_memory.hpp"

namespace memsim::scenarios {
namespace {

using sim::Bytes;

// Where tensors alone need so many times what is there, nobody asks how far the cache could shrink.
constexpr std::int64_t hopeless = 2;

class Assessor {
 public:
  Assessor(const TrainingSimulation& simulation, const PredictionError& error, EventBudget& budget)
      : simulation_(simulation), error_(error), budget_(budget) {}

  Planned<Assessment> run(bool record_memory) {
    auto result = run_unlimited(record_memory);
    if (!result) return result;
    if (const auto found = find_need(*result); !found) return tl::unexpected(found.error());
    result->probability = probability(result->need);
    result->verdict = verdict(result->probability);
    return result;
  }

  Planned<SureFit> run_sure_fit() {
    auto result = run_unlimited(false);
    if (!result) return tl::unexpected(result.error());
    const Bytes most = most_that_fits(simulation_.capacity(), error_);
    SureFit answer{result->unconstrained, result->least(), result->unconstrained <= most};
    if (answer.fits || answer.least > most) return answer;
    const auto lower = lower_bound_of_need(*result);
    if (!lower) return tl::unexpected(lower.error());
    const auto fits = completes_within(most, *lower, result->unconstrained, completes_);
    if (!fits) return tl::unexpected(fits.error());
    answer.fits = *fits;
    return answer;
  }

 private:
  Planned<Assessment> run_unlimited(bool record_memory) {
    auto run = run_in(unlimited_memory, record_memory);
    if (!run) return tl::unexpected(run.error());
    if (run->out_of_memory) return run_out(run->out_of_memory->cause);
    Assessment result;
    result.run = *std::move(run);
    result.profile = profile_of(result.run);
    result.context = simulation_.context();
    result.unconstrained = result.profile.peak.reserved + result.context;
    result.need = result.unconstrained;
    return result;
  }

  // Of memory without bound: 64 bits end, or what the allocator reserved for itself.
  static tl::unexpected<PlanFailure> run_out(const sim::OutOfMemory& cause) {
    if (cause.requested > cause.free) return beyond_64_bits();
    return not_modelled("the allocator's pool is too small for the job: " + cause.message);
  }

  Planned<sim::Run> run_in(Bytes capacity, bool record_memory) {
    if (budget_.left() <= 0) return not_modelled("the bound on events is spent");
    auto run = simulation_.run(capacity, record_memory, budget_.left());
    if (run) budget_.spend(run->events);
    return run;
  }

  [[nodiscard]] Profile profile_of(const sim::Run& run) const {
    return profile(simulation_.lowered().program, simulation_.routes(), run);
  }

  [[nodiscard]] models::Fraction probability(Bytes need) const {
    return probability_of_fit(need.value(), simulation_.capacity().value(), error_);
  }

  Planned<void> run_at_capacity(Assessment& result) {
    auto run = run_in(simulation_.capacity(), false);
    if (!run) return tl::unexpected(run.error());
    if (run->out_of_memory)
      result.failure = std::move(run->out_of_memory);
    else
      result.limited = profile_of(*run);
    return {};
  }

  Planned<Bytes> lower_bound_of_need(Assessment& result) {
    if (result.unconstrained <= simulation_.capacity()) return result.least();
    const auto limited = run_at_capacity(result);
    if (!limited) return tl::unexpected(limited.error());
    if (!result.failure) return result.least();
    return std::max(result.least(), simulation_.capacity() + Bytes(1));
  }

  Planned<void> find_need(Assessment& result) {
    if (verdict(probability(result.unconstrained)) == Verdict::fit) return {};
    if (result.least() > simulation_.capacity() * hopeless) return {};
    const auto lower = lower_bound_of_need(result);
    if (!lower) return tl::unexpected(lower.error());
    const auto need = least_memory(*lower, result.unconstrained, completes_);
    if (!need) return tl::unexpected(need.error());
    result.need = *need;
    result.with_cache = result.need == result.unconstrained;
    return {};
  }

  const TrainingSimulation& simulation_;
  const PredictionError& error_;
  EventBudget& budget_;
  Completes completes_ = [this](Bytes capacity) -> Planned<bool> {
    const auto run = run_in(capacity, false);
    if (!run) return tl::unexpected(run.error());
    return !run->out_of_memory;
  };
};

}  // namespace

Planned<Assessment> assess(const TrainingSimulation& simulation, const PredictionError& error,
                           bool record_memory, EventBudget& budget) {
  return Assessor(simulation, error, budget).run(record_memory);
}

Planned<SureFit> assess_sure_fit(const TrainingSimulation& simulation, const PredictionError& error,
                                 EventBudget& budget) {
  return Assessor(simulation, error, budget).run_sure_fit();
}

}  // namespace memsim::scenarios
