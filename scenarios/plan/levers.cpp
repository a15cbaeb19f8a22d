#include "scenarios/plan/levers.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "scenarios/plan/largest_micro_batch.hpp"
#include "scenarios/plan/lever_candidates.hpp"
#include "scenarios/plan/simulation.hpp"

namespace memsim::scenarios {
namespace {

using models::TrainingSpec;
using sim::Bytes;

// Smaller changes are noise to a person: of the memory that is needed, of the time per step.
constexpr std::int64_t notable_memory_ppm = 10'000;
constexpr std::int64_t notable_time_ppm = 20'000;

// A candidate, or several together, and what running it gave.
struct Trial {
  std::vector<std::size_t> candidates;
  std::int64_t risk = 0;
  LeverAnswer answer;
};

bool fits(Verdict verdict) { return verdict == Verdict::fit; }

class LeverSearch {
 public:
  LeverSearch(const LeverBase& base, LeverScope scope, EventBudget& budget)
      : base_(base),
        budget_(budget),
        candidates_(lever_candidates(base.training, base.machine.gpu(base.gpu), scope)) {}

  LeverReport run() {
    for (std::size_t i = 0; i < candidates_.size() && report_.complete; ++i)
      if (auto trial = try_together({i})) singles_.push_back(*std::move(trial));
    sort_singles();
    report_.largest_micro_batch =
        largest_micro_batch(base_.training.micro_batch,
                            most_that_fits(base_.machine.gpu(base_.gpu).memory.usable, base_.error),
                            [this](std::int64_t size) { return try_micro_batch(size); });
    const bool single_fits = std::ranges::any_of(
        singles_, [](const Trial& trial) { return fits(trial.answer.verdict); });
    if (!fits(base_.assessment.verdict) && !single_fits) find_smallest_set();
    return std::move(report_);
  }

 private:
  // Nothing if it cannot be run, or if the budget does not allow it.
  std::optional<Assessment> assess_training(const TrainingSpec& training) {
    const auto simulation =
        TrainingSimulation::prepare(base_.machine, base_.gpu, base_.network, training);
    if (!simulation) return std::nullopt;
    auto assessment = assess(*simulation, base_.error, {}, budget_);
    if (assessment) return *std::move(assessment);
    report_.complete = false;
    return std::nullopt;
  }

  std::optional<Trial> try_together(std::vector<std::size_t> candidates) {
    TrainingSpec training = base_.training;
    Trial trial;
    for (const std::size_t candidate : candidates) {
      candidates_[candidate].apply(training);
      trial.risk += candidates_[candidate].risk;
      const std::string_view effect = candidates_[candidate].side_effect;
      if (!effect.empty() && !trial.answer.side_effect.empty()) trial.answer.side_effect += "; ";
      trial.answer.side_effect += effect;
    }
    const auto assessment = assess_training(training);
    if (!assessment) return std::nullopt;
    const Assessment& now = base_.assessment;
    trial.candidates = std::move(candidates);
    trial.answer.settings = changed_settings(base_.training, training);
    trial.answer.need = assessment->need;
    trial.answer.memory_delta = (assessment->unconstrained - now.unconstrained).value();
    trial.answer.step = assessment->profile.step;
    const sim::Duration slower = assessment->profile.step - now.profile.step;
    trial.answer.time_delta_ppm =
        static_cast<std::int64_t>(static_cast<sim::Int128>(slower.value()) *
                                  models::parts_per_million / now.profile.step.value());
    trial.answer.verdict = assessment->verdict;
    return trial;
  }

  // The other settings, accumulation too, stay as they are.
  std::optional<BatchTrial> try_micro_batch(std::int64_t size) {
    TrainingSpec training = base_.training;
    training.micro_batch = size;
    const auto assessment = assess_training(training);
    if (!assessment) return std::nullopt;
    return BatchTrial{assessment->unconstrained, fits(assessment->verdict)};
  }

  [[nodiscard]] bool saves_memory(const LeverAnswer& answer) const {
    return -answer.memory_delta >= sim::scale(base_.assessment.unconstrained.value(),
                                              notable_memory_ppm, models::parts_per_million);
  }
  [[nodiscard]] bool needs_more_memory(const LeverAnswer& answer) const {
    LeverAnswer opposite;
    opposite.memory_delta = -answer.memory_delta;
    return saves_memory(opposite);
  }

