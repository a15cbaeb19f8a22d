// Flow scenarios: transfers that share links, and the time at which each one completes. The format
// is described in validate/data/flows/README.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/result.hpp"
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

// What is wrong with an input, and where: "flows[3].links[1]", "line 7, column 12".
struct Problem {
  std::string place;
  std::string reason;
};

// Reads the JSON text of a scenario. Errors: every problem found; none is repaired. Keys that the
// format does not know may hold text (names, remarks); anything else there would be a quantity
// that memsim does not understand, and is a problem.
tl::expected<FlowScenario, std::vector<Problem>> parse_flow_scenario(std::string_view text);

// Completion times in seconds by flow, as far as a table gives them.
struct CompletionTable {
  std::vector<std::optional<double>> seconds;  // one entry per flow of the scenario
  std::vector<Problem> problems;               // lines that cannot be used
};

// Reads `flow,completion_s` lines for a scenario of `flows` flows.
CompletionTable parse_completions(std::string_view text, std::size_t flows);

}  // namespace memsim::validate
