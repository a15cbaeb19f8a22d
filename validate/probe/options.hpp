// The command line of a probe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memsim::probe {

struct Options {
  int gpu = 0;             // ordinal, as CUDA numbers them
  double budget_s = 30.0;  // of measuring
};

// Whether `--help` is among them; then nothing else matters.
bool asks_for_help(const std::vector<std::string>& arguments);

// What `--help` prints. `summary`: what the program measures, in lines.
std::string help_text(std::string_view program, std::string_view summary);

// `arguments` without the program's name. Throws ProbeError (usage) with all that is wrong.
Options parse_options(const std::vector<std::string>& arguments);

}  // namespace memsim::probe
