// What cudaMalloc and cudaFree cost: [driver] malloc and free of a GPU file.
#pragma once

#include "validate/probe/budget.hpp"
#include "validate/probe/json_writer.hpp"

namespace memsim::probe {

// Writes "allocation": for each size from 2 MiB to 1 GiB, times of cudaMalloc and of the cudaFree
// that follows, on an idle device. Requires: a current context.
void probe_allocation(const Budget::Share& share, JsonWriter& json);

}  // namespace memsim::probe
