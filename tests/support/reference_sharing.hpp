// Oracle of flow sharing: the same semantics as sim/flow in the plainest form. At every event all
// rates are filled from scratch, flow by flow, and the remaining work of every flow is brought up
// to date. Nothing is shared with the code under test but the types of its interface.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/int128.hpp"
#include "sim/core/units.hpp"
#include "sim/flow/flow_network.hpp"

namespace memsim::test {

struct ReferenceDemand {
  std::vector<sim::Hop> hops;
  std::int64_t cap = sim::Bandwidth::max().value();
};

struct ReferenceShare {
  std::int64_t rate = 0;
  sim::ResourceId bottleneck = sim::no_resource;

  friend bool operator==(const ReferenceShare&, const ReferenceShare&) = default;
};

// Progressive filling: the resource with the least (floor(room / weights), number) freezes its
// flows at that floor; a cap is a private resource numbered above all others.
std::vector<ReferenceShare> fill_from_scratch(const std::vector<std::int64_t>& capacities,
                                              const std::vector<ReferenceDemand>& flows);

// A network whose flows are numbered in the order of their starts.
class ReferenceNetwork {
 public:
  explicit ReferenceNetwork(std::vector<std::int64_t> capacities)
      : capacities_(std::move(capacities)) {}

  std::size_t start(sim::Time now, ReferenceDemand demand, std::int64_t amount,
                    sim::Duration latency);
  // As FlowNetwork; completed flows by number, ascending.
  std::vector<std::size_t> collect(sim::Time now);
  void settle(sim::Time now);
  [[nodiscard]] sim::Time next_event() const;

  [[nodiscard]] bool active(std::size_t flow) const { return flows_[flow].state == active_state; }
  [[nodiscard]] bool done(std::size_t flow) const { return flows_[flow].state == done_state; }
  [[nodiscard]] ReferenceShare share(std::size_t flow) const { return flows_[flow].share; }
  [[nodiscard]] std::size_t size() const { return flows_.size(); }

 private:
  enum StateOfFlow { pending_state, active_state, done_state };
  struct Flow {
    ReferenceDemand demand;
    sim::Int128 left;  // amount x 10^12
    sim::Time activation;
    StateOfFlow state = pending_state;
    ReferenceShare share;
  };
  void advance(sim::Time now);

  std::vector<std::int64_t> capacities_;
  std::vector<Flow> flows_;
  sim::Time now_;
};

}  // namespace memsim::test
