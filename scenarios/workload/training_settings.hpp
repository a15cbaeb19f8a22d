// The settings of training, by their keys in files and on the command line (the [train] table).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/training/training_spec.hpp"
#include "scenarios/schema/schema.hpp"

namespace memsim::scenarios {

// How training is described: keys, words, defaults, help.
const Schema<models::TrainingSpec>& training_schema();

// Short names that the command line takes instead of a key: "seq" for "train.sequence".
struct SettingAlias {
  std::string_view alias;
  std::string_view key;
};
const std::vector<SettingAlias>& setting_aliases();

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
