// Runs programs on a machine: one clock for memory, time and contention.
//
// Host threads execute their programs in order and feed streams; streams are queues whose works
// become flows of the network, sharing what they cross; allocators serve requests at the instant
// at which the host makes them. Within one instant: first what ends gives back what it held (works
// in the order in which they started), then threads run in the order of their numbers, until
// nothing is left to do.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/result.hpp"
#include "sim/exec/placement.hpp"
#include "sim/exec/program.hpp"
#include "sim/exec/run_result.hpp"
#include "sim/flow/flow_network.hpp"

namespace memsim::sim {

struct RunOptions {
  // Leave out whole periods once the state of all jobs recurs at the end of a loop's iteration: the
  // result is the same. Statistics that an allocator itself adds up count only what was walked. Off
  // while spans are recorded.
  bool skip_periods = true;
  bool record_spans = false;  // keep every span (traces); sums are always kept
  // Keep every change of every memory; those of periods that are left out are missing, so the
  // digest then depends on skip_periods.
  bool record_memory = false;
  std::int64_t max_events = 2'000'000'000;  // work is bounded by counts, never by a clock
};

// Runs the jobs to their end, or to the first out-of-memory. `network` holds the machine's
// resources; nothing was ever started in it. Errors: a program that contradicts itself or its
// placement (see validate_program), a deadlock (who waits for what), max_events reached.
Result<Run> run(FlowNetwork& network, const std::vector<Job>& jobs, const RunOptions& options);

}  // namespace memsim::sim
