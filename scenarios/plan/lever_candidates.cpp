#include "scenarios/plan/lever_candidates.hpp"

#include <cstddef>
#include <initializer_list>
#include <optional>

namespace memsim::scenarios {
namespace {

using models::AttentionKind;
using models::Checkpointing;
using models::OptimizerImplementation;
using models::OptimizerKind;
using models::Precision;
using models::TrainingSpec;

constexpr std::int64_t same_numbers = 0;
constexpr std::int64_t other_numerics = 1;
constexpr std::int64_t other_training = highest_risk;

class Candidates {
 public:
  Candidates(const TrainingSpec& training, LeverScope scope) : training_(training), scope_(scope) {}

  // `first` are tried in both scopes, `rest` only when all values are.
  template <class Value>
  void add(LeverGroup group, Value TrainingSpec::* field, std::initializer_list<Value> first,
           std::initializer_list<Value> rest, std::int64_t risk, std::string_view side_effect) {
    for (const Value value : first) add_value(group, field, value, risk, side_effect);
    if (scope_ != LeverScope::all) return;
    for (const Value value : rest) add_value(group, field, value, risk, side_effect);
  }

  // Proper divisors of the micro-batch, largest first; the rest goes into accumulation.
  void add_micro_batches() {
    for (std::int64_t size = training_.micro_batch / 2; size >= 1; --size) {
      if (training_.micro_batch % size != 0) continue;
      const std::int64_t accumulation = training_.accumulation * (training_.micro_batch / size);
      found_.push_back({LeverGroup::micro_batch,
                        [size, accumulation](TrainingSpec& spec) {
                          spec.micro_batch = size;
                          spec.accumulation = accumulation;
                        },
                        same_numbers, ""});
      // Between the largest and 1 the others say little.
      if (scope_ != LeverScope::all && size > 1) size = 2;
    }
  }

  std::vector<LeverCandidate> take() { return std::move(found_); }

 private:
  template <class Value>
  void add_value(LeverGroup group, Value TrainingSpec::* field, Value value, std::int64_t risk,
                 std::string_view side_effect) {
    if (training_.*field == value) return;
    found_.push_back(
        {group, [field, value](TrainingSpec& spec) { spec.*field = value; }, risk, side_effect});
  }

  const TrainingSpec& training_;
  LeverScope scope_;
  std::vector<LeverCandidate> found_;
};

void add_precisions(const TrainingSpec& training, const models::GpuSpec& gpu,
                    Candidates& candidates) {
  const bool has_bf16 =
      gpu.compute.peak[static_cast<std::size_t>(models::DataType::bf16)].value() > 0;
  constexpr std::string_view effect = "other numerics";
  constexpr std::string_view pure_effect = "no fp32 master weights: may not converge";
  const Precision autocast = has_bf16 ? Precision::autocast_bf16 : Precision::autocast_fp16;
  const Precision pure = has_bf16 ? Precision::pure_bf16 : Precision::pure_fp16;
  const Precision other_autocast = has_bf16 ? Precision::autocast_fp16 : Precision::autocast_bf16;
  const Precision other_pure = has_bf16 ? Precision::pure_fp16 : Precision::pure_bf16;
  if (training.precision == Precision::fp32)
    candidates.add(LeverGroup::precision, &TrainingSpec::precision, {autocast}, {other_autocast},
                   other_numerics, effect);
  else
    candidates.add(LeverGroup::precision, &TrainingSpec::precision, {},
                   {Precision::fp32, autocast, other_autocast}, other_numerics, effect);
  candidates.add(LeverGroup::precision, &TrainingSpec::precision, {pure}, {other_pure},
                 other_training, pure_effect);
}

}  // namespace

std::vector<LeverCandidate> lever_candidates(const models::Network& network,
                                             const TrainingSpec& training,
                                             const models::GpuSpec& gpu, LeverScope scope) {
  Candidates candidates(training, scope);
  candidates.add(LeverGroup::implementation, &TrainingSpec::implementation,
                 {OptimizerImplementation::fused, OptimizerImplementation::plain},
                 {OptimizerImplementation::foreach}, same_numbers, "");
  if (models::has_attention(network))
    candidates.add(LeverGroup::attention, &TrainingSpec::attention, {AttentionKind::flash},
                   {AttentionKind::eager}, same_numbers, "");
  if (training.checkpointing == Checkpointing::none)
    candidates.add(LeverGroup::checkpointing, &TrainingSpec::checkpointing,
                   {Checkpointing::nonreentrant}, {Checkpointing::reentrant}, same_numbers,
                   "recomputes the forward pass");
  else
    candidates.add(LeverGroup::checkpointing, &TrainingSpec::checkpointing, {Checkpointing::none},
                   {Checkpointing::nonreentrant, Checkpointing::reentrant}, same_numbers, "");
  candidates.add_micro_batches();
  add_precisions(training, gpu, candidates);
  candidates.add(LeverGroup::optimizer, &TrainingSpec::optimizer,
                 {OptimizerKind::sgd_momentum, OptimizerKind::sgd},
                 {OptimizerKind::adamw, OptimizerKind::adam}, other_training,
                 "another optimizer: needs its own tuning");
  return candidates.take();
}

}  // namespace memsim::scenarios
