// Runs the memsim command as a user does.
#pragma once

#include <string>

namespace memsim::app {

struct CommandResult {
  int code = -1;
  std::string out;
  std::string err;
};

// `arguments` as typed in a shell, in the root of the sources.
CommandResult run_command(const std::string& arguments, const std::string& shell = "sh");

}  // namespace memsim::app
