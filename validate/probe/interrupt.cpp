#include "validate/probe/interrupt.hpp"

#include <csignal>

namespace memsim::probe {
namespace {

// A signal handler can reach nothing but a global.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t signal_came = 0;

void note(int signal) { signal_came = signal; }

}  // namespace

void note_interrupts() {
  signal_came = 0;
  struct sigaction action = {};
  action.sa_handler = note;
  // SA_RESTART: calls inside the driver carry on.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int interrupt() { return signal_came; }

}  // namespace memsim::probe
