// What `memsim hw list` prints: the catalogue at a glance.
#pragma once

#include <string>

#include "scenarios/hardware/catalogue.hpp"

namespace memsim::scenarios {

struct HardwareList {
  std::string text;
  bool readable = true;  // no entry has errors
};

// A table for each kind, sorted by name. A system is described by its GPUs and its host's memory,
// a GPU or host by its memory, a link by its standard. An entry with errors is listed without
// figures.
HardwareList hardware_list_text(const Catalogue& catalogue);
// Schema memsim.hardware-list/1.
HardwareList hardware_list_json(const Catalogue& catalogue);

}  // namespace memsim::scenarios
