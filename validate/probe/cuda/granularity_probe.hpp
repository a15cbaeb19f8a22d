// In which steps device memory is handed out: [driver] granularity of a GPU file.
#pragma once

#include "validate/probe/budget.hpp"
#include "validate/probe/cuda/virtual_memory.hpp"
#include "validate/probe/json_writer.hpp"

namespace memsim::probe {

// Writes "granularity": what the driver asks of mapped blocks, and by how much free memory falls
// when cudaMalloc is asked for the same size again and again. Requires: a current context.
void probe_granularity(const VirtualMemory& virtual_memory, const Budget::Share& share,
                       JsonWriter& json);

}  // namespace memsim::probe
