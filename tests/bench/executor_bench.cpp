// The executor on the program of a deep network: 96 layers, some 60,000 operations per micro-batch,
// every kernel with two demands, memory from the caching allocator. Reported: operations per second
// (launches, allocations, releases), and whole runs with 192 micro-batches.
//
// Its floor is measured beside it: the same sequence of requests served by the allocator alone,
// without threads, streams and time.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/exec/executor.hpp"
#include "sim/exec/program_walk.hpp"
#include "sim/memory/allocators.hpp"
#include "sim/memory/device_memory.hpp"
#include "sim/memory/driver.hpp"

namespace {

using namespace memsim::sim;

constexpr std::uint32_t layers = 96;
constexpr std::uint32_t kept_per_layer = 8;      // tensors from forward to backward
constexpr std::uint32_t operators_forward = 70;  // per layer
constexpr std::uint32_t operators_backward = 140;
constexpr std::int64_t mib = 1024 * 1024;

constexpr std::int64_t size_of(std::uint32_t i) { return (1 + i % 7) * 3 * mib + 512 * (i % 5); }

void add(Block& block, OpCode code, std::uint32_t target, std::int64_t amount = 0) {
  block.ops.push_back({.code = code, .target = target, .amount = amount});
}

// One layer: arguments are the kept tensors; each operator allocates its output, launches its
// kernel and releases its input.
Block layer(std::uint32_t operators, bool forward) {
  Block block;
  block.bound = kept_per_layer;
  block.slots = kept_per_layer + 2;
  for (std::uint32_t i = 0; i < operators; ++i) {
    const std::uint32_t output = kept_per_layer + i % 2;
    const std::uint32_t input = kept_per_layer + (i + 1) % 2;
    add(block, OpCode::allocate, output, size_of(i));
    add(block, OpCode::launch, i % 16);
    if (i > 0) add(block, OpCode::release, input);
    if (i % (operators / kept_per_layer) == 0 && i / (operators / kept_per_layer) < kept_per_layer)
      add(block, forward ? OpCode::allocate : OpCode::release, i / (operators / kept_per_layer),
          size_of(i));
  }
  add(block, OpCode::release, kept_per_layer + (operators - 1) % 2);
  return block;
}

Program deep_network(std::uint32_t micro_batches) {
  Program program;
  program.labels = {"tensor"};
  program.phases = {"forward", "backward"};
  program.slots = layers * kept_per_layer;
  program.blocks = {layer(operators_forward, true), layer(operators_backward, false)};
  for (std::uint32_t w = 0; w < 16; ++w) {
    Work& work = program.works.emplace_back();
    work.latency = 2_us;
    work.demands = {{0, 40'000'000 + w * 1'000'003}, {1, 60'000'000 + w * 2'000'029}};
  }
  std::vector<Instruction>& code = program.threads.emplace_back().instructions;
  for (std::uint32_t slot = 0; slot < program.slots; ++slot) program.bindings.push_back(slot);
  code.push_back({Step::loop, micro_batches, 0});
  code.push_back({Step::phase, 0, 0});
  for (std::uint32_t l = 0; l < layers; ++l) code.push_back({Step::call, 0, l * kept_per_layer});
  code.push_back({Step::phase, 1, 0});
  for (std::uint32_t l = layers; l-- > 0;) code.push_back({Step::call, 1, l * kept_per_layer});
  code.push_back({Step::end_loop, 0, 0});
  return program;
}

std::int64_t operations(const Program& program) {
  std::int64_t count = 0;
  for_each_op(program, 0, [&](const Op&, std::uint32_t) { ++count; });
  return count;
}

struct Gpu {
  DeviceMemory memory{10'000_GB};
  Driver driver{memory};
  StreamClock clock;
  std::unique_ptr<Allocator> allocator = make_allocator("torch", driver, clock, "").value();
};

void walk(benchmark::State& state, bool skip_periods, bool shared) {
  const Program program = deep_network(static_cast<std::uint32_t>(state.range(0)));
  std::int64_t events = 0;
  for (auto _ : state) {
    Gpu gpu;
    FlowNetwork network;
    const ResourceId sms = network.add_resource(Bandwidth(picoseconds_per_second));
    const ResourceId hbm = network.add_resource(1555_GBps);
    const ResourceId other = network.add_resource(Bandwidth(1));
    Placement placement;
    placement.routes = {{.name = "compute", .hops = {{sms}}, .latency = {}},
                        {.name = "HBM", .hops = {{hbm}}, .latency = {}}};
    placement.memories = {gpu.allocator.get()};
    placement.clock = &gpu.clock;
    placement.driver.launch = 5_us;
    std::vector<Job> jobs{{&program, placement}};
    // A neighbour whose flow is always there keeps every kernel in the network.
    Program neighbour;
    neighbour.works.emplace_back().demands = {{0, 1000}};
    neighbour.blocks.push_back({.ops = {{.code = OpCode::host_work}}});
    neighbour.threads = {{{{Step::call, 0, 0}}}};
    Placement elsewhere;
    elsewhere.routes = {{.name = "other", .hops = {{other}}, .latency = {}}};
    if (shared) jobs.push_back({&neighbour, elsewhere});
    const Result<Run> run = memsim::sim::run(network, jobs, {.skip_periods = skip_periods});
    events = run.value().events;
    benchmark::DoNotOptimize(run.value().digest);
  }
  const auto count = static_cast<double>(operations(program));
  state.counters["op/s"] = benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["events"] = static_cast<double>(events);
}

void allocator_alone(benchmark::State& state) {
  const Program program = deep_network(1);
  const std::int64_t count = operations(program);
  for (auto _ : state) {
    Gpu gpu;
    std::vector<AllocationId> live(program.slots + 2);
    DriverWork work;
    for_each_op(program, 0, [&](const Op& op, std::uint32_t) {
      if (op.code == OpCode::allocate)
        live[op.target] = gpu.allocator->allocate(Bytes(op.amount), StreamId{0}, work).value();
      if (op.code == OpCode::release) gpu.allocator->free(live[op.target], work);
    });
  }
  state.counters["op/s"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace

BENCHMARK(allocator_alone)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(walk, one_by_one, false, false)->Arg(1)->Arg(8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(walk, in_the_network, false, true)->Arg(8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(walk, leaving_out_periods, true, false)->Arg(192)->Unit(benchmark::kMillisecond);
