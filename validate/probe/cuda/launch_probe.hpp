// What launching kernels costs: [compute] launch and start of a GPU file.
#pragma once

#include "validate/probe/budget.hpp"
#include "validate/probe/cuda/device.hpp"
#include "validate/probe/json_writer.hpp"

namespace memsim::probe {

// Writes "launch": the host's time of single launches, and the device's time from the start of one
// empty kernel to the start of the next while its stream is never empty. Requires: a current
// context.
void probe_launch(const Device& device, const Budget::Share& share, JsonWriter& json);

}  // namespace memsim::probe
