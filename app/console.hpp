// Where the command writes: the answer to standard output, diagnostics to standard error.
#pragma once

#include <string_view>

namespace memsim::app {

void print(std::string_view answer);
void print_diagnostic(std::string_view text);
// "error: ..." and a newline.
void print_error(std::string_view message);

// Whether the answer may be coloured: standard output is a terminal and NO_COLOR is not set.
bool colour_wanted();

// False when something of the answer could not be written (disk full, closed pipe).
bool flush_answer();

}  // namespace memsim::app
