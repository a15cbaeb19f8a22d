// What was typed after `memsim replay`, read into what a replay needs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/machine/spec.hpp"
#include "scenarios/replay/memory_trace.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/source.hpp"
#include "sim/core/units.hpp"
#include "sim/exec/placement.hpp"

namespace memsim::scenarios {

struct ReplayWords {
  std::vector<std::string> allocators;  // NAME[:OPTIONS]; none: torch with the trace's options
  std::optional<std::string> capacity;  // of the device
  std::string hardware;                 // whose first GPU it is; empty: no machine
};

struct ReplaySettings {
  std::vector<models::AllocatorSpec> allocators;
  std::optional<sim::Bytes> capacity;  // typed, else of the GPU less its context, else the trace's
  std::optional<sim::DriverCosts> costs;  // of the GPU
};

// Empty after an error. Errors, beside those of the machine's files: E107 and E138 allocators, E12x
// the capacity.
std::optional<ReplaySettings> read_replay_settings(const std::filesystem::path& scenarios,
                                                   const ReplayWords& words,
                                                   const MemoryTrace& trace, Sources& sources,
                                                   Diagnostics& diagnostics);

}  // namespace memsim::scenarios
