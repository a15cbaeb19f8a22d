// What `memsim hw show` prints. (`hw check` prints the diagnostics of load_hardware.)
#pragma once

#include <string>

#include "scenarios/hardware/hardware.hpp"

namespace memsim::scenarios {

// Every value of a composed file with its origin and the source that its comment names.
std::string hardware_text(const LoadedHardware& hardware);
// Schema memsim.hardware/1.
std::string hardware_json(const LoadedHardware& hardware);

}  // namespace memsim::scenarios
