// A case put to the simulator.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/cases/case_file.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

// What became of one assertion.
struct CaseOutcome {
  std::string metric;
  bool holds = false;
  std::string found;  // for people: "12311000000 B/s, expected 12150000000 +- 972000000"
};

// `folder` holds the machine's file where the case names one, `scenarios` the catalogue. Outcomes
// in the order of the assertions. Empty after an error: those of load_system and read_transfer;
// E107 a transfer or GPU that is not there, E124 a value that cannot be read.
std::optional<std::vector<CaseOutcome>> run_case(const Case& asked,
                                                 const std::filesystem::path& folder,
                                                 const std::filesystem::path& scenarios,
                                                 Sources& sources, Diagnostics& diagnostics);

}  // namespace memsim::scenarios
