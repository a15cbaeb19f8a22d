// Transfers on a whole machine, through the flow network: who slows down whom, by hand.
#include <vector>

#include "models/machine/machine.hpp"
#include "sim/exec/executor.hpp"
#include "tests/models/machine/example_machine.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

using namespace sim::literals;

// Rates of one transfer on each of these local routes, all running at once.
std::vector<sim::Bandwidth> rates(
    const Machine& machine, const std::vector<std::pair<std::size_t, LocalRoute>>& transfers) {
  sim::FlowNetwork network = machine.network();
  std::vector<sim::FlowId> flows;
  for (const auto& [gpu, which] : transfers) {
    const sim::Route route = machine.placement(gpu).routes[index(which)];
    sim::FlowSpec flow;
    flow.hops = route.hops;
    flow.amount = 1'000'000'000;
    flow.cap = route.cap;
    flows.push_back(network.start(sim::Time(0), flow));
  }
  std::vector<sim::FlowNetwork::Completion> completed;
  network.collect(sim::Time(0), completed);
  network.settle(sim::Time(0));
  std::vector<sim::Bandwidth> result;
  for (const sim::FlowId flow : flows) result.push_back(network.rate(flow));
  return result;
}

using Rates = std::vector<sim::Bandwidth>;

}  // namespace

TEST_CASE("copies to two GPUs of one switch share its uplink, to two switches they do not") {
  const Machine machine(eight_gpus());
  const auto h2d = LocalRoute::h2d_pinned;
  CHECK(rates(machine, {{0, h2d}}) == Rates{20_GBps});
  CHECK(rates(machine, {{0, h2d}, {1, h2d}}) == Rates{10_GBps, 10_GBps});
  CHECK(rates(machine, {{0, h2d}, {2, h2d}}) == Rates{20_GBps, 20_GBps});
}

TEST_CASE("the two directions of a link do not share, and each has its own rate") {
  const Machine machine(eight_gpus());
  CHECK(rates(machine, {{0, LocalRoute::h2d_pinned}, {0, LocalRoute::d2h_pinned}}) ==
        Rates{20_GBps, 10_GBps});
}

TEST_CASE("a duplex total binds both directions together") {
  SystemSpec system = one_gpu();
  system.links[0].part.duplex_total = 24_GBps;
  const Machine machine(std::move(system));
  // The slower direction is bound at 10 GB/s; the other one gets the rest.
  CHECK(rates(machine, {{0, LocalRoute::h2d_pinned}, {0, LocalRoute::d2h_pinned}}) ==
        Rates{14_GBps, 10_GBps});
}

TEST_CASE("a pageable copy is bound by one thread's memcpy") {
  const Machine machine(eight_gpus());
  CHECK(rates(machine, {{0, LocalRoute::h2d_pageable}}) == Rates{8_GBps});
}

TEST_CASE("pageable copies press on DDR three times over") {
  // One socket with 40 GB/s of nominal DDR: in a mix it achieves 20 GB/s, a third of it for copies.
  SystemSpec system = one_gpu();
  system.host.sockets[0].numa[0].memory.channels = 2;
  system.host.sockets[0].numa[0].memory.channel_bandwidth = 20_GBps;
  const Machine machine(std::move(system));
  CHECK(rates(machine, {{0, LocalRoute::h2d_pageable}}) == Rates{sim::Bandwidth(6'666'666'666)});
  // Reads alone achieve 32 GB/s, so a pinned copy keeps its 20 GB/s ...
  CHECK(rates(machine, {{0, LocalRoute::h2d_pinned}}) == Rates{20_GBps});
  // ... until CPU threads want 20000 units of bus time a byte beside its 12500: each gets
  // 40 GB/s x 10000 / 32500, rounded down.
  CHECK(rates(machine, {{0, LocalRoute::h2d_pinned}, {0, LocalRoute::host_memory}}) ==
        Rates{sim::Bandwidth(12'307'692'307), sim::Bandwidth(12'307'692'307)});
}

TEST_CASE("a copy pays its host part on the thread, latency and transfer on the stream") {
  SystemSpec system = one_gpu();
  system.links[0].part.overhead = 7_us;
  const Machine machine(std::move(system));
  sim::Program program;
  program.phases = {"copy"};
  program.labels = {"copy"};
  sim::Work copy;
  copy.kind = sim::WorkKind::copy;
  copy.engine = engine_index(machine.gpu(0), CopyEngine::host_to_device);
  copy.demands = {{index(LocalRoute::h2d_pinned), 20'000'000}};
  program.works.push_back(copy);
  sim::Block block;
  block.ops.push_back({.code = sim::OpCode::launch, .target = 0});
  block.ops.push_back({.code = sim::OpCode::synchronize_device});
  program.blocks.push_back(block);
  program.threads.push_back({{{sim::Step::phase, 0}, {sim::Step::call, 0}}});
  sim::FlowNetwork network = machine.network();
  const auto run = sim::run(network, {{&program, machine.placement(0)}}, {});
  REQUIRE(run.has_value());
  // 7 us of the call, 1 us to the first byte, 20 MB at 20 GB/s.
  CHECK(run->end == sim::Time(0) + 7_us + 1_us + 1_ms);
}

}  // namespace memsim::models
