// Everything that a plan is made from, read from names, files and the command line.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/machine/spec.hpp"
#include "scenarios/plan/answer.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/setting.hpp"
#include "scenarios/schema/source.hpp"
#include "scenarios/workload/workload.hpp"

namespace memsim::scenarios {

struct PlanNames {
  std::string hardware;                    // file, or entry of the catalogue
  std::string model;                       // file, or preset
  std::optional<std::string> training;     // file; without it the defaults
  std::vector<std::string> overrides;      // "key=value", later ones win
  std::optional<std::string> allocator{};  // NAME or NAME:OPTIONS, for every GPU
};

struct PlanInputs {
  models::SystemSpec system;
  Model model;
  models::TrainingSpec training;
  Settings settings;              // of all three
  std::vector<Warning> warnings;  // about what the GPU cannot do as asked
};

// `scenarios` is the folder with hardware/ and models/. Empty after an error; all that is wrong
// with any of the inputs is in the diagnostics: beside those of reading E152, no machine or model
// is named, E136, a setting that the model cannot be run with, W136, one that plays no part in it.
std::optional<PlanInputs> read_plan_inputs(const std::filesystem::path& scenarios,
                                           const PlanNames& names, Sources& sources,
                                           Diagnostics& diagnostics);

}  // namespace memsim::scenarios
