// Transfers on small machines, by hand. On eight_gpus() every link carries 20 GB/s down and 10 up
// and has a latency of 1 us, a call costs 2 us, and the way to a GPU has two links.
#include "scenarios/transfer/transfer.hpp"

#include <string>
#include <utility>
#include <vector>

#include "scenarios/plan/failure.hpp"
#include "scenarios/transfer/sweep.hpp"
#include "tests/models/machine/example_machine.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

using namespace sim::literals;
using models::Machine;
using models::NodeKind;
using models::NodeRef;

constexpr NodeRef gpu(std::uint32_t index) { return {NodeKind::gpu, index}; }
constexpr NodeRef ddr(std::uint32_t index) { return {NodeKind::numa, index}; }

Transfer pinned(NodeRef from, NodeRef to, sim::Bytes bytes, std::int64_t count = 1) {
  return {{from, to, bytes, false}, count};
}

TransferAnswer ask(const Machine& machine, const std::vector<Transfer>& transfers) {
  auto answer = transfer(machine, transfers);
  REQUIRE(answer.has_value());
  return *std::move(answer);
}

}  // namespace

TEST_CASE("two copies under one uplink take exactly twice as long, under two they do not") {
  const Machine machine(models::eight_gpus());
  const TransferAnswer alone = ask(machine, {pinned(ddr(0), gpu(0), 20_GB)});
  CHECK(alone.transfers[0].time == 2_us + 2_us + 1_s);
  CHECK(alone.transfers[0].call == 2_us);
  CHECK(alone.transfers[0].latency == 2_us);
  const TransferAnswer both =
      ask(machine, {pinned(ddr(0), gpu(0), 20_GB), pinned(ddr(0), gpu(1), 20_GB)});
  for (const TransferResult& result : both.transfers) {
    CHECK(result.time == 2_us + 2_us + 2_s);
    CHECK(result.alone == alone.transfers[0].rate);
    REQUIRE(result.bindings.size() == 1);
    CHECK(result.bindings[0].resource == "socket0 to pcie[0]");
    CHECK(result.bindings[0].time == 2_s);
  }
  CHECK(both.transfers[0].bindings[0].sharers == std::vector<std::size_t>{1});
  const TransferAnswer apart =
      ask(machine, {pinned(ddr(0), gpu(0), 20_GB), pinned(ddr(0), gpu(2), 20_GB)});
  CHECK(apart.transfers[0].time == alone.transfers[0].time);
  CHECK(apart.transfers[0].bindings[0].sharers.empty());
}

TEST_CASE("a copy behind another one waits for the copy engine") {
  const Machine machine(models::eight_gpus());
  const TransferAnswer answer =
      ask(machine, {pinned(ddr(0), gpu(0), 20_GB), pinned(ddr(0), gpu(0), 20_GB)});
  CHECK(answer.transfers[0].time == 2_us + 2_us + 1_s);
  CHECK(answer.transfers[1].engine == 2_us + 1_s);
  CHECK(answer.transfers[1].time == 2_us + 2 * (2_us + 1_s));
}

TEST_CASE("copies that follow each other pay for their calls while the first is on its way") {
  const Machine machine(models::eight_gpus());
  const TransferResult result = ask(machine, {pinned(ddr(0), gpu(0), 20_GB, 3)}).transfers.front();
  CHECK(result.bytes == 60_GB);
  CHECK(result.call == 2_us);
  CHECK(result.time == 2_us + 3 * (2_us + 1_s));
}

TEST_CASE("memory of the other socket comes through the link between sockets") {
  const Machine machine(models::eight_gpus());
  const TransferResult result = ask(machine, {pinned(ddr(1), gpu(0), 15_GB)}).transfers.front();
  CHECK(result.time == 2_us + 2_us + 100_ns + 1_s);
  CHECK(result.bindings[0].resource == "socket1 to socket0");
}

