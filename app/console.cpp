#include "app/console.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace memsim::app {
namespace {

// One process has one standard output.
struct Answer {
  bool printed = false;
  int error = 0;  // of the first piece that could not be written
};

Answer& answer() {
  static Answer state;
  return state;
}

}  // namespace

void print(std::string_view text) {
  Answer& state = answer();
  if (state.error != 0) return;
  state.printed = true;
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size()) state.error = errno;
}

void print_diagnostic(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

bool colour_wanted() {
  // By the convention of no-color.org an empty NO_COLOR counts as not set.
  const char* no_color = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe): one thread
  return isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0');
}

bool has_printed() { return answer().printed; }

void ignore_closed_pipes() { std::signal(SIGPIPE, SIG_IGN); }

int flush_answer() {
  Answer& state = answer();
  if (std::fflush(stdout) != 0 && state.error == 0) state.error = errno;
  return state.error == EPIPE ? 0 : state.error;
}

}  // namespace memsim::app
