#include "validate/compare/torch_prediction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/training/lowering.hpp"
#include "sim/core/check.hpp"
#include "sim/core/units.hpp"
#include "sim/exec/program_walk.hpp"
#include "validate/compare/torch_expectations.hpp"
#include "validate/compare/torch_usage.hpp"

namespace memsim::validate {
namespace {

// Every operation of every step is looked at; what was ever recorded has three steps and some
// hundred thousand operations.
constexpr std::size_t most_steps = 1'000;
constexpr std::int64_t most_operations = 4'000'000;

void add_totals(const models::TensorTotals& totals, TorchPrediction& prediction) {
  const auto set = [&](const char* quantity, std::int64_t value) {
    prediction.quantities[{"", quantity}] = exact_value(value);
  };
  const models::SavedTotals& saved = totals.saved;
  set("params", totals.parameters);
  set("param_bytes", totals.parameter_bytes.value());
  set("buffer_bytes", totals.buffer_bytes.value());
  set("input_bytes", totals.input_bytes.value());
  set("grad_bytes", totals.gradient_bytes.value());
  set("grad_count", totals.gradients);
  set("optimizer_state_bytes", totals.optimizer_bytes.value());
  set("optimizer_state_tensors", totals.optimizer_tensors);
  set("saved_for_backward_bytes", saved.bytes.value());
  set("saved_for_backward_bytes_512", saved.bytes_512.value());
  set("saved_for_backward_incl_inputs_buffers_bytes", saved.bytes_with_inputs.value());
  set("saved_autocast_weight_cast_bytes", saved.parameter_cast_bytes.value());
  set("saved_unique_storages", saved.storages);
  set("saved_tensors_total", saved.tensors);
}

void add_nodes(const std::vector<models::SavedByNode>& nodes, TorchPrediction& prediction) {
  for (const models::SavedByNode& node : nodes) {
    const auto set = [&](const char* quantity, std::int64_t value) {
      prediction.quantities[{std::string(node.node), std::string("saved_by_grad_fn.") + quantity}] =
          exact_value(value);
    };
    set("tensors", node.tensors);
    set("bytes", node.bytes.value());
    set("param_tensors", node.parameters);
    set("new_unique_bytes", node.new_bytes.value());
    prediction.nodes.emplace_back(node.node);
  }
}

void add_operators(const TorchUsage& usage, TorchPrediction& prediction) {
  for (const auto& [name, calls] : usage.calls) {
    prediction.quantities[{name, "forward_ops"}] = exact_value(calls);
    prediction.operators.push_back(name);
  }
}

void add_steps(const TorchUsage& usage, models::TorchRules rules, TorchPrediction& prediction) {
  for (std::size_t step = 0; step < usage.steps.size(); ++step)
    for (const auto& [quantity, value] : usage.steps[step])
      prediction.quantities[{torch_step_scope(step, rules), quantity}] = value;
}

TorchPrediction predict(const models::Network& network, const models::TrainingSpec& training,
                        const models::LoweredTraining& lowered,
                        const models::LoweredTraining& lowered_2x) {
  TorchPrediction prediction;
  add_totals(lowered.totals, prediction);
  add_nodes(lowered.totals.saved.by_node, prediction);
  TorchUsage usage = torch_usage(network, lowered, training);
  TorchUsage usage_2x = torch_usage(network, lowered_2x, training);
  add_operators(usage, prediction);
  add_steps(usage, models::TorchRules::v1_13, prediction);
  add_steps(usage_2x, models::TorchRules::v2, prediction);

  const auto set = [&](const char* quantity, std::int64_t value) {
    prediction.quantities[{"", quantity}] = exact_value(value);
  };
  const std::int64_t passes = sim::checked_mul(training.steps, training.accumulation);
  set("engine_adds", sim::checked_mul(passes, lowered.totals.gradient_sums));
  set("engine_adds_in_place_2x",
      sim::checked_mul(passes, lowered_2x.totals.gradient_sums_in_place));
  set("saved_for_backward_bytes_2x", lowered_2x.totals.saved.bytes.value());
  set("hidden_temporaries", usage.hidden);
  set("events", std::ranges::count_if(usage.events, [](const TorchEvent& event) {
        return event.kind != TorchEventKind::marker;
      }));
  prediction.events = std::move(usage.events);
  prediction.events_2x = std::move(usage_2x.events);
  return prediction;
}

tl::unexpected<TorchRefusal> refuse(Status status, std::string reason) {
  return tl::unexpected(TorchRefusal{status, std::move(reason)});
}

// Throws sim::Overflow.
tl::expected<TorchPrediction, TorchRefusal> lower_and_predict(const models::Network& network,
                                                              models::TrainingSpec training) {
  training.rules = models::TorchRules::v1_13;
  const auto lowered = models::lower_training(network, training);
  if (!lowered) return refuse(Status::input_error, lowered.error().message);
  if (sim::count_ops(lowered->program, 0, most_operations) > most_operations)
    return refuse(Status::not_modelled, fmt::format("more than {} operations", most_operations));
  training.rules = models::TorchRules::v2;
  const auto lowered_2x = models::lower_training(network, training);
  if (!lowered_2x) return refuse(Status::input_error, lowered_2x.error().message);
  return predict(network, training, *lowered, *lowered_2x);
}

}  // namespace

tl::expected<TorchPrediction, TorchRefusal> predict_torch(const models::Network& network,
                                                          models::TrainingSpec training,
                                                          std::size_t steps) {
  if (steps > most_steps)
    return refuse(Status::not_modelled, fmt::format("more than {} steps", most_steps));
  training.steps = static_cast<std::int64_t>(steps);
  try {
    return lower_and_predict(network, training);
  } catch (const sim::Overflow&) {
    return refuse(Status::input_error, "the sizes of this job are beyond 64 bits");
  }
}

}  // namespace memsim::validate
