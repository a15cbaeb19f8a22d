#include "models/machine/machine.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/core/check.hpp"
#include "tests/models/machine/example_machine.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

using namespace sim::literals;

constexpr NodeRef gpu(std::uint32_t index) { return {NodeKind::gpu, index}; }
constexpr NodeRef numa(std::uint32_t index) { return {NodeKind::numa, index}; }

// Hops as people read them: name and weight.
std::vector<std::pair<std::string, std::int64_t>> named(const Machine& machine,
                                                        const sim::Route& route) {
  std::vector<std::pair<std::string, std::int64_t>> result;
  for (const sim::Hop& hop : route.hops) {
    result.emplace_back(machine.resource_name(hop.resource), hop.weight);
  }
  return result;
}

using Hops = std::vector<std::pair<std::string, std::int64_t>>;

}  // namespace

TEST_CASE(
    "the machine of two sockets has two DDRs, a socket link, GPUs and both ways of each link") {
  const Machine machine(eight_gpus());
  // 2 DDR + 2 between sockets + 8 x (HBM, SMs) + 20 links x 2
  CHECK(machine.resources().size() == 2 + 2 + 16 + 40);
  CHECK(machine.gpu_count() == 8);
  const auto find = [&](std::string_view name) -> const Resource& {
    const auto found = std::find_if(machine.resources().begin(), machine.resources().end(),
                                    [&](const Resource& r) { return r.name == name; });
    REQUIRE(found != machine.resources().end());
    return *found;
  };
  CHECK(find("numa1 DDR").nominal == 200_GBps);
  CHECK(find("numa1 DDR").capacity == 200_GBps * dram_unit);
  CHECK(find("gpu7 HBM").capacity == 1000_GBps * dram_unit);
  CHECK(find("gpu7 SMs").capacity == sim::Bandwidth(1'000'000'000'000));
  CHECK(find("socket0 to socket1").capacity == 15_GBps);
  CHECK(find("pcie[0] to gpu0").capacity == 20_GBps);
  CHECK(find("pcie[0] to gpu0").nominal == 40_GBps);
  CHECK(find("gpu0 to pcie[0]").capacity == 10_GBps);
  CHECK(find("gpu3 to nvswitch").capacity == 100_GBps);
}

