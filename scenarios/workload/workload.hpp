// What is to be planned: a model and how it is trained, from presets, files and the command line.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/network/network.hpp"
#include "models/training/training_spec.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/faults.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/setting.hpp"
#include "scenarios/schema/source.hpp"
#include "scenarios/workload/overrides.hpp"

namespace memsim::scenarios {

// What model and training files say that they are.
inline constexpr std::string_view model_schema = "memsim.model/1";
inline constexpr std::string_view train_schema = "memsim.train/1";

struct Model {
  std::string name;
  std::string family;
  models::Network network;
  Settings settings;  // "model.layers", ...
};

// Names of the presets below `scenarios`/models, sorted.
std::vector<std::string> model_presets(const std::filesystem::path& scenarios);

// `wanted` is a file, else a preset's name, with or without ".toml". Keys of `overrides.model`
// replace those of the file. Errors: E101 unknown name, and those of reading. Empty without a
// network; beside one there may be errors in keys that play no part in it.
std::optional<Model> read_model(const std::filesystem::path& scenarios, std::string_view wanted,
                                const Overrides& overrides, Sources& sources,
                                Diagnostics& diagnostics);

struct Training {
  models::TrainingSpec spec;
  Settings settings;  // "train.sequence", ...
  Faults faults;      // keys that could not be read: they have their defaults in `spec`
};

// A file of schema memsim.train/1 with a [train] table; without one (nullopt) the defaults. Keys of
// `overrides.train` replace those of the file. Empty if there is no such file; what is wrong with
// its keys is in `diagnostics`.
std::optional<Training> read_training(const std::optional<std::string>& file,
                                      const Overrides& overrides, Sources& sources,
                                      Diagnostics& diagnostics);

}  // namespace memsim::scenarios
