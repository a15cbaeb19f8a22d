// Runs a flow scenario through the event queue and the flow network.
#pragma once

#include <optional>
#include <vector>

#include "sim/core/units.hpp"
#include "validate/import/flow_scenario.hpp"

namespace memsim::validate {

// When each flow completes; nothing for a flow that does not before the end of simulated time.
// The result depends on the scenario alone.
std::vector<std::optional<sim::Time>> run_flow_scenario(const FlowScenario& scenario);

}  // namespace memsim::validate
