// What `memsim hw list` and `memsim hw show` print. (`hw check` prints the diagnostics of
// load_hardware.)
#pragma once

#include <string>

#include "scenarios/hardware/catalogue.hpp"
#include "scenarios/hardware/hardware.hpp"

namespace memsim::scenarios {

// One line per entry of the catalogue, at most 80 columns: name, kind, memory, bandwidth. An entry
// with errors is listed without figures.
std::string hardware_list_text(const Catalogue& catalogue);
// Schema memsim.hardware-list/1.
std::string hardware_list_json(const Catalogue& catalogue);

// Every value of a composed file with its origin and the source that its comment names.
std::string hardware_text(const LoadedHardware& hardware);
// Schema memsim.hardware/1.
std::string hardware_json(const LoadedHardware& hardware);

}  // namespace memsim::scenarios
