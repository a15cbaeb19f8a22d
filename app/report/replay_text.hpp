// The answer of `memsim replay` for people, 80 columns wide, and for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/replay/memory_trace.hpp"
#include "scenarios/replay/replay.hpp"
#include "sim/exec/placement.hpp"

namespace memsim::app {

struct ReplayAnswer {
  std::string file;
  scenarios::MemoryTrace trace;
  std::optional<sim::Bytes> capacity;      // nothing: no limit
  std::optional<sim::DriverCosts> costs;   // of the GPU, where one is named
  std::vector<scenarios::ReplayRun> runs;  // of the same trace, one by allocator
};

// A line for each allocator: its name, peak reserve and failures.
std::string replay_headline(const ReplayAnswer& answer);
std::string replay_text(const ReplayAnswer& answer);
// memsim.replay/1, described in docs/replay.md.
std::string replay_json(const ReplayAnswer& answer);

}  // namespace memsim::app