TEST_CASE("a copy to a GPU crosses its socket's DDR, the switch's uplink, its link and its HBM") {
  const Machine machine(eight_gpus());
  const sim::Route route = machine.route(numa(1), gpu(5));
  // A DDR read achieves 0.8 and an HBM write 0.5 of nominal: weights 10000/0.8 and 10000/0.5.
  CHECK(named(machine, route) == Hops{{"socket1 to pcie[2]", 1},
                                      {"pcie[2] to gpu5", 1},
                                      {"numa1 DDR", 12'500},
                                      {"gpu5 HBM", 20'000}});
  CHECK(route.latency == 2_us);
  CHECK(route.name == "numa1 to gpu5");
  CHECK(route.cap == sim::Bandwidth::max());
}

TEST_CASE("a copy from a GPU to the other socket crosses the link between the sockets") {
  const Machine machine(eight_gpus());
  const sim::Route route = machine.route(gpu(0), numa(1));
  CHECK(named(machine, route) == Hops{{"gpu0 to pcie[0]", 1},
                                      {"pcie[0] to socket0", 1},
                                      {"socket0 to socket1", 1},
                                      {"gpu0 HBM", 10'000},
                                      {"numa1 DDR", 25'000}});
  CHECK(route.latency == 2_us + 100_ns);
}

TEST_CASE("GPUs copy to each other by their fastest way, which leads through no other GPU") {
  const Machine machine(eight_gpus());
  CHECK(named(machine, machine.route(gpu(0), gpu(7))) == Hops{{"gpu0 to nvswitch", 1},
                                                              {"nvswitch to gpu7", 1},
                                                              {"gpu0 HBM", 10'000},
                                                              {"gpu7 HBM", 20'000}});
  SystemSpec without = eight_gpus();
  without.switches.pop_back();
  without.links.resize(12);
  const Machine pcie(std::move(without));
  CHECK(named(pcie, pcie.route(gpu(0), gpu(1))) == Hops{{"gpu0 to pcie[0]", 1},
                                                        {"pcie[0] to gpu1", 1},
                                                        {"gpu0 HBM", 10'000},
                                                        {"gpu1 HBM", 20'000}});
  CHECK(pcie.route(gpu(0), gpu(7)).hops.size() == 2 + 1 + 2 + 2);
}

TEST_CASE("two links between one pair are two resources, and a way takes the first") {
  SystemSpec system = one_gpu();
  system.links.push_back(system.links.front());
  const Machine machine(std::move(system));
  CHECK(machine.resources().size() == 1 + 2 + 4);
  CHECK(machine.resources()[5].name == "socket0 to gpu0 #2");
  CHECK(named(machine, machine.route(numa(0), gpu(0))).front().first == "socket0 to gpu0");
}

TEST_CASE("both directions of a link with a duplex total share it") {
  SystemSpec system = one_gpu();
  system.links[0].part.duplex_total = 25_GBps;
  const Machine machine(std::move(system));
  CHECK(named(machine, machine.route(numa(0), gpu(0)))[1].first == "socket0 and gpu0");
  CHECK(named(machine, machine.route(gpu(0), numa(0)))[1].first == "socket0 and gpu0");
  CHECK(machine.resources()[3].capacity == 25_GBps);
}

TEST_CASE("a GPU's home is the NUMA node closest to it, of equal ones the first") {
  const Machine machine(eight_gpus());
  for (std::size_t i = 0; i < 8; ++i) CHECK(machine.home_numa(i) == i / 4);

  // Two NUMA nodes in a socket; the second GPU hangs on the second of them.
  SystemSpec system = one_gpu();
  system.host.sockets[0].numa.push_back(system.host.sockets[0].numa[0]);
  system.gpus.push_back({"gpu1", example_gpu()});
  system.links.push_back({numa(1), gpu(1), example_link()});
  const Machine split(std::move(system));
  CHECK(split.home_numa(0) == 0);
  CHECK(split.home_numa(1) == 1);
  // From the other NUMA node the way leads over the socket and through numa1, past its DDR.
  CHECK(named(split, split.route(numa(0), gpu(1))) ==
        Hops{{"numa1 to gpu1", 1}, {"numa0 DDR", 12'500}, {"gpu1 HBM", 20'000}});
}

TEST_CASE("a placement has the local routes, its engines and the driver's costs") {
  const Machine machine(eight_gpus());
  const sim::Placement placement = machine.placement(2);
  REQUIRE(placement.routes.size() == local_route_count);
  const auto hops = [&](LocalRoute which) {
    return named(machine, placement.routes[index(which)]);
  };
  CHECK(hops(LocalRoute::compute) == Hops{{"gpu2 SMs", 1}});
  CHECK(hops(LocalRoute::hbm) == Hops{{"gpu2 HBM", 10'000}});
  CHECK(placement.routes[index(LocalRoute::hbm)].name == "HBM");
  CHECK(hops(LocalRoute::h2d_pinned) == named(machine, machine.route(numa(0), gpu(2))));
  CHECK(hops(LocalRoute::d2h_pinned) == named(machine, machine.route(gpu(2), numa(0))));
  // Three crossings of DDR in a mix that achieves 0.5: 3 x 20000.
  CHECK(hops(LocalRoute::h2d_pageable) == Hops{{"socket0 to pcie[1]", 1},
                                               {"pcie[1] to gpu2", 1},
                                               {"numa0 DDR", 60'000},
                                               {"gpu2 HBM", 20'000}});
  CHECK(hops(LocalRoute::d2h_pageable) == Hops{{"gpu2 to pcie[1]", 1},
                                               {"pcie[1] to socket0", 1},
                                               {"numa0 DDR", 60'000},
                                               {"gpu2 HBM", 10'000}});
  CHECK(placement.routes[index(LocalRoute::h2d_pageable)].cap == 8_GBps);
  CHECK(placement.routes[index(LocalRoute::h2d_pageable)].latency == 2_us);
  CHECK(hops(LocalRoute::host_memory) == Hops{{"numa0 DDR", 20'000}});
  CHECK(placement.routes[index(LocalRoute::host_memory)].name == "DDR");

  // Four engines a GPU: those of gpu2 are 8 to 11.
  CHECK(placement.engines == std::vector<std::uint32_t>{8, 9, 10, 11});
  CHECK(placement.driver.launch == 2_us);
  CHECK(placement.driver.malloc == 60_us);
  CHECK(placement.driver.free == 90_us);
  CHECK(placement.driver.map == 25_us);
  CHECK(placement.driver.unmap == 26_us);
  CHECK_FALSE(placement.driver.copy.has_value());
}

TEST_CASE("the host part of a copy's call is the largest of the links on the way") {
  SystemSpec system = eight_gpus();
  system.links[0].part.overhead = 3_us;
  system.links[4].part.overhead = 5_us;
  const Machine machine(std::move(system));
  CHECK(machine.placement(0).driver.copy == 5_us);
  CHECK(machine.placement(1).driver.copy == 3_us);
  CHECK_FALSE(machine.placement(2).driver.copy.has_value());
}

TEST_CASE("a process may have its memory on the other socket") {
  const Machine machine(eight_gpus());
  const sim::Placement remote = machine.placement(0, 1);
  CHECK(named(machine, remote.routes[index(LocalRoute::h2d_pinned)]).front().first ==
        "socket1 to socket0");
  CHECK(named(machine, remote.routes[index(LocalRoute::host_memory)]).front().first == "numa1 DDR");
}

TEST_CASE("engines are found by kind") {
  const GpuSpec part = example_gpu();
  CHECK(engine_index(part, CopyEngine::host_to_device) == 0);
  CHECK(engine_index(part, CopyEngine::device_to_host) == 1);
  CHECK(engine_index(part, CopyEngine::peer) == 2);
  CHECK(engine_index(part, CopyEngine::peer, 1) == 3);
  CHECK_THROWS_AS(engine_index(part, CopyEngine::peer, 2), sim::InternalError);
  CHECK_THROWS_AS(engine_index(part, CopyEngine::host_to_device, 1), sim::InternalError);
}

TEST_CASE("the start-up of a copy is the sum over the links on its way") {
  SystemSpec system = eight_gpus();
  CHECK(Machine(system).start_up(numa(0), gpu(0), 2000_B) == 0_ps);
  // 2000 B at 0.2 x 40 GB/s take 250 ns, at 20 GB/s 100 ns, at 10 GB/s 200 ns.
  system.links[0].part.efficiency = {{1000_B, Fraction(200'000)}};
  system.links[4].part.efficiency = {{1000_B, Fraction(200'000)}};
  const Machine machine(std::move(system));
  CHECK(machine.start_up(numa(0), gpu(0), 2000_B) == 300_ns);
  CHECK(machine.start_up(gpu(0), numa(0), 2000_B) == 100_ns);
}

TEST_CASE("a machine refuses what it does not have") {
  const Machine machine(one_gpu());
  CHECK_THROWS_AS(machine.gpu(1), sim::InternalError);
  CHECK_THROWS_AS(machine.resource_name(sim::ResourceId{99}), sim::InternalError);
  CHECK_THROWS_AS(machine.route(gpu(0), gpu(1)), sim::InternalError);
  SystemSpec apart = one_gpu();
  apart.links.clear();
  const Machine island(std::move(apart));
  CHECK_THROWS_AS(island.home_numa(0), sim::InternalError);
  CHECK_THROWS_AS(island.route(numa(0), gpu(0)), sim::InternalError);
}

TEST_CASE("nodes are called as files call them") {
  const Machine machine(eight_gpus());
  CHECK(machine.node_name({NodeKind::socket, 1}) == "socket1");
  CHECK(machine.node_name(numa(0)) == "numa0");
  CHECK(machine.node_name({NodeKind::fabric, 4}) == "nvswitch");
  CHECK(machine.node_name(gpu(3)) == "gpu3");
  CHECK(machine.spec().name == "eight");
  CHECK(machine.gpu(0).name == "example");
}

}  // namespace memsim::models
