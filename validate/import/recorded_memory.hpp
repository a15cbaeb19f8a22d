// Recorded memory operations of any format, as a trace that can be replayed on every allocator.
#pragma once

#include <optional>
#include <string>

#include "scenarios/replay/memory_trace.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/source.hpp"
#include "validate/import/allocator_trace.hpp"

namespace memsim::validate {

// What an allocator trace asks for. Its first `capacity` and `external` say what the device has,
// its first `config` the options; later changes of them, memory fractions and private pools are
// left out and counted, and so are operations on allocations that are not live.
scenarios::MemoryTrace memory_trace(const AllocatorTrace& trace);

struct RecordedMemory {
  scenarios::MemoryTrace trace;
  // Where it was an allocator trace: all of it, and its text.
  std::optional<AllocatorTrace> operations;
  const scenarios::SourceFile* source = nullptr;
};

// Of the formats that are known by their content: allocator traces and snapshots of PyTorch's
// memory (pickles). `name` is what messages call the file. Empty after an error: E113, damaged, or
// of no format that is known.
std::optional<RecordedMemory> read_recorded_memory(const std::string& name, std::string text,
                                                   scenarios::Sources& sources,
                                                   scenarios::Diagnostics& diagnostics);

}  // namespace memsim::validate
