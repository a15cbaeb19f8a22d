// One row of `data/torch`: a configuration, and what the real program allocated
// (validate/data/torch/README.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/network/network.hpp"
#include "models/training/training_spec.hpp"
#include "validate/compare/row.hpp"

namespace memsim::validate {

// Integer quantities by name, in the order of their names.
using TorchQuantities = std::vector<std::pair<std::string, std::int64_t>>;

struct TorchRow {
  std::string id;
  Status status = Status::ok;  // ok, not_modelled or input_error
  std::string reason;          // if not ok
  models::Network network;
  models::TrainingSpec training;  // by the rules of PyTorch 1.13
  TorchQuantities totals;
  std::vector<TorchQuantities> steps;     // PyTorch 1.13
  std::vector<TorchQuantities> steps_2x;  // PyTorch 2.x
};

// Never throws. Rows of unknown families, or with settings that memsim does not know, are
// not_modelled; malformed ones input_error. Optional fields have the defaults of the README.
TorchRow parse_torch_row(std::string_view text);

}  // namespace memsim::validate
