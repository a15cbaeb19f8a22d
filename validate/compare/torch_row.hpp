// The configuration in one row of `data/torch` (validate/data/torch/README.md).
#pragma once

#include <cstdint>
#include <string>

#include "models/network/network.hpp"
#include "models/training/training_spec.hpp"
#include "validate/import/json_fields.hpp"

namespace memsim::validate {

struct TorchRow {
  std::string id;  // empty: it has none that could be used
  // Whether the configuration can be read; what is wrong is in the diagnostics.
  bool readable = false;
  // What of the configuration memsim does not know; empty: `network` and `training` are set.
  std::string not_modelled;
  bool trains = true;
  std::int64_t micro_batches = 1;
  models::Network network;
  models::TrainingSpec training;  // without `steps` and `rules`
};

// Micro-batches are compared one by one, up to so many.
inline constexpr std::int64_t most_torch_micro_batches = 256;

// Reads the configuration out of a row. Optional keys have the defaults of the README.
TorchRow read_torch_row(JsonFields& fields);

}  // namespace memsim::validate
