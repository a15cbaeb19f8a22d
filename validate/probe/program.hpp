// What all probes have in common: arguments in, one JSON document out.
//
//   {
//     "schema": "memsim.probe/1",
//     "probe": "device",
//     "memsim_version": "0.1.0",
//     "asked": {"arguments": [...], "gpu": 0, "budget_s": 30},
//     ...                        what the probe measures (docs/probes.md)
//     "ended": "complete",       or "budget", "interrupt", "error"
//     "elapsed_ns": 1234567890,
//     "error": {...}             where "ended" says so
//   }
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "validate/probe/budget.hpp"
#include "validate/probe/json_writer.hpp"
#include "validate/probe/options.hpp"

namespace memsim::probe {

struct Program {
  std::string_view command;  // "memsim-probe-device"
  std::string_view probe;    // "device"
  std::string_view summary;  // for --help: what it measures, in lines

  // Measures within the share and writes members of the document. Throws ProbeError.
  std::function<void(const Options&, const Budget::Share&, JsonWriter&)> measure;
};

struct Outcome {
  std::string text;        // for standard output
  std::string diagnostic;  // for standard error: one line, or nothing
  int exit_code = 0;
};

// Measures. Never throws: what was written before an error stays in the document.
Outcome run(const Program& program, const std::vector<std::string>& arguments);

// The main function of a probe: notes interrupts, measures, prints; returns the exit code.
int run_program(const Program& program, int argc, char** argv);

}  // namespace memsim::probe
