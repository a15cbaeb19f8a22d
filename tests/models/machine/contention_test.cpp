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

TEST_CASE("staged one after the other, a pageable copy takes the time of memcpy and DMA") {
  SystemSpec system = one_gpu();
  system.host.staging = Staging::serial;
  const Machine machine(std::move(system));
  // Down: 1 / (1/8 + 1/20) GB/s; up: 1 / (1/8 + 1/10) GB/s.
  CHECK(rates(machine, {{0, LocalRoute::h2d_pageable}}) == Rates{sim::Bandwidth(5'714'285'714)});
  CHECK(rates(machine, {{0, LocalRoute::d2h_pageable}}) == Rates{sim::Bandwidth(4'444'444'444)});
}

TEST_CASE("a pageable copy and a CPU job on the same NUMA node slow each other down") {
  // 40 GB/s of DDR that a mix uses at half: a copied byte takes three times 20000 units of bus
  // time, a byte of the job 20000, so both get 40 x 10000 / 80000 = 5 GB/s. On the other node
  // the copy keeps its third of 20 GB/s.
  SystemSpec system = eight_gpus();
  for (SocketSpec& socket : system.host.sockets) {
    socket.numa[0].memory.channels = 2;
    socket.numa[0].memory.channel_bandwidth = 20_GBps;
  }
  const Machine machine(std::move(system));
  CHECK(rates(machine, {{0, LocalRoute::h2d_pageable}, {0, LocalRoute::host_memory}}) ==
        Rates{5_GBps, 5_GBps});
  CHECK(rates(machine, {{0, LocalRoute::h2d_pageable}, {4, LocalRoute::host_memory}}) ==
        Rates{sim::Bandwidth(6'666'666'666), 20_GBps});
}

TEST_CASE("links of one socket share its root complex, per direction and in all") {
  SystemSpec system = eight_gpus();
  const auto h2d = LocalRoute::h2d_pinned;
  const auto d2h = LocalRoute::d2h_pinned;
  system.host.sockets[0].root_complex.down = 30_GBps;
  CHECK(rates(Machine(system), {{0, h2d}, {2, h2d}}) == Rates{15_GBps, 15_GBps});
  CHECK(rates(Machine(system), {{0, h2d}, {4, h2d}}) == Rates{20_GBps, 20_GBps});
  CHECK(rates(Machine(system), {{0, d2h}, {2, d2h}}) == Rates{10_GBps, 10_GBps});
  system.host.sockets[0].root_complex.total = 16_GBps;
  CHECK(rates(Machine(system), {{0, h2d}, {2, d2h}}) == Rates{8_GBps, 8_GBps});
  system.host.sockets[0].root_complex = {.down = {}, .up = 12_GBps, .total = {}};
  CHECK(rates(Machine(system), {{0, d2h}, {2, d2h}, {0, h2d}}) == Rates{6_GBps, 6_GBps, 20_GBps});
}

TEST_CASE("both directions share the host's DRAM as its reads and writes do") {
  // 24 GB/s of DRAM that reads use fully and writes at a half: a byte down takes 1 of it, a byte
  // up 2, so each direction gets 8 GB/s; alone it is 20 down (the link) and 10 up (the link).
  SystemSpec system = one_gpu();
  HostMemorySpec& memory = system.host.sockets[0].numa[0].memory;
  memory.channels = 1;
  memory.channel_bandwidth = 24_GBps;
  memory.achieved = {Fraction(1'000'000), Fraction(500'000), Fraction(700'000)};
  const Machine machine(std::move(system));
  CHECK(rates(machine, {{0, LocalRoute::h2d_pinned}}) == Rates{20_GBps});
  CHECK(rates(machine, {{0, LocalRoute::d2h_pinned}}) == Rates{10_GBps});
  CHECK(rates(machine, {{0, LocalRoute::h2d_pinned}, {0, LocalRoute::d2h_pinned}}) ==
        Rates{8_GBps, 8_GBps});
}

TEST_CASE("a memory behind a link is bound by the link, and threads cross it too") {
  SystemSpec system = one_gpu();
  NumaSpec expander = system.host.sockets[0].numa[0];
  expander.memory.kind = "CXL";
  expander.link = {.bandwidth = 9_GBps, .latency = 150_ns};
  system.host.sockets[0].numa.push_back(expander);
  const Machine machine(std::move(system));
  const sim::Placement far = machine.placement(0, 1);
  const auto rate = [&](LocalRoute which) {
    sim::FlowNetwork network = machine.network();
    const sim::Route& route = far.routes[index(which)];
    const sim::FlowId flow =
        network.start(sim::Time(0), {.hops = route.hops, .amount = 1'000'000, .cap = route.cap});
    std::vector<sim::FlowNetwork::Completion> completed;
    network.collect(sim::Time(0), completed);
    network.settle(sim::Time(0));
    return network.rate(flow);
  };
  CHECK(machine.home_numa(0) == 0);
  CHECK(rate(LocalRoute::h2d_pinned) == 9_GBps);
  CHECK(far.routes[index(LocalRoute::h2d_pinned)].latency == 1_us + 150_ns);
  CHECK(rate(LocalRoute::host_memory) == 9_GBps);
  // The thread reads through the link and the DMA reads through it again: 4.5 GB/s.
  CHECK(rate(LocalRoute::h2d_pageable) == sim::Bandwidth(4'500'000'000));
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
