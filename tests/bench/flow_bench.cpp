// Flow completions per second, whole scenarios with their event queue; and what one isolated flow
// costs. The peer is simgrid_peer.cpp.
#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "sim/flow/flow_network.hpp"
#include "tests/bench/flow_scenarios.hpp"
#include "validate/compare/flow_runner.hpp"

namespace {

using namespace memsim;

void run_scenario(benchmark::State& state, const validate::FlowScenario& scenario) {
  for (auto _ : state) benchmark::DoNotOptimize(validate::run_flow_scenario(scenario));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(scenario.flows.size()));
}

// Start, settle and collect of a kernel that meets nobody on its SMs and HBM.
void isolated_flow(benchmark::State& state) {
  sim::FlowNetwork network;
  const std::array<sim::Hop, 2> hops{
      sim::Hop{network.add_resource(sim::Bandwidth(sim::picoseconds_per_second))},
      sim::Hop{network.add_resource(sim::Bandwidth(2'000'000'000'000))}};
  std::vector<sim::FlowNetwork::Completion> completed;
  sim::Time now{};
  for (auto _ : state) {
    network.start(now, {hops, 1'000'000, {}, sim::Bandwidth::max(), 1});
    network.settle(now);
    now = network.next_event();
    completed.clear();
    network.collect(now, completed);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(isolated_flow);

[[maybe_unused]] const bool registered = [] {
  for (const bench::NamedScenario& named : bench::flow_scenarios())
    benchmark::RegisterBenchmark(
        named.name.c_str(),
        [scenario = named.scenario](benchmark::State& state) { run_scenario(state, scenario); });
  return true;
}();

}  // namespace
