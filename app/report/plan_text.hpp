// The text form of a plan, 80 columns wide: the verdict first, then why, then the way out.
#pragma once

#include <string>

#include "scenarios/plan/answer.hpp"

namespace memsim::app {

// `colour`: the verdict is marked for a terminal.
std::string plan_text(const scenarios::PlanAnswer& answer, bool colour);

// The first line alone.
std::string plan_headline(const scenarios::PlanAnswer& answer);

}  // namespace memsim::app
