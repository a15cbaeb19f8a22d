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
// of its flow, numbered above all others: where it ties with a resource, the resource goes first.
//
// Remaining work is kept as amount x 10^12 in 128 bits: in d picoseconds at r units per second a
// flow loses exactly r x d, so sharing needs no epsilon. A completion is rounded up to the next
// whole picosecond. A flow whose share is rounded down to 0 stands still until others make room.
//
// Use: at one instant call start/collect as often as needed, then settle(now) once. Rates change
// only in settle; a change solves again only what it can affect. Flows with the same hops and cap
// are solved as one, so a thousand of them cost as much as one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/core/digest.hpp"
#include "sim/core/units.hpp"

namespace memsim::sim {

enum class ResourceId : std::uint32_t {};
enum class FlowId : std::uint32_t {};

inline constexpr ResourceId no_resource{0xFFFFFFFF};

struct Hop {
  ResourceId resource;
  std::int64_t weight = 1;  // > 0

  friend constexpr bool operator==(const Hop&, const Hop&) = default;
};

// What a flow asks for. `hops` name different resources (at least one, or a cap); their order does
// not matter. The sum of the weights of all flows on one resource stays below 2^63.
struct FlowSpec {
  std::span<const Hop> hops;
  std::int64_t amount = 0;           // bytes (or picoseconds of compute), >= 0
  Duration latency{};                // passes before the first byte, using no capacity; >= 0
  Bandwidth cap = Bandwidth::max();  // own limit of this flow, > 0; max() = none
  std::uint64_t tag = 0;             // handed back on completion, not interpreted
};

// Invariants (after settle): no resource is used above its capacity; every active flow has a
// bottleneck, a resource of its own (or its cap) that is full up to the rounding and on which no
// flow is faster. The result depends on what was started when, not on the order of hops or on what
// the network did before.
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

  // Resources are numbered from 0 in the order of creation. Requires: capacity > 0.
  ResourceId add_resource(Bandwidth capacity);
  // Requires: the resource exists.
  [[nodiscard]] Bandwidth capacity(ResourceId resource) const;

  // Requests a flow at `now`; it becomes active at now + latency, and a flow without amount is then
  // complete. A FlowId is reused only after its completion was collected.
  // Requires: now is not before the last call's, nor after next_event().
  FlowId start(Time now, const FlowSpec& spec);

  // Moves the network to `now`: activates flows whose latency has passed, takes out flows that are
  // done, appends them to `completed` in ascending order of their start, and leaves rates as they
  // are. Requires: now is not before the last call's, nor after next_event().
  void collect(Time now, std::vector<Completion>& completed);

  // Recomputes the rates after the starts and completions of this instant. Requires: as collect.
  void settle(Time now);

  // The next instant at which a flow becomes active or completes; Time::max() if there is none (or
  // none before the end of time). Between a change and its settle only flows of the present instant
  // are certain.
  [[nodiscard]] Time next_event() const;

  // Rate as of the last settle; 0 before the flow is active. Requires: `flow` is not yet collected.
  [[nodiscard]] Bandwidth rate(FlowId flow) const;
  // The resource that limits the flow; no_resource when its own cap does, or while it is not
  // active.
  [[nodiscard]] ResourceId bottleneck(FlowId flow) const;
  [[nodiscard]] std::size_t active_flows() const;

  // Adds everything that decides the future of the flows, in the order of their starts and relative
  // to `now`: tag, hops and cap, time to activation or remaining work. Equal digests mean equal
  // futures, so tags must name roles (a stream, a slot), not running numbers, if a state is to be
  // found again. FlowIds do not count. Requires: settled at `now`.
  void add_state(Digest& digest, Time now) const;

  // Moves the network and all that is pending in it by one duration into the future: an executor
  // that leaves out k periods of length p calls shift(k x p), as on its event queue. Costs O(1).
  // Requires: settled, by >= 0.
  void shift(Duration by);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace memsim::sim
