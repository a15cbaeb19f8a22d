// How two parts or two systems differ.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/hardware/hardware.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/setting.hpp"

namespace memsim::scenarios {

// One figure that two machines do not share; empty where one of them has no such figure.
struct FigureDifference {
  std::string path;
  std::optional<Setting> left;
  std::optional<Setting> right;
};

struct HardwareDifference {
  HardwareKind kind = HardwareKind::system;
  std::string left;  // the name of each
  std::string right;
  std::vector<FigureDifference> figures;  // in the order of `hw show`
};

// Of the composed figures, defaults included; what is written differently but is the same
// ("1555 GB/s" and "1.555 TB/s") does not differ, and neither do the two names. Machines of
// different kinds cannot be compared: an error (E108).
std::optional<HardwareDifference> compare_hardware(const LoadedHardware& left,
                                                   const LoadedHardware& right,
                                                   Diagnostics& diagnostics);

}  // namespace memsim::scenarios
