// Measurements of links and memories as people write them down: a CSV file whose first line is
// "what,hardware,parameter,measured value,unit,source", texts in quotes where they hold commas.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/source.hpp"

namespace memsim::validate {

inline constexpr std::string_view link_header =
    "what,hardware,parameter,measured value,unit,source";

struct LinkMeasurement {
  std::uint32_t line = 0;
  std::string what;       // "host-device copy bandwidth"
  std::string hardware;   // "8x RTX 4090, Gen4 x16"
  std::string parameter;  // "H2D / D2H"
  std::string value;      // "23.9-26.4 / 26.7"
  std::string unit;       // "GB/s"
  std::string source;
};

// Empty lines are left out. Errors: E113 lines that are no rows, at what is wrong in them; E114 a
// file without rows.
std::vector<LinkMeasurement> parse_link_measurements(const scenarios::SourceFile& file,
                                                     scenarios::Diagnostics& diagnostics);

// Whether the value can be one of a rate or a time (fault_of); else E113 at its line.
bool check_value(const scenarios::SourceFile& file, const LinkMeasurement& row,
                 scenarios::Diagnostics& diagnostics);

}  // namespace memsim::validate
