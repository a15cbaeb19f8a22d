// The settings of training, by their keys in files and on the command line (the [train] table).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/training/training_spec.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/schema.hpp"

namespace memsim::scenarios {

// What each count of [train] may be at most: tokens, samples, micro-batches.
inline constexpr std::int64_t largest_count = 1'000'000'000;

// How training is described: keys, words, defaults, help.
const Schema<models::TrainingSpec>& training_schema();

// A training file below its `schema`.
struct TrainingFile {
  models::TrainingSpec train;
};
const Schema<TrainingFile>& training_file_schema();

// Short names of keys of [train], taken in files and on the command line alike.
struct SettingAlias {
  std::string_view alias;  // "seq"
  std::string_view key;    // "sequence"
};
const std::vector<SettingAlias>& setting_aliases();

// The key of [train] that a word means: itself, or what it is short for. Empty: none.
std::string_view training_key(std::string_view word);

// A [train] table with its keys written out. Errors: E103, a key given twice under two names.
Node write_out_aliases(Node train, Diagnostics& diagnostics);

// A setting's key and its value as it is written in a file, without quotes.
struct SettingValue {
  std::string key;  // "train.micro_batch"
  std::string value;

  friend bool operator==(const SettingValue&, const SettingValue&) = default;
};

// All settings, in the order of the schema.
std::vector<SettingValue> training_settings(const models::TrainingSpec& training);

// Those of `to` that differ from `from`.
std::vector<SettingValue> changed_settings(const models::TrainingSpec& from,
                                           const models::TrainingSpec& to);

}  // namespace memsim::scenarios
