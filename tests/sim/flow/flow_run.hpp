// Runs a list of flows through a network to the end.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/flow/flow_network.hpp"

namespace memsim::test {

struct Request {
  sim::Time start;
  std::vector<sim::Hop> hops;
  std::int64_t amount = 0;
  sim::Duration latency;
  sim::Bandwidth cap = sim::Bandwidth::max();
};

// When each request completes; Time::max() for those that never do. Requests of one instant start
// in the order of the list. `after_settle`, if given, sees the network at every event, with the ids
// of the flows by request (only those between start and completion are valid).
std::vector<sim::Time> run_requests(
    sim::FlowNetwork& network, const std::vector<Request>& requests,
    const std::function<void(sim::Time, const std::vector<sim::FlowId>&)>& after_settle = {});

}  // namespace memsim::test
