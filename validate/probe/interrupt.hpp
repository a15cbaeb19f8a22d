// Ctrl-C as a question that measurements ask between two samples.
#pragma once

namespace memsim::probe {

// From here on the first SIGINT or SIGTERM is noted; the second one ends the process as usual, for
// when a device hangs and a call does not return.
void note_interrupts();

// The number of the one that has come since; 0 before.
int interrupt();

}  // namespace memsim::probe
