// What a lowered training program allocates, in the terms of the data: by step and phase.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/training/lowering.hpp"
#include "validate/compare/row.hpp"
#include "validate/compare/torch_trace.hpp"

namespace memsim::validate {

struct TorchUsage {
  // By step: start, after_PHASE, peak_PHASE, allocs_PHASE, peak_op, ..., by name.
  std::vector<std::map<std::string, Value>> steps;
  std::vector<TorchEvent> events;  // with the markers of a trace
  std::int64_t hidden = 0;         // allocations inside kernels ("softmax~contiguous")
  // How often each operator ran, of those that make new tensors.
  std::map<std::string, std::int64_t> calls;
};

// Walks the program. Quantities ending in `_512` count every allocation rounded up to 512 bytes;
// `peak_without_hidden` leaves out what kernels allocate inside. Throws sim::Overflow where
// sums are beyond 64 bits.
TorchUsage torch_usage(const models::Network& network, const models::LoweredTraining& lowered,
                       const models::TrainingSpec& training);

}  // namespace memsim::validate
