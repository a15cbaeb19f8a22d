#include "validate/compare/flow_runner.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "sim/core/event_queue.hpp"
#include "sim/flow/flow_network.hpp"

namespace memsim::validate {
namespace {

using sim::Time;

// Amounts are counted in the finest decimal fraction of a byte with which all of them fit in 64
// bits: shares of slow links, cut to whole units per second, then lose next to nothing.
std::int64_t units_per_byte(const FlowScenario& scenario) {
  std::int64_t largest = 1;
  for (const FlowScenario::Link& link : scenario.links)
    largest = std::max(largest, link.bandwidth.value());
  for (const FlowScenario::Flow& flow : scenario.flows)
    largest = std::max(largest, flow.bytes.value());
  std::int64_t units = 1;
  while (largest <= std::numeric_limits<std::int64_t>::max() / units / 10) units *= 10;
  return units;
}

// The flows of a scenario that wait for nothing more are events; the others count what they wait
// for.
class Runner {
 public:
  explicit Runner(const FlowScenario& scenario)
      : scenario_(scenario),
        units_(units_per_byte(scenario)),
        waits_for_(scenario.flows.size()),
        followers_(scenario.flows.size()),
        completions_(scenario.flows.size()) {
    for (const FlowScenario::Link& link : scenario.links)
      network_.add_resource(sim::Bandwidth(link.bandwidth.value() * units_));
    for (std::size_t i = 0; i < scenario.flows.size(); ++i) {
      waits_for_[i] = scenario.flows[i].after.size();
      for (const std::uint32_t earlier : scenario.flows[i].after) followers_[earlier].push_back(i);
      if (waits_for_[i] == 0) release(i, Time(0));
    }
  }

  std::vector<std::optional<Time>> run() {
    for (;;) {
      const Time now = std::min(releases_.next_time(), network_.next_event());
      if (now == Time::max()) return std::move(completions_);
      while (network_.next_event() == now) collect(now);
      while (releases_.next_time() == now) {
        start(static_cast<std::size_t>(releases_.pop().payload), now);
        while (network_.next_event() == now) collect(now);
      }
      network_.settle(now);
    }
  }

 private:
  void release(std::size_t flow, Time now) {
    releases_.push(std::max(now, scenario_.flows[flow].start), sim::EventPhase::arrive, flow);
  }

  void start(std::size_t index, Time now) {
    const FlowScenario::Flow& flow = scenario_.flows[index];
    hops_.clear();
    sim::Int128 latency = 0;
    for (const std::uint32_t link : flow.links) {
      hops_.push_back({sim::ResourceId{link}});
      latency += scenario_.links[link].latency.value();
    }
    if (latency >= (Time::max() - now).value()) return;  // not before the end of time
    network_.start(now, {hops_, flow.bytes.value() * units_, sim::Duration(sim::narrow(latency)),
                         sim::Bandwidth::max(), index});
  }

  void collect(Time now) {
    completed_.clear();
    network_.collect(now, completed_);
    for (const sim::FlowNetwork::Completion& completion : completed_) {
      completions_[completion.tag] = now;
      for (const std::size_t follower : followers_[completion.tag])
        if (--waits_for_[follower] == 0) release(follower, now);
    }
  }

  const FlowScenario& scenario_;
  std::int64_t units_;
  sim::EventQueue releases_;  // the payload is the flow
  sim::FlowNetwork network_;
  std::vector<std::size_t> waits_for_;
  std::vector<std::vector<std::size_t>> followers_;
  std::vector<std::optional<Time>> completions_;
  std::vector<sim::Hop> hops_;
  std::vector<sim::FlowNetwork::Completion> completed_;
};

}  // namespace

std::vector<std::optional<Time>> run_flow_scenario(const FlowScenario& scenario) {
  return Runner(scenario).run();
}

}  // namespace memsim::validate
