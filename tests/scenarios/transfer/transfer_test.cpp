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

// A socket's own node that reads at 200 x 0.8 = 160 GB/s, and a CXL node behind 4 GB/s.
models::SystemSpec with_cxl() {
  models::SystemSpec system = models::one_gpu();
  models::NumaSpec far = system.host.sockets[0].numa[0];
  far.link = {.bandwidth = 4_GBps, .latency = 150_ns};
  system.host.sockets[0].numa.push_back(far);
  return system;
}

models::Interleave pages(std::int64_t near, std::int64_t far) {
  return models::Interleave(std::vector<models::NodeShare>{{ddr(0), near}, {ddr(1), far}});
}

TEST_CASE("interleaved memory is read in step: the CXL's share of a stripe sets the pace") {
  // Of n + 1 bytes one comes over 4 GB/s, and all over the GPU's link of 20: min(20, 4 (n + 1)).
  const Machine machine(with_cxl());
  const auto moving = [&](std::int64_t near, std::int64_t far) {
    const TransferResult result =
        ask(machine, {{{pages(near, far), gpu(0), 16_GB, false}}}).transfers.front();
    // A call, the longer of the two ways' latencies.
    CHECK(result.time - result.bindings[0].time == 2_us + 1_us + 150_ns);
    return result.bindings[0].time;
  };
  CHECK(moving(1, 1) == 2_s);     // 8 GB/s
  CHECK(moving(3, 1) == 1_s);     // 16 GB/s
  CHECK(moving(6, 2) == 1_s);     // the same pages
  CHECK(moving(7, 1) == 800_ms);  // 20 GB/s: the GPU's link
  CHECK(ask(machine, {pinned(ddr(1), gpu(0), 16_GB)}).transfers[0].bindings[0].time == 4_s);
}

