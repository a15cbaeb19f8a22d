// Flow scenarios that are run by memsim and by its peer.
#pragma once

#include <string>
#include <vector>

#include "validate/import/flow_scenario.hpp"

namespace memsim::bench {

struct NamedScenario {
  std::string name;
  validate::FlowScenario scenario;
};

// The scenarios of validate/data/flows, and made ones: many flows on one link, with and without
// links of their own; separate groups; a long ring; chains of flows that meet nobody.
std::vector<NamedScenario> flow_scenarios();

}  // namespace memsim::bench
