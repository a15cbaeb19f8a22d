#include "scenarios/workload/training_settings.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

#include "sim/core/check.hpp"

namespace memsim::scenarios {
namespace {

using models::AttentionKind;
using models::Checkpointing;
using models::OptimizerImplementation;
using models::OptimizerKind;
using models::Precision;
using models::TrainingSpec;
using models::ZeroGradAt;

template <class Enum>
using Words = std::vector<std::pair<std::string_view, Enum>>;

const Words<Precision> precisions{{"fp32", Precision::fp32},
                                  {"autocast_bf16", Precision::autocast_bf16},
                                  {"autocast_fp16", Precision::autocast_fp16},
                                  {"pure_bf16", Precision::pure_bf16},
                                  {"pure_fp16", Precision::pure_fp16}};
const Words<OptimizerKind> optimizers{{"adamw", OptimizerKind::adamw},
                                      {"adam", OptimizerKind::adam},
                                      {"sgd_momentum", OptimizerKind::sgd_momentum},
                                      {"sgd", OptimizerKind::sgd}};
const Words<OptimizerImplementation> implementations{{"foreach", OptimizerImplementation::foreach},
                                                     {"fused", OptimizerImplementation::fused},
                                                     {"plain", OptimizerImplementation::plain}};
const Words<Checkpointing> checkpointings{{"none", Checkpointing::none},
                                          {"full", Checkpointing::nonreentrant},
                                          {"full_reentrant", Checkpointing::reentrant}};
const Words<AttentionKind> attentions{{"eager", AttentionKind::eager},
                                      {"flash", AttentionKind::flash}};
const Words<ZeroGradAt> zero_grads{{"before_forward", ZeroGradAt::start},
                                   {"after_step", ZeroGradAt::end}};

template <class Enum>
std::string word(const Words<Enum>& words, Enum value) {
  for (const auto& [text, meaning] : words)
    if (meaning == value) return std::string(text);
  MEMSIM_CHECK(false, "a value without a word");
}

std::string word(bool value) { return value ? "true" : "false"; }
std::string word(std::int64_t value) { return std::to_string(value); }

Schema<TrainingSpec> make_training_schema() {
  Schema<TrainingSpec> schema("training");
  schema
      .field("sequence", &TrainingSpec::sequence,
             {.help = "tokens per sample", .fallback = "1024", .least = 1, .most = largest_count})
      .field(
          "micro_batch", &TrainingSpec::micro_batch,
          {.help = "samples per forward pass", .fallback = "1", .least = 1, .most = largest_count})
      .field("accumulation", &TrainingSpec::accumulation,
             {.help = "micro-batches per optimizer step",
              .fallback = "1",
              .least = 1,
              .most = largest_count})
      .choice("precision", &TrainingSpec::precision, precisions,
              {.help = "pure: everything is stored in 16 bits", .fallback = "autocast_bf16"})
      .choice("optimizer", &TrainingSpec::optimizer, optimizers,
              {.help = "torch.optim's", .fallback = "adamw"})
      .choice("optimizer_implementation", &TrainingSpec::implementation, implementations,
              {.help = "plain: tensors one by one", .fallback = "foreach"})
      .field("weight_decay", &TrainingSpec::weight_decay,
             {.help = "whether weights decay", .fallback = "true"})
      .choice("checkpointing", &TrainingSpec::checkpointing, checkpointings,
              {.help = "full: layers are recomputed in the backward pass",
               .fallback = "none",
               .aliases = {"checkpoint", "recompute"}})
      .choice("attention", &TrainingSpec::attention, attentions,
              {.help = "eager: scores are tensors", .fallback = "eager"})
      .field("set_to_none", &TrainingSpec::zero_to_none,
             {.help = "zero_grad gives gradients' memory back", .fallback = "true"})
      .choice("zero_grad", &TrainingSpec::zero_at, zero_grads,
              {.help = "when gradients are zeroed", .fallback = "before_forward"})
      .field("hold_outputs", &TrainingSpec::hold_outputs,
             {.help = "loss and logits live until the next forward pass", .fallback = "false"});
  return schema;
}

}  // namespace

const Schema<TrainingSpec>& training_schema() {
  static const Schema<TrainingSpec> schema = make_training_schema();
  return schema;
}

const Schema<TrainingFile>& training_file_schema() {
  static const Schema<TrainingFile> schema =
      Schema<TrainingFile>("training")
          .table("train", &TrainingFile::train, training_schema(),
                 {.help = "how the model is trained"});
  return schema;
}

const std::vector<SettingAlias>& setting_aliases() {
  static const std::vector<SettingAlias> aliases{
      {"seq", "sequence"},
      {"batch", "micro_batch"},
      {"micro", "micro_batch"},
      {"accum", "accumulation"},
      {"implementation", "optimizer_implementation"},
  };
  return aliases;
}

std::string_view training_key(std::string_view word) {
  if (const Field* field = training_schema().find(word)) return field->key;
  for (const SettingAlias& alias : setting_aliases())
    if (alias.alias == word) return alias.key;
  return {};
}

Node write_out_aliases(Node train, Diagnostics& diagnostics) {
  std::vector<Entry> entries = std::move(train.entries);
  train.entries.clear();
  for (Entry& entry : entries) {
    const std::string_view meant = training_key(entry.key);
    const std::string key = meant.empty() ? entry.key : std::string(meant);
    if (train.find(key) != nullptr) {
      const Span first = train.key_location(key).span;
      Diagnostic twice;
      twice.code = "E103";
      twice.location = entry.key_location;
      twice.message = "key `" + key + "` is given twice";
      twice.label = fmt::format("already given at {}:{}", first.line, first.column);
      twice.help = "keep one of them";
      diagnostics.add(std::move(twice));
      continue;
    }
    train.set(key, entry.key_location, std::move(entry.value));
  }
  return train;
}

std::vector<SettingValue> training_settings(const TrainingSpec& training) {
  return {
      {"train.sequence", word(training.sequence)},
      {"train.micro_batch", word(training.micro_batch)},
      {"train.accumulation", word(training.accumulation)},
      {"train.precision", word(precisions, training.precision)},
      {"train.optimizer", word(optimizers, training.optimizer)},
      {"train.optimizer_implementation", word(implementations, training.implementation)},
      {"train.weight_decay", word(training.weight_decay)},
      {"train.checkpointing", word(checkpointings, training.checkpointing)},
      {"train.attention", word(attentions, training.attention)},
      {"train.set_to_none", word(training.zero_to_none)},
      {"train.zero_grad", word(zero_grads, training.zero_at)},
      {"train.hold_outputs", word(training.hold_outputs)},
  };
}

std::vector<SettingValue> changed_settings(const TrainingSpec& from, const TrainingSpec& to) {
  std::vector<SettingValue> before = training_settings(from);
  std::vector<SettingValue> after = training_settings(to);
  std::vector<SettingValue> changed;
  for (std::size_t i = 0; i < after.size(); ++i)
    if (before[i].value != after[i].value) changed.push_back(std::move(after[i]));
  return changed;
}

}  // namespace memsim::scenarios
