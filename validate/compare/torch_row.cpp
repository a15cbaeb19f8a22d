#include "validate/compare/torch_row.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/network/architectures/gpt.hpp"
#include "models/network/architectures/mlp.hpp"
#include "validate/compare/torch_fields.hpp"

namespace memsim::validate {
namespace {

using nlohmann::json;

// Quantities are compared micro-batch by micro-batch.
constexpr std::int64_t most_micro_batches = 256;

// Why a row cannot be run.
struct Refusal {
  Status status;
  std::string reason;
};
using Outcome = std::optional<Refusal>;

Refusal not_modelled(std::string reason) { return {Status::not_modelled, std::move(reason)}; }
Refusal unreadable(std::string reason) { return {Status::input_error, std::move(reason)}; }

template <class T>
struct Named {
  std::string_view name;
  T value;
};

// Looks a text up in a table of what memsim knows.
template <class T, std::size_t N>
Outcome choose(const std::array<Named<T>, N>& table, const std::string& key,
               const std::string& text, T& value) {
  for (const Named<T>& entry : table) {
    if (entry.name != text) continue;
    value = entry.value;
    return std::nullopt;
  }
  return not_modelled(key + " " + text + " is not modelled");
}

Outcome finish(const TorchFields& fields) {
  if (!fields.problem().empty()) return unreadable(fields.problem());
  const std::string unknown = fields.unknown();
  if (!unknown.empty()) return not_modelled("args." + unknown + " is not modelled");
  return std::nullopt;
}

Outcome build_mlp(TorchFields& args, TorchRow& row) {
  models::MlpSpec spec;
  const json* const dims = args.find("dims");
  if (dims == nullptr || !dims->is_array()) return unreadable("args.dims: not a list");
  for (const json& width : *dims) {
    if (!width.is_number_integer()) return unreadable("args.dims: not a list of integers");
    spec.widths.push_back(width.get<std::int64_t>());
  }
  constexpr std::array<Named<models::Activation>, 5> activations{{
      {"relu", models::Activation::relu},
      {"gelu", models::Activation::gelu},
      {"tanh", models::Activation::tanh},
      {"sigmoid", models::Activation::sigmoid},
      {"silu", models::Activation::silu},
  }};
  const std::string activation = args.text("act", "relu");
  spec.in_place = args.flag("inplace", false);
  spec.bias = args.flag("bias", true);
  spec.dropout_millionths = args.rate("dropout");
  if (Outcome refusal = finish(args)) return refusal;
  if (Outcome refusal = choose(activations, "args.act", activation, spec.activation))
    return refusal;
  if (const auto error = models::defect(spec)) return unreadable("args." + error->message);
  row.network = models::mlp(spec);
  return std::nullopt;
}

Outcome build_gpt(TorchFields& args, TorchRow& row) {
  models::GptSpec spec;
  spec.vocabulary = args.integer("vocab", {});
  spec.positions = args.integer("block", {});
  spec.layers = args.integer("n_layer", {});
  spec.heads = args.integer("n_head", {});
  spec.hidden = args.integer("n_embd", {});
  spec.bias = args.flag("bias", true);
  spec.dropout_millionths = args.rate("dropout");
  spec.mask_type = models::DataType::fp32;
  constexpr std::array<Named<models::Checkpointing>, 3> kinds{{
      {"none", models::Checkpointing::none},
      {"reentrant", models::Checkpointing::reentrant},
      {"nonreentrant", models::Checkpointing::nonreentrant},
  }};
  const std::string checkpointing = args.text("ckpt", "none");
  if (Outcome refusal = finish(args)) return refusal;
  if (Outcome refusal = choose(kinds, "args.ckpt", checkpointing, row.training.checkpointing))
    return refusal;
  if (const auto error = models::defect(spec)) return unreadable("args." + error->message);
  row.network = models::gpt(spec);
  return std::nullopt;
}

// "adamw_foreach_2x": what it computes, whether it decays weights, how it walks the parameters, and
// whose multi-tensor code that is.
Outcome read_optimizer(std::string text, models::TrainingSpec& training) {
  const std::string whole = text;
  const auto cut = [&](std::string_view suffix) {
    if (!text.ends_with(suffix)) return false;
    text.resize(text.size() - suffix.size());
    return true;
  };
  training.optimizer_rules = cut("_2x") ? models::TorchRules::v2 : models::TorchRules::v1_13;
  training.implementation = models::OptimizerImplementation::plain;
  if (cut("_foreach")) {
    training.implementation = models::OptimizerImplementation::foreach;
  } else if (cut("_fused")) {
    training.implementation = models::OptimizerImplementation::fused;
  }
  training.weight_decay = cut("wd") || text == "adamw";
  constexpr std::array<Named<models::OptimizerKind>, 4> kinds{{
      {"sgd", models::OptimizerKind::sgd},
      {"sgdm", models::OptimizerKind::sgd_momentum},
      {"adam", models::OptimizerKind::adam},
      {"adamw", models::OptimizerKind::adamw},
  }};
  if (choose(kinds, "", text, training.optimizer))
    return not_modelled("opt " + whole + " is not modelled");
  return std::nullopt;
}

Outcome read_training(TorchFields& fields, models::TrainingSpec& training) {
  training.rules = models::TorchRules::v1_13;
  training.micro_batch = fields.integer("batch", {});
  training.sequence = fields.integer("seq", 1);
  training.accumulation = fields.integer("accum", 1);
  training.zero_to_none = fields.flag("set_to_none", true);
  training.hold_outputs = fields.flag("hold", false);
  constexpr std::array<Named<models::Precision>, 5> precisions{{
      {"fp32", models::Precision::fp32},
      {"amp_bf16", models::Precision::autocast_bf16},
      {"amp_fp16", models::Precision::autocast_fp16},
      {"bf16_pure", models::Precision::pure_bf16},
      {"fp16_pure", models::Precision::pure_fp16},
  }};
  constexpr std::array<Named<models::ZeroGradAt>, 2> places{{
      {"start", models::ZeroGradAt::start},
      {"end", models::ZeroGradAt::end},
  }};
  constexpr std::array<Named<models::Mode>, 2> modes{{
      {"train", models::Mode::train},
      {"infer", models::Mode::infer},
  }};
  const std::string precision = fields.text("precision", "fp32");
  const std::string zero_at = fields.text("zero_at", "start");
  const std::string mode = fields.text("mode", "train");
  const std::string optimizer = fields.text("opt", "sgd");
  if (!fields.problem().empty()) return unreadable(fields.problem());
  if (training.accumulation > most_micro_batches)
    return not_modelled("accum " + std::to_string(training.accumulation) + " is more than " +
                        std::to_string(most_micro_batches));
  if (Outcome refusal = choose(precisions, "precision", precision, training.precision))
    return refusal;
  if (Outcome refusal = choose(places, "zero_at", zero_at, training.zero_at)) return refusal;
  if (Outcome refusal = choose(modes, "mode", mode, training.mode)) return refusal;
  return read_optimizer(optimizer, training);
}

TorchQuantities integers(const json& object) {
  TorchQuantities quantities;
  for (const auto& [key, value] : object.items())
    if (value.is_number_integer() && key != "step")
      quantities.emplace_back(key, value.get<std::int64_t>());
  return quantities;
}

Outcome read_steps(TorchFields& fields, const char* key, std::vector<TorchQuantities>& steps) {
  const json* const list = fields.find(key);
  if (list == nullptr) return std::nullopt;
  if (!list->is_array()) return unreadable(std::string(key) + ": not a list");
  for (const json& step : *list) {
    if (!step.is_object()) return unreadable(std::string(key) + ": not a list of objects");
    steps.push_back(integers(step));
  }
  return std::nullopt;
}

Outcome read(const json& object, TorchRow& row) {
  TorchFields fields(object, "");
  row.id = fields.text("id", "");
  const std::string family = fields.text("family", "");
  if (!fields.problem().empty()) return unreadable(fields.problem());
  if (family.empty()) return unreadable("family: missing");
  if (family != "mlp" && family != "gpt")
    return not_modelled("family " + family + " is not modelled");
  if (Outcome refusal = read_training(fields, row.training)) return refusal;

  const json* const arguments = fields.find("args");
  if (arguments == nullptr || !arguments->is_object()) return unreadable("args: not an object");
  TorchFields args(*arguments, "args.");
  if (Outcome refusal = family == "mlp" ? build_mlp(args, row) : build_gpt(args, row))
    return refusal;
  if (Outcome refusal = read_steps(fields, "steps", row.steps)) return refusal;
  if (Outcome refusal = read_steps(fields, "steps_2x", row.steps_2x)) return refusal;
  row.totals = integers(object);
  return std::nullopt;
}

}  // namespace

TorchRow parse_torch_row(std::string_view text) {
  TorchRow row;
  const auto refuse = [&row](Refusal refusal) {
    row.status = refusal.status;
    row.reason = std::move(refusal.reason);
  };
  try {
    const json object = json::parse(text);
    if (!object.is_object()) {
      refuse(unreadable("not a JSON object"));
    } else if (Outcome refusal = read(object, row)) {
      refuse(std::move(*refusal));
    }
  } catch (const json::parse_error& error) {
    refuse(unreadable("not JSON from byte " + std::to_string(error.byte) + " on"));
  } catch (const json::exception& error) {
    refuse(unreadable(error.what()));
  }
  return row;
}

}  // namespace memsim::validate
