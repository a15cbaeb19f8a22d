// What the memsim command tells the shell.
#pragma once

namespace memsim::app {

enum class ExitCode : int {
  fit = 0,           // the answer is yes; or the command did what it was asked
  no_fit = 1,        // the answer is no: does not fit, rows are off
  input_error = 2,   // wrong usage, or input that cannot be read
  uncertain = 3,     // tight or uncertain (with --strict: no_fit)
  not_modelled = 4,  // the question is beyond the model
  internal = 70,     // a defect of memsim
};

}  // namespace memsim::app
