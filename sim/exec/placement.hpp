// Where a program runs: what its local numbers mean on a machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/exec/program.hpp"
#include "sim/exec/stream_clock.hpp"
#include "sim/flow/flow_network.hpp"
#include "sim/memory/allocator.hpp"

namespace memsim::sim {

// A way through the machine: what a demand shares. Index by Demand::route.
struct Route {
  std::string name;  // "HBM", "host to device", "compute"
  std::vector<Hop> hops;
  Bandwidth cap = Bandwidth::max();
  Duration latency;
};

// What calls of the driver cost the host thread that makes them.
struct DriverCosts {
  Duration launch;               // of one kernel or copy
  std::optional<Duration> copy;  // of one copy, where it differs
  Duration malloc;               // of one cudaMalloc, failed or not
  Duration free;
  Duration map;  // per page
  Duration unmap;
  // Works that one stream holds before the next launch waits for room: the driver's queue
  // (docs/adr/0008-launch-queue.md).
  std::uint32_t queue_depth = 1024;  // >= 1

  // Of the calls that an allocator made.
  [[nodiscard]] Duration of(const DriverWork& work) const {
    return malloc * (work.mallocs + work.failed_mallocs) + free * work.frees + map * work.maps +
           unmap * work.unmaps;
  }
};

struct Placement {
  std::vector<Route> routes;
  std::vector<std::uint32_t> engines;        // machine-wide ids of the copy engines, by local index
  std::vector<Allocator*> memories;          // by Op::unit; owned by the caller, outlive the run
  std::vector<std::uint32_t> communicators;  // machine-wide ids, by local index; all different
  DriverCosts driver;
  // The StreamEvents that the job's allocators were made with; null when none of them looks at
  // streams. Owned by the caller, outlives the run; one job each.
  StreamClock* clock = nullptr;
};

// One process: a program on its place. Jobs that name the same communicator are its members.
struct Job {
  const Program* program = nullptr;
  Placement placement;
};

}  // namespace memsim::sim
