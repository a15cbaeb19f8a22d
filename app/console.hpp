// Where the command writes: the answer to standard output, diagnostics to standard error.
#pragma once

#include <string_view>

namespace memsim::app {

void print(std::string_view answer);
void print_diagnostic(std::string_view text);

// Whether the answer may be coloured: standard output is a terminal and NO_COLOR is not set.
bool colour_wanted();

// Whether something of the answer was printed.
bool has_printed();

// A reader that has seen enough (`memsim ... | head -1`) ends nothing by force.
void ignore_closed_pipes();

// 0 when all of the answer has been written, or its reader did not want more; else why not, as an
// errno (disk full).
int flush_answer();

}  // namespace memsim::app
