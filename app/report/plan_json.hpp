// The JSON form of a plan, `memsim.plan/1`.
//
// Keys are sorted, bytes are integers, times are picoseconds, shares are parts per million. Every
// quantity is {"value", "unit", "p10", "p90", "source"}. The same inputs give the same bytes.
#pragma once

#include <string>

#include "scenarios/plan/answer.hpp"

namespace memsim::app {

std::string plan_json(const scenarios::PlanAnswer& answer);

}  // namespace memsim::app
