// One question to a machine: how long do these copies take when all begin together, what binds
// each of them, and who shares it. Answered by the engine that runs whole jobs.
//
// Every transfer is a process of its own: one thread that launches its copies one after another
// into one stream and waits for the last; a copy between NUMA nodes is made by the thread itself.
// The time of a transfer is tiled: until its call reaches the device (call), behind another
// transfer's copy on its engine (engine), fixed parts (latency), bytes on the way (by what bound
// them), until the waiting thread goes on (wake).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/machine/machine.hpp"
#include "scenarios/plan/failure.hpp"
#include "sim/core/units.hpp"

namespace memsim::scenarios {

struct Transfer {
  models::CopyRequest copy;
  std::int64_t count = 1;          // copies one after another; >= 1
  std::int64_t touch_threads = 1;  // that touch the host's memory while it is pinned; >= 1
};

// Bytes were on the way for `time`, held back by this.
struct Binding {
  std::string resource;  // "pcie[0] to gpu0"; "memcpy of one thread"
  sim::Duration time;
  std::vector<std::size_t> sharers;  // other transfers that used it meanwhile
};

struct TransferResult {
  std::string from;
  std::string to;
  sim::Bytes bytes;  // of all its copies
  sim::Duration time;
  sim::Bandwidth rate;   // bytes / time, rounded down
  sim::Bandwidth alone;  // the same, without the other transfers
  sim::Duration call;
  sim::Duration engine;
  sim::Duration latency;
  sim::Duration wake;
  std::vector<Binding> bindings;         // longest first
  std::optional<sim::Duration> pinning;  // of the host's memory of one copy, before all this
};

// A NUMA node that the first transfer touches, in the mean over its time.
struct NodeLoad {
  std::string name;
  models::MemoryLoad load;
};

struct TransferAnswer {
  std::string system;
  std::vector<TransferResult> transfers;  // as asked
  std::vector<NodeLoad> loads;
};

// Requires: at least one transfer; nodes of the machine, with memories. Errors: numbers
// beyond 64 bits, more events than the engine's bound.
Planned<TransferAnswer> transfer(const models::Machine& machine,
                                 const std::vector<Transfer>& transfers);

}  // namespace memsim::scenarios