TEST_CASE(
    "both nodes of interleaved memory are in use by their shares, and names tell the weights") {
  const TransferAnswer answer = ask(Machine(with_cxl()), {{{pages(3, 1), gpu(0), 16_GB, false}}});
  CHECK(answer.transfers[0].from == "ddr0*3+ddr1");
  REQUIRE(answer.loads.size() == 2);
  // 12 and 4 of 160 GB/s.
  CHECK(answer.loads[0].load.utilisation.value() == Approx(75'000).margin(20));
  CHECK(answer.loads[1].load.utilisation.value() == Approx(25'000).margin(20));
}

TEST_CASE("a thread that copies interleaved memory passes the bytes of all nodes one by one") {
  models::SystemSpec system = with_cxl();
  system.host.sockets[0].numa[1].memcpy = 2_GBps;  // and 8 of the other
  system.host.sockets[0].numa[1].link = {};
  // Two bytes: one at 8 GB/s, one at 2: 0.625 ns.
  const TransferResult result =
      ask(Machine(system), {{{pages(1, 1), ddr(0), 32_GB, false}}}).transfers.front();
  CHECK(result.bindings[0].resource == "memcpy of one thread");
  CHECK(result.time == 10_s);
}

TEST_CASE("a pageable copy is slowed by a CPU job on the same NUMA node") {
  models::SystemSpec system = models::one_gpu();
  models::HostMemorySpec& memory = system.host.sockets[0].numa[0].memory;
  memory.channels = 1;
  memory.channel_bandwidth = 60_GBps;  // 30 GB/s for threads
  system.host.sockets[0].numa[0].memcpy = 15_GBps;
  const Machine machine(std::move(system));
  const Transfer pageable{{ddr(0), gpu(0), 30_GB, true}};
  // Alone a byte crosses DDR three times, at 10 GB/s.
  CHECK(ask(machine, {pageable}).transfers[0].bindings[0].time == 3_s);
  // A thread that copies within the node reads and writes: 3 r + 2 r = 30 GB/s.
  const TransferAnswer both = ask(machine, {pageable, pinned(ddr(0), ddr(0), 100_GB)});
  CHECK(both.transfers[0].bindings[0].time == 5_s);
  CHECK(both.transfers[0].bindings[0].resource == "numa0 DDR");
  CHECK(both.transfers[0].bindings[0].sharers == std::vector<std::size_t>{1});
}

TEST_CASE("copies in both directions share the DRAM of the host, a byte read and one written") {
  models::SystemSpec system = models::one_gpu();
  models::HostMemorySpec& memory = system.host.sockets[0].numa[0].memory;
  memory.channels = 1;
  memory.channel_bandwidth = 45_GBps;  // reads 36, writes 18 GB/s: together r/36 + r/18 = 1
  system.links[0].part.backward = models::Fraction(500'000);
  const Machine machine(std::move(system));
  const TransferAnswer both =
      ask(machine, {pinned(ddr(0), gpu(0), 36_GB), pinned(gpu(0), ddr(0), 36_GB)});
  for (const TransferResult& result : both.transfers) {
    CHECK(result.bindings[0].resource == "numa0 DDR");
    CHECK(result.bindings[0].time == 3_s);  // 12 GB/s
  }
  CHECK(ask(machine, {pinned(gpu(0), ddr(0), 36_GB)}).transfers[0].bindings[0].time == 2_s);
}

TEST_CASE("what devices reach in the other socket's memory has a limit of its own by direction") {
  models::SystemSpec system = models::eight_gpus();
  system.host.inter_socket.down = 4_GBps;
  system.host.inter_socket.up = 2_GBps;
  const Machine machine(std::move(system));
  const TransferAnswer down =
      ask(machine, {pinned(ddr(1), gpu(0), 4_GB), pinned(ddr(1), gpu(2), 4_GB)});
  CHECK(down.transfers[0].bindings[0].resource == "socket1 to socket0, to devices");
  CHECK(down.transfers[0].bindings[0].time == 2_s);
  CHECK(ask(machine, {pinned(gpu(0), ddr(1), 4_GB)}).transfers[0].bindings[0].time == 2_s);
  // Threads are not devices: 8 GB/s of one, over a link of 15.
  CHECK(ask(machine, {pinned(ddr(1), ddr(0), 8_GB)}).transfers[0].bindings[0].time == 1_s);
}

TEST_CASE("the two directions of a port share what its root complex carries") {
  models::SystemSpec system = models::one_gpu();
  system.host.sockets[0].root_complex.port = 15_GBps;
  const Machine machine(std::move(system));
  const TransferAnswer both =
      ask(machine, {pinned(ddr(0), gpu(0), 15_GB), pinned(gpu(0), ddr(0), 15_GB)});
  CHECK(both.transfers[0].bindings[0].resource == "socket0 port of gpu0");
  CHECK(both.transfers[0].bindings[0].time == 2_s);
}

TEST_CASE("a copy between devices through a root complex has the limit of that") {
  models::SystemSpec system = models::eight_gpus();
  std::erase_if(system.links, [](const models::PlacedLink& link) {
    return link.from.kind == NodeKind::gpu || link.to.index == 4;  // no NVSwitch
  });
  for (models::SocketSpec& socket : system.host.sockets) socket.root_complex.peer = 5_GBps;
  const Machine machine(std::move(system));
  const TransferResult across = ask(machine, {pinned(gpu(0), gpu(2), 5_GB)}).transfers.front();
  CHECK(across.bindings[0].resource == "root complex, between devices");
  CHECK(across.bindings[0].time == 1_s);
  CHECK(ask(machine, {pinned(gpu(0), gpu(1), 5_GB)}).transfers[0].bindings[0].time == 500_ms);
}

TEST_CASE("chunks through the host wait to be handed over, and both directions take turns") {
  models::SystemSpec system = models::eight_gpus();
  for (models::PlacedGpu& placed : system.gpus) {
    placed.part.copy.peer = 0;
    placed.part.bounce = {.chunk = sim::Bytes(1'000'000), .wait = 25_us};
  }
  const Machine machine(std::move(system));
  // Up at 10 GB/s a chunk takes 100 us; with the wait 125: 8 GB/s.
  const TransferAnswer one = ask(machine, {pinned(gpu(0), gpu(2), 8_GB)});
  CHECK(one.transfers[0].bindings[0].resource == "gpu0 chunks through the host");
  CHECK(one.transfers[0].bindings[0].time == 1_s);
  const TransferAnswer both =
      ask(machine, {pinned(gpu(0), gpu(2), 8_GB), pinned(gpu(2), gpu(0), 8_GB)});
  CHECK(both.transfers[0].bindings[0].time == 2_s);
}

TEST_CASE("a copy whose two buffers fit L2 runs there, a larger one in the GPU's memory") {
  models::SystemSpec system = models::one_gpu();
  system.gpus[0].part.l2 = {40_MB, 4000_GBps};
  const Machine machine(std::move(system));
  // Read and written in L2: 2000 GB/s; HBM gives 1000 x 0.8 / 2.
  const TransferResult small = ask(machine, {pinned(gpu(0), gpu(0), 20_MB)}).transfers.front();
  CHECK(small.bindings[0].resource == "L2 of gpu0");
  CHECK(small.bindings[0].time == 10_us);
  const TransferResult large = ask(machine, {pinned(gpu(0), gpu(0), 40_MB)}).transfers.front();
  CHECK(large.bindings[0].time == 100_us);
}

TEST_CASE("the waiting thread goes on a while after the copy") {
  models::SystemSpec system = models::one_gpu();
  system.gpus[0].part.driver.wake = 25_us;
  const TransferResult result =
      ask(Machine(system), {pinned(ddr(0), gpu(0), 20_GB, 2)}).transfers.front();
  CHECK(result.wake == 25_us);
  CHECK(result.time == 2_us + 2 * (1_us + 1_s) + 25_us);
}

TEST_CASE("out of the buffer of pageable copies a thread may be slower than into it") {
  models::SystemSpec system = models::one_gpu();
  system.host.sockets[0].numa[0].memcpy_up = 4_GBps;
  const Machine machine(std::move(system));
  const Transfer down{{ddr(0), gpu(0), 8_GB, true}};
  const Transfer up{{gpu(0), ddr(0), 8_GB, true}};
  CHECK(ask(machine, {down}).transfers[0].bindings[0].time == 1_s);
  CHECK(ask(machine, {up}).transfers[0].bindings[0].time == 2_s);
}

TEST_CASE("pinning costs a start, the first touch by threads, and the locking of pages") {
  models::SystemSpec system = models::one_gpu();
  system.host.pinning = {.start = 1_ms, .touch = 4_GBps, .lock = 10_GBps};
  const Machine machine(std::move(system));
  Transfer copy = pinned(ddr(0), gpu(0), 40_GB);
  CHECK(ask(machine, {copy}).transfers[0].pinning == 1_ms + 10_s + 4_s);
  copy.touch_threads = 10;
  CHECK(ask(machine, {copy}).transfers[0].pinning == 1_ms + 1_s + 4_s);
  copy.copy.pageable = true;
  CHECK_FALSE(ask(machine, {copy}).transfers[0].pinning.has_value());
  CHECK_FALSE(ask(machine, {pinned(gpu(0), gpu(0), 1_GB)}).transfers[0].pinning.has_value());
}

TEST_CASE("a network adapter reads pinned host memory, and none where the GPU's is read directly") {
  models::SystemSpec system = models::one_gpu();
  system.host.pinning = {.start = 1_ms, .touch = 4_GBps, .lock = 10_GBps};
  models::NicSpec adapter;
  adapter.rate = 20_GBps;
  adapter.send_share = adapter.receive_share = models::Fraction(models::parts_per_million);
  adapter.gpudirect = true;
  system.nics.push_back({"nic0", adapter});
  const NodeRef nic{NodeKind::nic, 0};
  models::LinkSpec wire = system.links.front().part;
  system.links.push_back({{NodeKind::socket, 0}, nic, wire});
  const Machine machine(std::move(system));
  // 40 GB: 10 s of touching, 4 s of locking.
  CHECK(ask(machine, {pinned(ddr(0), nic, 40_GB)}).transfers[0].pinning == 1_ms + 10_s + 4_s);
  CHECK(ask(machine, {pinned(nic, ddr(0), 40_GB)}).transfers[0].pinning == 1_ms + 10_s + 4_s);
  CHECK_FALSE(ask(machine, {pinned(nic, gpu(0), 40_GB)}).transfers[0].pinning.has_value());
  CHECK_FALSE(ask(machine, {pinned(gpu(0), nic, 40_GB)}).transfers[0].pinning.has_value());
}

}  // namespace memsim::scenarios
