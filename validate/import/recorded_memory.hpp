// Recorded memory operations of any format, as a trace that can be replayed on every allocator.
#pragma once

#include "scenarios/replay/memory_trace.hpp"
#include "validate/import/allocator_trace.hpp"

namespace memsim::validate {

// What an allocator trace asks for. Its first `capacity` and `external` say what the device has,
// its first `config` the options; later changes of them, memory fractions and private pools are
// left out and counted, and so are operations on allocations that are not live.
scenarios::MemoryTrace memory_trace(const AllocatorTrace& trace);

}  // namespace memsim::validate
