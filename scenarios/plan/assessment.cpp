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
    auto unlimited = run_in(unlimited_memory, options_.record_memory);
    if (!unlimited) return tl::unexpected(unlimited.error());
    Assessment result;
    result.run = *std::move(unlimited);
    result.profile = profile_of(result.run);
    result.unconstrained = result.profile.peak.reserved + simulation_.context();
    if (result.unconstrained > simulation_.capacity()) {
      const auto limited = run_at_capacity(result);
      if (!limited) return tl::unexpected(limited.error());
    }
    const auto need = find_need(result);
    if (!need) return tl::unexpected(need.error());
    result.probability = probability(result.need);
    result.verdict = verdict(result.probability);
    return result;
  }

 private:
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
    const Bytes least = result.profile.peak_live + simulation_.context();
    result.need = result.unconstrained;
    const bool fits_anyway = verdict(probability(result.unconstrained)) == Verdict::fit;
    const bool fits_never = verdict(probability(least)) == Verdict::no_fit;
    if (fits_anyway || (fits_never && !options_.exact_need)) return {};

    // The job completes in `enough`, and not below `least`.
    Bytes too_little = least - Bytes(1);
    Bytes enough = result.unconstrained;
    if (result.unconstrained > simulation_.capacity()) {
      Bytes& known = result.failure ? too_little : enough;
      known = std::clamp(simulation_.capacity(), too_little, enough);
    }
    const Bytes resolution = simulation_.capacity() / search_resolution;
    const auto is_open = [&] {
      return options_.exact_need ||
             verdict(probability(enough)) != verdict(probability(too_little + Bytes(1)));
    };
    while (enough - too_little > resolution && is_open()) {
      const Bytes middle = too_little + (enough - too_little) / 2;
      const auto run = run_in(middle, false);
      if (!run) return tl::unexpected(run.error());
      (run->out_of_memory ? too_little : enough) = middle;
    }
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

}  // namespace memsim::scenarios
