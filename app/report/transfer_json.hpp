// The answer of `memsim transfer` for programs: memsim.transfer/1, described in docs/transfer.md.
#pragma once

#include <string>

#include "scenarios/transfer/sweep.hpp"

namespace memsim::app {

std::string transfer_json(const scenarios::Sweep& sweep);

}  // namespace memsim::app
