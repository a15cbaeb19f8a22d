// Snapshots of PyTorch's memory (torch.cuda.memory._dump_snapshot), with the history of what was
// allocated.
#pragma once

#include "scenarios/replay/memory_trace.hpp"
#include "sim/core/result.hpp"
#include "validate/import/pickle.hpp"

namespace memsim::validate {

// Whether the bytes begin as a pickle does.
bool is_pickle(std::string_view head);

// The history of the device with the longest one, as operations. What was there before it began (an
// address that is given back, or still in use at the end, without having been allocated) is
// allocated first, in the order of addresses. Streams are numbered in the order of their
// appearance, the default stream is 0. Left out and counted: other devices' events, recorded
// out-of-memories, and frees that the history lost. Errors: no snapshot, no history, entries of a
// wrong type.
sim::Result<scenarios::MemoryTrace> read_torch_snapshot(const Pickle& pickle);

}  // namespace memsim::validate
