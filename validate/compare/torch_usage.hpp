// What a lowered training program allocates, in the terms of the data: by step and phase.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/training/lowering.hpp"
#include "validate/compare/torch_row.hpp"
#include "validate/compare/torch_trace.hpp"

namespace memsim::validate {

struct TorchUsage {
  std::vector<TorchQuantities> steps;  // start, after_PHASE, peak_PHASE, allocs_PHASE, ..., by name
  std::vector<TorchEvent> events;      // with the markers of each step's phases
};

// Walks the program. Quantities ending in `_512` count every allocation rounded up to 512 bytes.
TorchUsage torch_usage(const models::LoweredTraining& lowered,
                       const models::TrainingSpec& training);

}  // namespace memsim::validate
