// Drives and NICs as ends of transfers, by hand.
#include "models/machine/machine.hpp"
#include "tests/models/machine/example_machine.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

using namespace sim::literals;

constexpr NodeRef socket{NodeKind::socket, 0};
constexpr NodeRef numa{NodeKind::numa, 0};
constexpr NodeRef gpu{NodeKind::gpu, 0};
constexpr NodeRef first_drive{NodeKind::drive, 0};
constexpr NodeRef second_drive{NodeKind::drive, 1};
constexpr NodeRef nic{NodeKind::nic, 0};

// One GPU, two drives that read 6 and write 2 GB/s, and a NIC of 10 GB/s of which
// 0.9 can be sent; every device has a link of 8 GB/s and 1 us.
SystemSpec devices() {
  SystemSpec system = one_gpu();
  system.drives.resize(2);
  for (PlacedDrive& drive : system.drives) {
    drive.part.read = 6_GBps;
    drive.part.write = 2_GBps;
    drive.part.read_share = drive.part.write_share = Fraction(parts_per_million);
    drive.part.read_latency = 80_us;
    drive.part.write_latency = 20_us;
    drive.part.queue_depth = 32;
    drive.part.request = sim::Bytes(128'000);
  }
  system.drives[0].name = "nvme0";
  system.drives[1].name = "nvme1";
  NicSpec adapter;
  adapter.rate = 10_GBps;
  adapter.send_share = Fraction(900'000);
  adapter.receive_share = Fraction(parts_per_million);
  adapter.latency = 2_us;
  system.nics.push_back({"nic0", adapter});
  LinkSpec link;
  link.bandwidth = 8_GBps;
  link.forward = link.backward = Fraction(parts_per_million);
  link.latency = 1_us;
  for (const NodeRef device : {first_drive, second_drive, nic})
    system.links.push_back({socket, device, link});
  return system;
}

std::vector<std::string> names(const Machine& machine, const sim::Route& route) {
  std::vector<std::string> result;
  for (const sim::Hop& hop : route.hops) result.emplace_back(machine.resource_name(hop.resource));
  return result;
}

// What transfers get that flow at the same time, in bytes per second.
std::vector<std::int64_t> rates(const Machine& machine, const std::vector<CopyRequest>& asked) {
  sim::FlowNetwork network = machine.network();
  std::vector<sim::FlowId> flows;
  for (const CopyRequest& each : asked) {
    const sim::Route route = machine.copy(each).route;
    flows.push_back(network.start(sim::Time(0),
                                  {.hops = route.hops, .amount = 1'000'000'000, .cap = route.cap}));
  }
  std::vector<sim::FlowNetwork::Completion> none;
  network.collect(sim::Time(0), none);
  network.settle(sim::Time(0));
  std::vector<std::int64_t> result;
  for (const sim::FlowId flow : flows) result.push_back(network.rate(flow).value());
  return result;
}

CopyRequest request(NodeRef from, NodeRef to) { return {from, to, sim::Bytes(1 << 20), false}; }

}  // namespace

TEST_CASE("a drive reads and writes host memory at its own rates, without thread and engine") {
  const Machine machine(devices());
  const CopyWay read = machine.copy(request(first_drive, numa));
  CHECK(names(machine, read.route) ==
        std::vector<std::string>{"nvme0 to socket0", "nvme0 read", "numa0 DDR"});
  CHECK_FALSE(read.engine.has_value());
  // 80 us for the request, 1 us of the link and 1 ps inside the socket.
  CHECK(read.route.latency.value() / 1'000'000 == 81);
  CHECK(machine.copy(request(numa, first_drive)).route.latency.value() / 1'000'000 == 21);
  // Full duplex in the medium: reads and writes have a rate each.
  CHECK(rates(machine, {request(first_drive, numa), request(numa, first_drive)}) ==
        std::vector<std::int64_t>{6'000'000'000, 2'000'000'000});
  // Two readers share one drive; another drive is another resource.
  CHECK(rates(machine, {request(first_drive, numa), request(first_drive, numa),
                        request(second_drive, numa)}) ==
        std::vector<std::int64_t>{3'000'000'000, 3'000'000'000, 6'000'000'000});
}

TEST_CASE("few requests in flight hold a drive back: depth x size / latency") {
  SystemSpec system = devices();
  system.drives[0].part.queue_depth = 1;
  const Machine machine(std::move(system));
  // 128,000 B in 80 us; written ones are answered after 20 us, faster than the medium writes.
  CHECK(rates(machine, {request(first_drive, numa)}) == std::vector<std::int64_t>{1'600'000'000});
  CHECK(rates(machine, {request(numa, first_drive)}) == std::vector<std::int64_t>{2'000'000'000});
  CHECK(machine.copy(request(first_drive, numa)).own_limit == "requests in flight");
}

TEST_CASE("without GPUDirect a drive's bytes go through the host's memory on their way to a GPU") {
  SystemSpec system = devices();
  system.drives[1].part.gpudirect = true;
  const Machine machine(std::move(system));
  const auto crosses_ddr = [&](NodeRef drive) {
    for (const std::string& name : names(machine, machine.copy(request(drive, gpu)).route))
      if (name == "numa0 DDR") return true;
    return false;
  };
  CHECK(crosses_ddr(first_drive));
  CHECK_FALSE(crosses_ddr(second_drive));
  // From one drive to another: read, written to memory, read, written.
  CHECK(rates(machine, {request(first_drive, second_drive)}) ==
        std::vector<std::int64_t>{2'000'000'000});
}

TEST_CASE("what a NIC sends and receives are two directions; its link may be the narrower one") {
  const Machine machine(devices());
  // 9 GB/s could be sent, but the link carries 8.
  CHECK(rates(machine, {request(numa, nic), request(nic, numa)}) ==
        std::vector<std::int64_t>{8'000'000'000, 8'000'000'000});
  SystemSpec wide = devices();
  wide.links.back().part.bandwidth = 16_GBps;
  CHECK(rates(Machine(std::move(wide)), {request(numa, nic), request(nic, numa)}) ==
        std::vector<std::int64_t>{9'000'000'000, 10'000'000'000});
}

TEST_CASE("the memory beside a device is that of the socket whose link leads to it") {
  const Machine machine(devices());
  CHECK(machine.home_numa(nic) == 0);
  CHECK(machine.node_name(nic) == "nic0");
  CHECK(machine.node_name(second_drive) == "nvme1");
}

}  // namespace memsim::models
