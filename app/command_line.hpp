// The command line of memsim: reads it, runs what was asked, turns failures into exit codes.
#pragma once

namespace memsim::app {

// Returns the exit code of the process.
int run_command_line(int argc, const char* const* argv);

}  // namespace memsim::app
