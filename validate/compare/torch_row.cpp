#include "validate/compare/torch_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "models/network/architectures/gpt.hpp"
#include "models/network/architectures/mlp.hpp"

namespace memsim::validate {
namespace {

using scenarios::Entry;
using scenarios::Node;
using scenarios::NodeType;

// What memsim does not know of a configuration; empty if it knows all of it.
using Unknown = std::string;

template <class T>
struct Named {
  std::string_view name;
  T value;
};

// Looks a word up in a table of what memsim knows.
template <class T, std::size_t count>
Unknown choose(const std::array<Named<T>, count>& table, std::string_view key,
               std::string_view word, T& value) {
  const auto found = std::ranges::find(table, word, &Named<T>::name);
  if (found == table.end()) return fmt::format("{} {:.40} is not modelled", key, word);
  value = found->value;
  return "";
}

void report_defect(const JsonFields& fields, const std::string& what) {
  fields.diagnostics().add({.code = "E124",
                            .location = fields.object().location,
                            .message = what,
                            .label = "",
                            .notes = {},
                            .help = "",
                            .suggestion = ""});
}

Unknown unknown_argument(const JsonFields& args) {
  const std::vector<const Entry*> unknown = args.unknown();
  return unknown.empty() ? "" : args.path(unknown.front()->key) + " is not modelled";
}

std::vector<std::int64_t> read_widths(JsonFields& args) {
  std::vector<std::int64_t> widths;
  if (args.require("dims") == nullptr) return widths;
  const Node* const dims = args.list("dims");
  if (dims == nullptr) return widths;
  for (const Node& width : dims->items)
    if (const auto read =
            read_integer(width, args.path("dims"), 1, JsonFields::no_limit, args.diagnostics()))
      widths.push_back(*read);
  return widths;
}

Unknown build_mlp(JsonFields& args, TorchRow& row) {
  models::MlpSpec spec;
  spec.widths = read_widths(args);
  const std::string activation = args.text("act").value_or("relu");
  spec.in_place = args.flag("inplace").value_or(false);
  spec.bias = args.flag("bias").value_or(true);
  spec.dropout_millionths = args.millionths("dropout").value_or(0);
  if (args.diagnostics().has_errors()) return "";
  constexpr std::array<Named<models::Activation>, 5> activations{{
      {"relu", models::Activation::relu},
      {"gelu", models::Activation::gelu},
      {"tanh", models::Activation::tanh},
      {"sigmoid", models::Activation::sigmoid},
      {"silu", models::Activation::silu},
  }};
  if (Unknown unknown = choose(activations, "args.act", activation, spec.activation);
      !unknown.empty())
    return unknown;
  if (const auto error = models::defect(spec)) {
    report_defect(args, "args: " + error->message);
    return "";
  }
  row.network = models::mlp(spec);
  return unknown_argument(args);
}

std::int64_t required_integer(JsonFields& fields, const char* key) {
  if (fields.require(key) == nullptr) return 1;
  return fields.integer(key, 1).value_or(1);
}

Unknown build_gpt(JsonFields& args, TorchRow& row) {
  models::GptSpec spec;
  spec.vocabulary = required_integer(args, "vocab");
  spec.positions = required_integer(args, "block");
  spec.layers = required_integer(args, "n_layer");
  spec.heads = required_integer(args, "n_head");
  spec.hidden = required_integer(args, "n_embd");
  spec.bias = args.flag("bias").value_or(true);
  spec.dropout_millionths = args.millionths("dropout").value_or(0);
  spec.mask_type = models::DataType::fp32;
  const std::string checkpointing = args.text("ckpt").value_or("none");
  if (args.diagnostics().has_errors()) return "";
  constexpr std::array<Named<models::Checkpointing>, 3> kinds{{
      {"none", models::Checkpointing::none},
      {"reentrant", models::Checkpointing::reentrant},
      {"nonreentrant", models::Checkpointing::nonreentrant},
  }};
  if (Unknown unknown = choose(kinds, "args.ckpt", checkpointing, row.training.checkpointing);
      !unknown.empty())
    return unknown;
  if (const auto error = models::defect(spec)) {
    report_defect(args, "args: " + error->message);
    return "";
  }
  row.network = models::gpt(spec);
  return unknown_argument(args);
}

// "adamw_foreach_2x": what it computes, whether it decays weights, how it walks the parameters, and
// whose multi-tensor code that is.
Unknown choose_optimizer(std::string_view name, models::TrainingSpec& training) {
  std::string_view text = name;
  const auto cut = [&](std::string_view suffix) {
    if (!text.ends_with(suffix)) return false;
    text.remove_suffix(suffix.size());
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
  if (choose(kinds, "", text, training.optimizer).empty()) return "";
  return fmt::format("opt {:.40} is not modelled", name);
}

// The words of a configuration, as they are written.
struct Words {
  std::string precision, zero_at, mode, optimizer;
};

Words read_words(JsonFields& fields) {
  return {fields.text("precision").value_or("fp32"), fields.text("zero_at").value_or("start"),
          fields.text("mode").value_or("train"), fields.text("opt").value_or("sgd")};
}

Unknown choose_training(const Words& words, models::TrainingSpec& training) {
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
  const std::array<Unknown, 4> answers{
      choose(precisions, "precision", words.precision, training.precision),
      choose(places, "zero_at", words.zero_at, training.zero_at),
      choose(modes, "mode", words.mode, training.mode),
      choose_optimizer(words.optimizer, training)};
  const auto* const first =
      std::ranges::find_if(answers, [](const Unknown& u) { return !u.empty(); });
  return first == answers.end() ? "" : *first;
}

void read_numbers(JsonFields& fields, TorchRow& row) {
  models::TrainingSpec& training = row.training;
  training.micro_batch = required_integer(fields, "batch");
  training.sequence = fields.integer("seq", 1).value_or(1);
  training.accumulation = fields.integer("accum", 1).value_or(1);
  training.zero_to_none = fields.flag("set_to_none").value_or(true);
  training.hold_outputs = fields.flag("hold").value_or(false);
  row.micro_batches = training.accumulation;
  // Of families that memsim does not know yet.
  for (const char* const key : {"seq_dec", "image", "pooling"}) fields.integer(key, 1);
  fields.flag("cudnn");
  fields.text("method");  // a remark
}

std::string read_id(JsonFields& fields) {
  if (fields.require("id") == nullptr) return "";
  std::string id = fields.text("id").value_or("");
  // It names files.
  const bool usable = !id.empty() && id.find_first_of("/\\\0", 0, 3) == std::string::npos;
  if (usable) return id;
  if (const Node* const value = fields.find("id"); value->type == NodeType::text)
    report_type(*value, "id", "a name that a file can have", fields.diagnostics());
  return "";
}

Unknown build_network(const std::string& family, JsonFields& args, TorchRow& row) {
  if (family == "mlp") return build_mlp(args, row);
  if (family == "gpt") return build_gpt(args, row);
  return fmt::format("family {:.40} is not modelled", family);
}

}  // namespace

TorchRow read_torch_row(JsonFields& fields) {
  TorchRow row;
  row.id = read_id(fields);
  const std::string family =
      fields.require("family") != nullptr ? fields.text("family").value_or("") : "";
  const Words words = read_words(fields);
  read_numbers(fields, row);
  const Node* const arguments = fields.require("args") != nullptr ? fields.table("args") : nullptr;
  row.trains = words.mode != "infer";
  if (arguments != nullptr) {
    JsonFields args(*arguments, "args", fields.diagnostics());
    row.not_modelled = build_network(family, args, row);
  }
  row.readable = !fields.diagnostics().has_errors();
  if (!row.readable || !row.not_modelled.empty()) return row;
  row.not_modelled = choose_training(words, row.training);
  if (row.not_modelled.empty() && row.micro_batches > most_torch_micro_batches)
    row.not_modelled =
        fmt::format("accum {} is more than {}", row.micro_batches, most_torch_micro_batches);
  return row;
}

}  // namespace memsim::validate