TEST_CASE("without peer access a copy between GPUs of one switch crosses its uplink twice") {
  models::SystemSpec system = models::eight_gpus();
  const TransferResult peers =
      ask(Machine(system), {pinned(gpu(0), gpu(1), 100_GB)}).transfers.front();
  CHECK(peers.time == 2_us + 2_us + 1_s);  // over NVLink
  for (models::PlacedGpu& placed : system.gpus) placed.part.copy.peer = 0;
  const Machine machine(std::move(system));
  // Up at 10 GB/s to the host, and down again: four links' latency.
  const TransferAnswer alone = ask(machine, {pinned(gpu(0), gpu(1), 10_GB)});
  CHECK(alone.transfers[0].time == 2_us + 4_us + 1_s);
  // Both ways of the pair at once: 10 up through the uplink is shared by the two.
  const TransferAnswer both =
      ask(machine, {pinned(gpu(0), gpu(1), 10_GB), pinned(gpu(1), gpu(0), 10_GB)});
  CHECK(both.transfers[0].time == 2_us + 4_us + 2_s);
  CHECK(both.transfers[0].bindings[0].resource == "pcie[0] to socket0");
  // What goes down to another GPU of the switch meets it too: 20 down for 10 of the pair and 10.
  const TransferAnswer down =
      ask(machine, {pinned(gpu(0), gpu(1), 10_GB), pinned(ddr(0), gpu(0), 20_GB)});
  CHECK(down.transfers[1].bindings[0].resource == "socket0 to pcie[0]");
}

TEST_CASE("between NUMA nodes, and within one, a CPU thread copies without a call") {
  const Machine machine(models::eight_gpus());
  const TransferAnswer answer =
      ask(machine, {pinned(ddr(0), ddr(0), 8_GB), pinned(ddr(0), ddr(1), 8_GB)});
  CHECK(answer.transfers[0].time == 1_s);
  CHECK(answer.transfers[0].bindings[0].resource == "memcpy of one thread");
  CHECK(answer.transfers[1].time == 100_ns + 1_s);
}

TEST_CASE("the use of a NUMA node says how long its loads take") {
  models::SystemSpec system = models::one_gpu();
  models::HostMemorySpec& memory = system.host.sockets[0].numa[0].memory;
  memory.channels = 1;
  memory.channel_bandwidth = 40_GBps;
  memory.achieved.read = models::Fraction(1'000'000);
  memory.latency = 100_ns;
  system.host.sockets[0].lines = 10;
  const Machine machine(std::move(system));
  // 20 of 40 GB/s for all but 3 us of the second: 100 ns x (1 + 0.035 / 0.515).
  const TransferAnswer answer = ask(machine, {pinned(ddr(0), gpu(0), 20_GB)});
  REQUIRE(answer.loads.size() == 1);
  CHECK(answer.loads[0].name == "ddr0");
  CHECK(answer.loads[0].load.utilisation.value() == 499'998);
  CHECK(answer.loads[0].load.latency / 1000 == 106_ps);
  CHECK(answer.loads[0].load.core / 1'000'000 == sim::Bandwidth(5'992));  // 640 B / 106.796 ns
}

TEST_CASE("a copy that takes longer than time is counted is not modelled") {
  models::SystemSpec system = models::one_gpu();
  system.links[0].part.bandwidth = 1_MBps;
  // 16 TiB at 0.5 MB/s: 407 days; int64 picoseconds reach 106.
  const auto answer =
      transfer(Machine(std::move(system)), {pinned(ddr(0), gpu(0), sim::Bytes(1LL << 44))});
  REQUIRE_FALSE(answer.has_value());
  CHECK(answer.error().kind == PlanFailure::Kind::not_modelled);
}

TEST_CASE("a sweep finds the size at which half of the rate is reached") {
  TransferQuestion question{Machine(models::eight_gpus()), {}, {true}, {}};
  question.transfers = {pinned(ddr(0), gpu(0), 1_KiB)};
  for (sim::Bytes size = 1_KiB; size <= 1_GiB; size = size * 2) question.sizes.push_back(size);
  const auto curve = sweep(question);
  REQUIRE(curve.has_value());
  REQUIRE(curve->points.size() == 21);
  // t = a + S/B with a = 4 us, B = 20 GB/s. With R the rate at 1 GiB, 0.9999255 B, half of it is
  // reached at a R / (2 - R/B) = 0.99985 a B = 79988 B.
  REQUIRE(curve->half_rate.has_value());
  CHECK(curve->half_rate->value() >= 79'986);
  CHECK(curve->half_rate->value() <= 79'990);
}

}  // namespace memsim::scenarios