  void sort_singles() {
    const auto rank = [](const Trial& trial) {
      return std::tuple(trial.answer.verdict, *trial.answer.time_delta_ppm, trial.risk,
                        trial.answer.memory_delta, trial.candidates);
    };
    std::ranges::sort(singles_, {}, rank);
    const bool wants_memory = !fits(base_.assessment.verdict);
    for (const Trial& trial : singles_) {
      const LeverAnswer& answer = trial.answer;
      const bool saves_time = -*answer.time_delta_ppm >= notable_time_ppm;
      const bool costs_time = *answer.time_delta_ppm >= notable_time_ppm;
      if (saves_memory(answer) ||
          (saves_time && !wants_memory && answer.verdict <= base_.assessment.verdict))
        report_.useful.push_back(answer);
      else if (!saves_time && !costs_time && !needs_more_memory(answer))
        report_.useless.push_back(answer);
    }
  }

  // Tries sets of two, three ... of the changes that save memory, those first that change the
  // training and the step the least. If all of them together do not fit, no set does.
  void find_smallest_set() {
    std::vector<const Trial*> helpful = best_of_each_group();
    std::vector<std::size_t> all;
    for (const Trial* trial : helpful) all.push_back(trial->candidates.front());
    if (all.size() < 2) return;
    const auto together = try_together(all);
    if (!together || !fits(together->answer.verdict)) return;
    for (std::size_t size = 2; size < all.size(); ++size) {
      for (const std::vector<std::size_t>& set : sets_of(size, helpful)) {
        const auto trial = try_together(set);
        if (!report_.complete) return;
        if (!trial || !fits(trial->answer.verdict)) continue;
        report_.smallest_set = trial->answer;
        return;
      }
    }
    report_.smallest_set = together->answer;
  }

  // Of each group the change that saves the most memory.
  [[nodiscard]] std::vector<const Trial*> best_of_each_group() const {
    std::vector<const Trial*> best;
    for (const Trial& trial : singles_) {
      if (!saves_memory(trial.answer)) continue;
      const LeverGroup group = candidates_[trial.candidates.front()].group;
      const auto same = std::ranges::find_if(best, [&](const Trial* other) {
        return candidates_[other->candidates.front()].group == group;
      });
      if (same == best.end())
        best.push_back(&trial);
      else if (trial.answer.memory_delta < (*same)->answer.memory_delta)
        *same = &trial;
    }
    return best;
  }

  [[nodiscard]] std::vector<std::vector<std::size_t>> sets_of(
      std::size_t size, const std::vector<const Trial*>& trials) const {
    struct Set {
      std::int64_t risk = 0;
      std::int64_t time = 0;
      std::vector<std::size_t> candidates;
    };
    std::vector<Set> sets;
    const std::size_t masks = std::size_t{1} << trials.size();
    for (std::size_t mask = 0; mask < masks; ++mask) {
      Set set;
      for (std::size_t i = 0; i < trials.size(); ++i) {
        if ((mask >> i & 1U) == 0) continue;
        set.risk += trials[i]->risk;
        set.time += *trials[i]->answer.time_delta_ppm;
        set.candidates.push_back(trials[i]->candidates.front());
      }
      if (set.candidates.size() == size) sets.push_back(std::move(set));
    }
    std::ranges::sort(
        sets, {}, [](const Set& set) { return std::tuple(set.risk, set.time, set.candidates); });
    std::vector<std::vector<std::size_t>> result;
    for (Set& set : sets) result.push_back(std::move(set.candidates));
    return result;
  }

  const LeverBase& base_;
  EventBudget& budget_;
  std::vector<LeverCandidate> candidates_;
  std::vector<Trial> singles_;
  LeverReport report_;
};

}  // namespace

LeverReport find_levers(const LeverBase& base, LeverScope scope, EventBudget& budget) {
  return LeverSearch(base, scope, budget).run();
}

}  // namespace memsim::scenarios
