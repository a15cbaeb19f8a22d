// Bandwidth sharing: which rate each active transfer gets, exactly, in integers.
//
// A *resource* is anything with a capacity in units per second: one direction of a wire, a switch
// uplink, a DRAM pool, the HBM of a GPU, the SMs of a GPU (capacity 10^12 picoseconds of compute
// per second). A *flow* moves an amount over all its resources at one rate; on each it uses
// weight x rate (a pageable copy crosses DDR three times: weight 3).
//
// Rates are max-min fair. Resources are filled in the order of (floor(remaining capacity / sum of
// weights of its unfrozen flows), resource id); every unfrozen flow of the popped resource freezes
// at that floor. What is left over (less than the sum of weights) stays unused, so equal flows have
// equal rates, and a flow's rate is the level of its bottleneck. A rate cap is a private resource
// of its flow.
//
// Remaining work is kept as amount x 10^12 in 128 bits: in d picoseconds at r units per second a
// flow loses exactly r x d, so sharing needs no epsilon. A completion is rounded up to the next
// whole picosecond.
//
// Use: at one instant call start/collect as often as needed, then settle(now) once. Rates change
// only in settle; a change solves again only what it can affect.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/core/units.hpp"

namespace memsim::sim {

enum class ResourceId : std::uint32_t {};
enum class FlowId : std::uint32_t {};

inline constexpr ResourceId no_resource{0xFFFFFFFF};

struct Hop {
  ResourceId resource;
  std::int64_t weight = 1;  // > 0
};

// What a flow asks for. `hops` name different resources (at least one, or a cap).
struct FlowSpec {
  std::span<const Hop> hops;
  std::int64_t amount = 0;                  // bytes (or picoseconds of compute), >= 0
  Duration latency;                         // passes before the first byte, using no capacity
  Bandwidth cap = Bandwidth::max();         // own limit of this flow; max() = none
  std::uint64_t tag = 0;                    // handed back on completion, not interpreted
};

class FlowNetwork {
 public:
  struct Completion {
    FlowId flow;
    std::uint64_t tag;
  };

  FlowNetwork();
  ~FlowNetwork();
  FlowNetwork(FlowNetwork&&) noexcept;
  FlowNetwork& operator=(FlowNetwork&&) noexcept;

  // Requires: capacity > 0.
  ResourceId add_resource(Bandwidth capacity);

  // Requests a flow at `now`; it becomes active at now + latency. A FlowId is reused only after its completion was collected.
  FlowId start(Time now, const FlowSpec& spec);

  // Moves the network to `now`: activates flows whose latency has passed, takes out flows that are
  // done, appends them to `completed` in ascending order of their start, and leaves rates as they
  // are. Requires: now <= next_event().
  void collect(Time now, std::vector<Completion>& completed);

  // Recomputes the rates after the starts and completions of this instant.
  void settle(Time now);

  // The next instant at which a flow becomes active or completes; Time::max() if there is none.
  [[nodiscard]] Time next_event() const;

  [[nodiscard]] Bandwidth rate(FlowId flow) const;
  // The resource that limits the flow; no_resource when its own cap does.
  [[nodiscard]] ResourceId bottleneck(FlowId flow) const;
  [[nodiscard]] std::size_t active_flows() const;

 private:
  class Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace memsim::sim
