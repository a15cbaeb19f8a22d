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
        candidates_(
            lever_candidates(base.network, base.training, base.machine.gpu(base.gpu), scope)),
        host_verdict_(host_verdict(base.host, base.machine.spec(), base.error)),
        verdict_(std::max(base.assessment.verdict, host_verdict_)) {}

  LeverReport run() {
    for (std::size_t i = 0; i < candidates_.size() && report_.complete; ++i)
      if (auto trial = try_together({i})) singles_.push_back(*std::move(trial));
    sort_singles();
    report_.largest_micro_batch =
        largest_micro_batch(base_.training.micro_batch, largest_count,
                            most_that_fits(base_.machine.gpu(base_.gpu).memory.usable, base_.error),
                            [this](std::int64_t size) { return try_micro_batch(size); });
    if (!fits(verdict_)) find_smallest_set();
    return std::move(report_);
  }

 private:
  // What `run` says of the job trained like that. Nothing if it cannot be run, or if the budget
  // does not allow it.
  template <class Run>
  auto try_training(const TrainingSpec& training, Run run)
      -> std::optional<typename decltype(run(std::declval<TrainingSimulation&>()))::value_type> {
    const auto simulation =
        TrainingSimulation::prepare(base_.machine, base_.gpu, base_.network, training);
    if (!simulation) return std::nullopt;
    auto result = run(*simulation);
    if (result) return *std::move(result);
    report_.complete = false;
    return std::nullopt;
  }

  [[nodiscard]] TrainingSpec apply(const std::vector<std::size_t>& candidates) const {
    TrainingSpec training = base_.training;
    for (const std::size_t candidate : candidates) candidates_[candidate].apply(training);
    return training;
  }

  Planned<HostMemory> host_of(const TrainingSimulation& simulation) const {
    return simulate_host_memory(base_.machine, base_.gpu, simulation.lowered().totals);
  }
  [[nodiscard]] Verdict verdict_of(const HostMemory& host) const {
    return host_verdict(host, base_.machine.spec(), base_.error);
  }

  // Of the GPU and of the host.
  std::optional<SureFit> try_sure_fit(const TrainingSpec& training) {
    return try_training(training, [this](const TrainingSimulation& simulation) {
      auto result = assess_sure_fit(simulation, base_.error, budget_);
      if (!result || !result->fits) return result;
      const auto host = host_of(simulation);
      if (!host) return Planned<SureFit>(tl::unexpected(host.error()));
      result->fits = fits(verdict_of(*host));
      return result;
    });
  }

  std::optional<Trial> try_together(std::vector<std::size_t> candidates) {
    const TrainingSpec training = apply(candidates);
    Trial trial;
    for (const std::size_t candidate : candidates) {
      trial.risk = std::max(trial.risk, candidates_[candidate].risk);
      const std::string_view effect = candidates_[candidate].side_effect;
      if (!effect.empty() && !trial.answer.side_effect.empty()) trial.answer.side_effect += "; ";
      trial.answer.side_effect += effect;
    }
    const auto assessment = try_training(training, [&](const TrainingSimulation& simulation) {
      return host_of(simulation).and_then([&](const HostMemory& host) {
        trial.answer.host_delta = (host.peak() - base_.host.peak()).value();
        trial.answer.verdict = verdict_of(host);
        return assess(simulation, base_.error, false, budget_);
      });
    });
    if (!assessment) return std::nullopt;
    const Assessment& now = base_.assessment;
    trial.candidates = std::move(candidates);
    trial.answer.settings = changed_settings(base_.training, training);
    trial.answer.need = assessment->need;
    trial.answer.reserved = assessment->unconstrained;
    trial.answer.memory_delta = (assessment->unconstrained - now.unconstrained).value();
    trial.answer.step = assessment->timing().step;
    const sim::Duration slower = assessment->timing().step - now.timing().step;
    trial.answer.time_delta_ppm =
        static_cast<std::int64_t>(static_cast<sim::Int128>(slower.value()) *
                                  models::parts_per_million / now.timing().step.value());
    trial.answer.verdict = std::max(trial.answer.verdict, assessment->verdict);
    return trial;
  }

  // The other settings, accumulation too, stay as they are.
  std::optional<BatchTrial> try_micro_batch(std::int64_t size) {
    TrainingSpec training = base_.training;
    training.micro_batch = size;
    const auto result = try_sure_fit(training);
    if (!result) return std::nullopt;
    return BatchTrial{result->unconstrained, result->least, result->fits};
  }

  // Whether so many bytes are more than noise to a person.
  [[nodiscard]] static bool is_notable(std::int64_t bytes, Bytes of) {
    return bytes >= sim::scale(of.value(), notable_memory_ppm, models::parts_per_million);
  }
  [[nodiscard]] bool is_notable(std::int64_t bytes) const {
    return is_notable(bytes, base_.assessment.unconstrained);
  }
  // Of the memory that counts: the host's RAM where it is short, else that of the GPU.
  [[nodiscard]] bool saves_memory(const LeverAnswer& answer) const {
    const bool of_host = !fits(host_verdict_) && is_notable(-answer.host_delta, base_.host.peak());
    const bool gpu_counts = fits(host_verdict_) || !fits(base_.assessment.verdict);
    return of_host || (gpu_counts && is_notable(-answer.memory_delta));
  }
  [[nodiscard]] bool needs_more_memory(const LeverAnswer& answer) const {
    return is_notable(answer.memory_delta) || is_notable(answer.host_delta, base_.host.peak());
  }

  void sort_singles() {
    const auto rank = [](const Trial& trial) {
      return std::tuple(trial.answer.verdict, *trial.answer.time_delta_ppm, trial.risk,
                        trial.answer.memory_delta, trial.candidates);
    };
    std::ranges::sort(singles_, {}, rank);
    const bool wants_memory = !fits(verdict_);
    for (const Trial& trial : singles_) {
      const LeverAnswer& answer = trial.answer;
      const bool saves_time = -*answer.time_delta_ppm >= notable_time_ppm;
      const bool costs_time = *answer.time_delta_ppm >= notable_time_ppm;
      if (saves_memory(answer) || (saves_time && !wants_memory && answer.verdict <= verdict_))
        report_.useful.push_back(answer);
      else if (!costs_time && !needs_more_memory(answer) && (wants_memory || !saves_time))
        report_.useless.push_back(answer);
    }
  }

  // The smallest set of changes that fits. Sets that change the training less come first, so that
  // the numbers stay the same where they can; a single change that fits ends the search among sets
  // that change as much.
  void find_smallest_set() {
    for (std::int64_t risk = 0; risk <= highest_risk; ++risk) {
      const bool single_fits = std::ranges::any_of(singles_, [&](const Trial& trial) {
        return fits(trial.answer.verdict) && trial.risk <= risk;
      });
      if (single_fits || !report_.complete) return;
      report_.smallest_set = smallest_of(best_of_each_group(risk));
      if (report_.smallest_set) return;
    }
  }

  // If all together do not fit, larger sets than pairs hardly do: changes save less beside others.
  std::optional<LeverAnswer> smallest_of(const std::vector<const Trial*>& trials) {
    if (trials.size() < 2) return std::nullopt;
    std::vector<std::size_t> smallest = sets_of(trials.size(), trials).front();
    const bool all_fit = fits_together(smallest);
    const std::size_t largest =
        all_fit ? trials.size() - 1 : std::min<std::size_t>(trials.size(), 2);
    if (!all_fit) smallest.clear();
    for (std::size_t size = 2; size <= largest; ++size) {
      const std::vector<std::vector<std::size_t>> sets = sets_of(size, trials);
      const auto fitting =
          std::ranges::find_if(sets, [&](const auto& set) { return fits_together(set); });
      if (!report_.complete) return std::nullopt;
      if (fitting == sets.end()) continue;
      smallest = *fitting;
      break;
    }
    if (smallest.empty()) return std::nullopt;
    const auto trial = try_together(std::move(smallest));
    if (!trial) return std::nullopt;
    return trial->answer;
  }

  bool fits_together(const std::vector<std::size_t>& candidates) {
    const auto result = try_sure_fit(apply(candidates));
    return result && result->fits;
  }

  // Of each group the change up to `risk` that saves the most memory. What saves none now may do so
  // once other changes have moved the peak.
  [[nodiscard]] std::vector<const Trial*> best_of_each_group(std::int64_t risk) const {
    std::vector<const Trial*> best;
    for (const Trial& trial : singles_) {
      if (needs_more_memory(trial.answer) || trial.risk > risk) continue;
      const LeverGroup group = candidates_[trial.candidates.front()].group;
      const auto same = std::ranges::find_if(best, [&](const Trial* other) {
        return candidates_[other->candidates.front()].group == group;
      });
      if (same == best.end())
        best.push_back(&trial);
      else if (is_notable((*same)->answer.memory_delta - trial.answer.memory_delta))
        *same = &trial;
    }
    return best;
  }

  [[nodiscard]] std::vector<std::vector<std::size_t>> sets_of(
      std::size_t size, const std::vector<const Trial*>& trials) const {
    struct Set {
      std::int64_t risk = 0;   // the highest
      std::int64_t risks = 0;  // their sum
      std::int64_t time = 0;
      std::vector<std::size_t> candidates;
    };
    std::vector<Set> sets;
    const std::size_t masks = std::size_t{1} << trials.size();
    for (std::size_t mask = 0; mask < masks; ++mask) {
      Set set;
      for (std::size_t i = 0; i < trials.size(); ++i) {
        if ((mask >> i & 1U) == 0) continue;
        set.risk = std::max(set.risk, trials[i]->risk);
        set.risks += trials[i]->risk;
        set.time += *trials[i]->answer.time_delta_ppm;
        set.candidates.push_back(trials[i]->candidates.front());
      }
      if (set.candidates.size() == size) sets.push_back(std::move(set));
    }
    std::ranges::sort(sets, {}, [](const Set& set) {
      return std::tuple(set.risk, set.risks, set.time, set.candidates);
    });
    std::vector<std::vector<std::size_t>> result;
    result.reserve(sets.size());
    for (Set& set : sets) result.push_back(std::move(set.candidates));
    return result;
  }

  const LeverBase& base_;
  EventBudget& budget_;
  std::vector<LeverCandidate> candidates_;
  Verdict host_verdict_;
  Verdict verdict_;  // of the job as it is
  std::vector<Trial> singles_;
  LeverReport report_;
};

}  // namespace

LeverReport find_levers(const LeverBase& base, LeverScope scope, EventBudget& budget) {
  return LeverSearch(base, scope, budget).run();
}

}  // namespace memsim::scenarios
