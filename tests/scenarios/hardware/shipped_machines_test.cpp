// The shipped systems as machines: routes and shared resources by hand.
#include <algorithm>

#include "models/machine/machine.hpp"
#include "tests/scenarios/hardware/hardware_folder.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

using namespace sim::literals;
using models::LocalRoute;
using models::Machine;
using models::NodeKind;
using models::NodeRef;

Machine shipped_machine(std::string_view name) {
  Sources sources;
  Diagnostics diagnostics;
  std::optional<LoadedSystem> loaded =
      load_system(shipped_catalogue(), name, {}, sources, diagnostics);
  INFO(diagnostics.text(""));
  REQUIRE(loaded.has_value());
  return Machine(std::move(loaded->spec));
}

std::vector<std::string> names(const Machine& machine, const sim::Route& route) {
  std::vector<std::string> result;
  for (const sim::Hop& hop : route.hops) {
    result.emplace_back(machine.resource_name(hop.resource));
  }
  return result;
}

sim::Bandwidth nominal(const Machine& machine, std::string_view name) {
  const auto found = std::find_if(machine.resources().begin(), machine.resources().end(),
                                  [&](const models::Resource& r) { return r.name == name; });
  REQUIRE(found != machine.resources().end());
  return found->nominal;
}

constexpr NodeRef gpu(std::uint32_t index) { return {NodeKind::gpu, index}; }
constexpr NodeRef numa(std::uint32_t index) { return {NodeKind::numa, index}; }

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a100 is the ladder: 1555 GB/s of HBM, 76.8 GB/s of DDR5, 31.5 GB/s of PCIe 4 x16") {
  const Machine machine = shipped_machine("a100");
  CHECK(machine.gpu_count() == 1);
  CHECK(nominal(machine, "gpu0 HBM") == 1555_GBps);
  CHECK(nominal(machine, "numa0 DDR") == 76'800_MBps);
  CHECK(nominal(machine, "socket0 to gpu0") == 31'500_MBps);
  CHECK(names(machine, machine.placement(0).routes[index(LocalRoute::h2d_pinned)]) ==
        Names{"socket0 to gpu0", "numa0 DDR", "gpu0 HBM"});
}

TEST_CASE("a DGX A100 has 2 sockets, 4 PCIe switches with 2 GPUs each, and one NVSwitch for all") {
  for (const char* name : {"dgx-a100-40", "dgx-a100-80"}) {
    const Machine machine = shipped_machine(name);
    REQUIRE(machine.gpu_count() == 8);
    // 2 DDR, 2 directions between the sockets, 8 HBM, 8 SMs, 4 uplinks, 8 PCIe links and 8 NVLinks;
    // 8 NICs with their links, and the drives with theirs; root complexes have a port for each
    // uplink and drive.
    const std::size_t drives = machine.spec().drives.size();
    CHECK(drives == (name == std::string("dgx-a100-40") ? 4 : 8));
    CHECK(machine.resources().size() ==
          2 + 2 + 8 + 8 + 2 * (4 + 8 + 8) + 2 * (8 + 8) + 2 * (drives + drives) + (4 + drives));
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::string at = "gpu" + std::to_string(i);
      const std::string pcie = "pcie[" + std::to_string(i / 2) + "]";
      const std::string socket = "socket" + std::to_string(i / 4);
      const std::string ddr = "numa" + std::to_string(i / 4) + " DDR";
      const std::string port = socket + " port of " + pcie;
      const sim::Placement placement = machine.placement(i);
      CHECK(names(machine, placement.routes[index(LocalRoute::h2d_pinned)]) ==
            Names{socket + " to " + pcie, port, pcie + " to " + at, ddr, at + " HBM"});
      CHECK(names(machine, placement.routes[index(LocalRoute::d2h_pageable)]) ==
            Names{at + " to " + pcie, pcie + " to " + socket, port, ddr, at + " HBM"});
    }
    CHECK(names(machine, machine.route(gpu(0), gpu(1))) ==
          Names{"gpu0 to nvswitch", "nvswitch to gpu1", "gpu0 HBM", "gpu1 HBM"});
    CHECK(names(machine, machine.route(gpu(0), gpu(7))) ==
          Names{"gpu0 to nvswitch", "nvswitch to gpu7", "gpu0 HBM", "gpu7 HBM"});
    CHECK(names(machine, machine.route(numa(1), gpu(0))) ==
          Names{"socket1 to socket0", "socket0 to pcie[0]", "socket0 port of pcie[0]",
                "pcie[0] to gpu0", "numa1 DDR", "gpu0 HBM"});
  }
}

TEST_CASE("a NIC of a DGX A100 is behind the switch of its GPU, and reads its memory directly") {
  const Machine machine = shipped_machine("dgx-a100-40");
  const models::CopyWay way =
      machine.copy({gpu(2), NodeRef{NodeKind::nic, 3}, sim::Bytes(1'000'000), false});
  CHECK(names(machine, way.route) ==
        Names{"gpu2 to pcie[1]", "pcie[1] to nic3", "gpu2 HBM", "nic3 send"});
  CHECK_FALSE(way.engine.has_value());
}

