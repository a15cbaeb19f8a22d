// What `memsim hw show` and `memsim hw diff` print. (`hw check` prints the diagnostics of
// load_hardware.)
#pragma once

#include <string>

#include "scenarios/hardware/hardware.hpp"
#include "scenarios/hardware/hardware_diff.hpp"

namespace memsim::scenarios {

// Every value of a composed file with its origin and the source that its comment names.
std::string hardware_text(const LoadedHardware& hardware);
// Schema memsim.hardware/1.
std::string hardware_json(const LoadedHardware& hardware);

// Each figure that differs with both values and their origins, in the columns of `hw show`.
std::string hardware_difference_text(const HardwareDifference& difference);
// Schema memsim.hardware-diff/1; null for a figure that is missing on one side.
std::string hardware_difference_json(const HardwareDifference& difference);

}  // namespace memsim::scenarios
