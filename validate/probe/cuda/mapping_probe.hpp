// What mapping memory costs, as allocators with expandable segments do it: [driver] map and unmap
// of a GPU file.
#pragma once

#include "validate/probe/budget.hpp"
#include "validate/probe/cuda/virtual_memory.hpp"
#include "validate/probe/json_writer.hpp"

namespace memsim::probe {

// Writes "mapping": for each size of a block, times of all steps from making it to giving it back.
// Requires: a current context.
void probe_mapping(const VirtualMemory& virtual_memory, const Budget::Share& share,
                   JsonWriter& json);

}  // namespace memsim::probe
