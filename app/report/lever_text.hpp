// The part of a plan's text that shows the way out.
#pragma once

#include <string>

#include "scenarios/plan/answer.hpp"

namespace memsim::app {

std::string lever_text(const scenarios::LeverReport& levers, const scenarios::PlanAnswer& answer);

}  // namespace memsim::app
