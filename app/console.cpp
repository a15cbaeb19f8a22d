#include "app/console.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace memsim::app {

void print(std::string_view answer) { std::fwrite(answer.data(), 1, answer.size(), stdout); }

void print_diagnostic(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void print_error(std::string_view message) {
  print_diagnostic("error: ");
  print_diagnostic(message);
  print_diagnostic("\n");
}

bool colour_wanted() {
  // By the convention of no-color.org an empty NO_COLOR counts as not set.
  const char* no_color = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe): one thread
  return isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0');
}

bool flush_answer() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace memsim::app
