#include "scenarios/plan/assessment.hpp"

#include <algorithm>
#include <utility>

namespace memsim::scenarios {
namespace {

using sim::Bytes;

constexpr std::int64_t search_resolution = 256;  // of the capacity

class Assessor {
 public:
  Assessor(const TrainingSimulation& simulation, const PredictionError& error,
           const AssessmentOptions& options, EventBudget& budget)
      : simulation_(simulation), error_(error), options_(options), budget_(budget) {}

  Planned<Assessment> run() {
    auto result = run_unlimited(options_.record_memory);
    if (!result) return result;
    if (result->unconstrained > simulation_.capacity()) {
      const auto limited = run_at_capacity(*result);
      if (!limited) return tl::unexpected(limited.error());
    }
    const auto need = find_need(*result);
    if (!need) return tl::unexpected(need.error());
    result->probability = probability(result->need);
    result->verdict = verdict(result->probability);
    return result;
  }

  Planned<SureFit> run_sure_fit() {
    const auto unlimited = run_unlimited(false);
    if (!unlimited) return tl::unexpected(unlimited.error());
    const Bytes most = most_that_fits(simulation_.capacity(), error_);
    SureFit result{unlimited->unconstrained, least(*unlimited)};
    result.fits = result.unconstrained <= most;
    if (result.fits || result.least > most) return result;
    const auto completes = completes_in(most);
    if (!completes) return tl::unexpected(completes.error());
    result.fits = *completes;
    return result;
  }

 private:
  Planned<Assessment> run_unlimited(bool record_memory) {
    auto run = run_in(unlimited_memory, record_memory);
    if (!run) return tl::unexpected(run.error());
    if (run->out_of_memory) return beyond_64_bits();
    Assessment result;
    result.run = *std::move(run);
    result.profile = profile_of(result.run);
    result.unconstrained = result.profile.peak.reserved + simulation_.context();
    return result;
  }

  // No memory in which the job completes is smaller.
  [[nodiscard]] Bytes least(const Assessment& result) const {
    return result.profile.peak_live + simulation_.context();
  }

  Planned<bool> completes_in(Bytes capacity) {
    const auto run = run_in(capacity, false);
    if (!run) return tl::unexpected(run.error());
    return !run->out_of_memory;
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

  Planned<void> find_need(Assessment& result) {
    result.need = result.unconstrained;
    const bool fits_anyway = verdict(probability(result.unconstrained)) == Verdict::fit;
    const bool fits_never = verdict(probability(least(result))) == Verdict::no_fit;
    if (fits_anyway || (fits_never && !options_.exact_need)) return {};

    // The job completes in `enough`, and not in `too_little`.
    Bytes too_little = least(result) - Bytes(1);
    Bytes enough = result.unconstrained;
    if (result.unconstrained > simulation_.capacity()) {
      Bytes& known = result.failure ? too_little : enough;
      known = std::clamp(simulation_.capacity(), too_little, enough);
    }
    const auto try_in = [&](Bytes capacity) -> Planned<void> {
      const auto completes = completes_in(capacity);
      if (!completes) return tl::unexpected(completes.error());
      (*completes ? enough : too_little) = capacity;
      return {};
    };
    const Bytes sure = most_that_fits(simulation_.capacity(), error_);
    if (too_little < sure && sure < enough)
      if (const auto tried = try_in(sure); !tried) return tried;

    const Bytes resolution = simulation_.capacity() / search_resolution;
    const auto is_open = [&] {
      return options_.exact_need ||
             verdict(probability(enough)) != verdict(probability(too_little + Bytes(1)));
    };
    while (enough - too_little > resolution && is_open())
      if (const auto tried = try_in(too_little + (enough - too_little) / 2); !tried) return tried;
    result.need = enough;
    result.with_cache = enough == result.unconstrained;
    return {};
  }

  const TrainingSimulation& simulation_;
  const PredictionError& error_;
  const AssessmentOptions& options_;
  EventBudget& budget_;
};

}  // namespace

Planned<Assessment> assess(const TrainingSimulation& simulation, const PredictionError& error,
                           const AssessmentOptions& options, EventBudget& budget) {
  return Assessor(simulation, error, options, budget).run();
}

Planned<SureFit> assess_sure_fit(const TrainingSimulation& simulation, const PredictionError& error,
                                 EventBudget& budget) {
  return Assessor(simulation, error, {}, budget).run_sure_fit();
}

}  // namespace memsim::scenarios
