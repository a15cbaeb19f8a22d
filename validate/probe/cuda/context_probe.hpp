// What a context takes: [driver] context of a GPU file.
#pragma once

#include "validate/probe/budget.hpp"
#include "validate/probe/cuda/device.hpp"
#include "validate/probe/json_writer.hpp"

namespace memsim::probe {

// Makes a context, runs the first kernel in it, destroys it, a few times; writes "context": used
// memory in between, as NVML sees it from outside, free memory as CUDA sees it from inside, and how
// long each step takes. Requires: this process has no context on the device. Leaves none.
void probe_context(const Device& device, const Budget::Share& share, JsonWriter& json);

}  // namespace memsim::probe