TEST_CASE("the 80 GB DGX A100 differs from the 40 GB one in its memories") {
  const Machine small = shipped_machine("dgx-a100-40");
  const Machine large = shipped_machine("dgx-a100-80");
  CHECK(small.gpu(0).memory.capacity == 40_GB);
  CHECK(large.gpu(7).memory.capacity == 80_GB);
  CHECK(large.gpu(7).compute.peak == small.gpu(7).compute.peak);
  CHECK(small.spec().host.sockets[1].numa[0].memory.capacity == 512_GiB);
  CHECK(large.spec().host.sockets[1].numa[0].memory.capacity == 1024_GiB);
}

TEST_CASE("a pinned copy to one A100 reaches what is measured, a pageable one what memcpy gives") {
  const Machine machine = shipped_machine("dgx-a100-40");
  const sim::Placement placement = machine.placement(0);
  const auto alone = [&](LocalRoute which) {
    sim::FlowNetwork network = machine.network();
    const sim::Route& route = placement.routes[index(which)];
    sim::FlowSpec flow;
    flow.hops = route.hops;
    flow.amount = 1'000'000'000;
    flow.cap = route.cap;
    const sim::FlowId id = network.start(sim::Time(0), flow);
    std::vector<sim::FlowNetwork::Completion> completed;
    network.collect(sim::Time(0), completed);
    network.settle(sim::Time(0));
    return network.rate(id);
  };
  // Measured: 24.8 to 26.4 GB/s pinned, 10.0 and 10.8 GB/s pageable (bandwidthTest).
  CHECK(alone(LocalRoute::h2d_pinned) >= 24'800_MBps);
  CHECK(alone(LocalRoute::h2d_pinned) <= 26'400_MBps);
  CHECK(alone(LocalRoute::h2d_pageable) >= 10'000_MBps);
  CHECK(alone(LocalRoute::d2h_pageable) <= 10'800_MBps);
}

TEST_CASE("single-GPU systems of other GPUs have the link that the GPU has") {
  CHECK(nominal(shipped_machine("1xt4"), "socket0 to gpu0") == 15'750_MBps);
  CHECK(nominal(shipped_machine("1xv100-32"), "socket0 to gpu0") == 15'750_MBps);
  CHECK(nominal(shipped_machine("1x4090"), "socket0 to gpu0") == 31'500_MBps);
  CHECK(nominal(shipped_machine("1xh100"), "socket0 to gpu0") == 63'000_MBps);
  CHECK(nominal(shipped_machine("dgx-h100"), "gpu0 to nvswitch") == 450_GBps);
}

TEST_CASE("a DGX-1 is a hybrid cube mesh: six NVLinks a GPU, no link between some pairs") {
  const Machine machine = shipped_machine("8xv100");
  CHECK(names(machine, machine.route(gpu(0), gpu(3))) ==
        Names{"gpu0 to gpu3", "gpu0 HBM", "gpu3 HBM"});
  CHECK(nominal(machine, "gpu0 to gpu3") == 50_GBps);
  CHECK(nominal(machine, "gpu0 to gpu1") == 25_GBps);
  CHECK(names(machine, machine.route(gpu(0), gpu(5))).front() == "gpu0 to pcie[0]");
  // Six links of 25 GB/s leave each GPU.
  for (std::uint32_t i = 0; i < 8; ++i) {
    const std::string from = "gpu" + std::to_string(i) + " to gpu";
    sim::Bandwidth sum;
    for (const models::Resource& resource : machine.resources()) {
      if (resource.name.starts_with(from)) sum += resource.nominal;
    }
    CHECK(sum == 150_GBps);
  }
}

TEST_CASE("a compute tray of GB200 NVL72 has two Grace with two GPUs each and one NVLink domain") {
  const Machine machine = shipped_machine("gb200-nvl72");
  REQUIRE(machine.gpu_count() == 4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::string at = "gpu" + std::to_string(i);
    const std::string socket = std::to_string(i / 2);
    CHECK(names(machine, machine.placement(i).routes[index(LocalRoute::h2d_pinned)]) ==
          Names{"socket" + socket + " to " + at, "numa" + socket + " LPDDR", at + " HBM"});
  }
  CHECK(names(machine, machine.route(gpu(0), gpu(3))) ==
        Names{"gpu0 to nvswitch", "nvswitch to gpu3", "gpu0 HBM", "gpu3 HBM"});
  CHECK(nominal(machine, "gpu0 to nvswitch") == 900_GBps);
}

TEST_CASE("eight MI300X have a link for every pair, four RTX 4090 meet at the processor") {
  const Machine mesh = shipped_machine("8xmi300x");
  for (std::uint32_t i = 1; i < 8; ++i) {
    const std::string to = std::to_string(i);
    CHECK(names(mesh, mesh.route(gpu(0), gpu(i))) ==
          Names{"gpu0 to gpu" + to, "gpu0 HBM", "gpu" + to + " HBM"});
  }
  const Machine desk = shipped_machine("4x4090");
  CHECK(names(desk, desk.route(gpu(0), gpu(3))).front() == "gpu0 to socket0");
}

TEST_CASE("an instance with older processors has slower uplinks than its GPUs' links") {
  const Machine machine = shipped_machine("p4d.24xlarge");
  CHECK(nominal(machine, "socket0 to pcie[0]") == 15'750_MBps);
  CHECK(nominal(machine, "pcie[0] to gpu0") == 31'500_MBps);
  CHECK(machine.spec().host.sockets[1].numa[0].memory.capacity == 576_GiB);
}

}  // namespace memsim::scenarios
