// Flow scenarios: transfers that share links, and the time at which each one completes. The format
// is described in validate/data/flows/README.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/source.hpp"
#include "sim/core/units.hpp"

namespace memsim::validate {

struct FlowScenario {
  struct Link {
    sim::Bandwidth bandwidth;
    sim::Duration latency;
  };
  struct Flow {
    sim::Time start;  // not released before
    sim::Bytes bytes;
    std::vector<std::uint32_t> links;  // indexes, all different
    std::vector<std::uint32_t> after;  // indexes of earlier flows that complete before
  };
  std::vector<Link> links;
  std::vector<Flow> flows;
};

// Reads the JSON text of a scenario; empty after diagnostics: every fault found, none repaired.
// Keys that the format does not know may hold text (names, remarks); anything else there would be a
// quantity that memsim does not understand, and is a fault.
std::optional<FlowScenario> parse_flow_scenario(const scenarios::SourceFile& file,
                                                scenarios::Diagnostics& diagnostics);

// The first line of a table of completion times.
inline constexpr std::string_view completion_header = "flow,completion_s";

// Completion times in seconds by flow, as far as a table gives them: `flow,completion_s` lines for
// a scenario of `flows` flows. Lines that cannot be used are diagnostics (E113); a table with
// another header is of no use.
std::optional<std::vector<std::optional<double>>> parse_completions(
    const scenarios::SourceFile& file, std::size_t flows, scenarios::Diagnostics& diagnostics);

}  // namespace memsim::validate
