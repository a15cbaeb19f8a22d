#include "scenarios/plan/host_memory.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/machine/data_type.hpp"
#include "sim/exec/executor.hpp"
#include "sim/exec/stream_clock.hpp"
#include "sim/memory/allocators.hpp"
#include "sim/memory/device_memory.hpp"
#include "sim/memory/driver.hpp"

namespace memsim::scenarios {
namespace {

using sim::Bytes;

constexpr Bytes page_size{4096};

// What an amount takes of the RAM.
Bytes in_pages(Bytes bytes) { return sim::round_up(bytes, page_size); }

enum Phase : std::uint32_t { load_phase, steady_phase, save_phase };

// Memories of the run: both are RAM, got in different ways.
enum Memory : std::uint16_t { pageable, pinned_cache };

// What the process does with its RAM, one operation after the other.
class HostProgram {
 public:
  explicit HostProgram(const models::GpuSpec& gpu) : gpu_(gpu) {
    program_.phases = {"load", "steady", "save"};
    program_.threads.resize(1);
  }

  void begin(Phase phase) { add_instruction({sim::Step::phase, phase, 0}); }

  // Returns the slot.
  std::uint32_t hold(std::string label, Bytes size, Memory memory = pageable) {
    sim::Op op{sim::OpCode::allocate};
    op.unit = memory;
    op.target = program_.slots++;
    op.category = sim::Category::buffers;
    op.label = static_cast<std::uint32_t>(program_.labels.size());
    op.amount = size.value();
    program_.labels.push_back(std::move(label));
    add_op(op);
    return op.target;
  }

  void release(std::uint32_t slot) {
    sim::Op op{sim::OpCode::release};
    op.target = slot;
    add_op(op);
  }

  // Copies and waits.
  void copy(Bytes size, models::LocalRoute route, models::CopyEngine engine) {
    sim::Work work;
    work.kind = sim::WorkKind::copy;
    work.engine = models::engine_index(gpu_, engine);
    work.demands = {{models::index(route), size.value()}};
    sim::Op op{sim::OpCode::launch};
    op.target = static_cast<std::uint32_t>(program_.works.size());
    program_.works.push_back(std::move(work));
    add_op(op);
    add_op({sim::OpCode::synchronize_device});
  }

  [[nodiscard]] const sim::Program& program() const { return program_; }

 private:
  void add_instruction(sim::Instruction instruction) {
    program_.threads.front().instructions.push_back(instruction);
  }

  // Every operation is a block of its own; its slot, if it has one, is bound by the caller.
  void add_op(sim::Op op) {
    sim::Block block;
    const bool has_slot = op.code == sim::OpCode::allocate || op.code == sim::OpCode::release;
    const auto first = static_cast<std::uint32_t>(program_.bindings.size());
    if (has_slot) {
      program_.bindings.push_back(op.target);
      op.target = 0;
      block.bound = 1;
      block.slots = 1;
    }
    block.ops = {op};
    add_instruction({sim::Step::call, static_cast<std::uint32_t>(program_.blocks.size()), first});
    program_.blocks.push_back(std::move(block));
  }

  const models::GpuSpec& gpu_;
  sim::Program program_;
};

Planned<sim::Run> run_on_host(const models::Machine& machine, std::size_t gpu,
                              const sim::Program& program) {
  sim::DeviceMemory memory(Bytes::max());
  sim::DriverSpec spec;
  spec.granularity = page_size;
  sim::Driver driver(memory, spec);
  sim::StreamClock clock;
  const auto allocator = sim::make_allocator("driver", driver, clock, "");
  if (!allocator) return not_modelled(allocator.error().message);
  const auto cache = sim::make_allocator("pinned", driver, clock, "");
  if (!cache) return not_modelled(cache.error().message);
  sim::Job job{&program, machine.placement(gpu)};
  job.placement.memories = {allocator->get(), cache->get()};
  job.placement.clock = &clock;
  job.placement.driver.malloc = {};  // RAM is not asked of the GPU's driver
  job.placement.driver.free = {};
  sim::FlowNetwork network = machine.network();
  auto run = sim::run(network, {job}, {});
  if (!run) return not_modelled(run.error().message);
  if (run->out_of_memory) return beyond_64_bits();
  return *std::move(run);
}

}  // namespace

Planned<HostMemory> simulate_host_memory(const models::Machine& machine, std::size_t gpu,
                                         const models::TensorTotals& totals) {
  const Bytes stored = totals.parameter_bytes + totals.buffer_bytes;
  const Bytes built =
      Bytes(totals.parameters) * models::size_of(models::DataType::fp32) + totals.buffer_bytes;

  HostProgram host(machine.gpu(gpu));
  host.begin(load_phase);
  host.hold("process", host_process_base);
  for (std::int64_t batch = 0; batch < pinned_batches; ++batch)
    for (const Bytes input : totals.inputs) host.hold("pinned batches", input, pinned_cache);
  const std::uint32_t model = host.hold("model in fp32", built);
  host.copy(stored, models::LocalRoute::h2d_pageable, models::CopyEngine::host_to_device);
  host.release(model);
  host.begin(steady_phase);
  host.begin(save_phase);
  const std::uint32_t weights = host.hold("parameters and buffers", stored);
  const std::uint32_t states = host.hold("optimizer states", totals.optimizer_bytes);
  host.copy(stored + totals.optimizer_bytes, models::LocalRoute::d2h_pageable,
            models::CopyEngine::device_to_host);
  host.release(weights);
  host.release(states);

  const auto run = run_on_host(machine, gpu, host.program());
  if (!run) return tl::unexpected(run.error());
  HostMemory result;
  for (const sim::PhaseRun& phase : run->jobs.front().phases) {
    result.pinned = phase.memories[pinned_cache].end.reserved;
    const Bytes peak = phase.memories[pageable].peak_live.live + result.pinned;
    if (phase.phase == load_phase) {
      result.load = peak;
      result.load_time = phase.time;
    } else if (phase.phase == steady_phase) {
      result.steady = peak;
    } else {
      result.save = peak;
      result.save_time = phase.time;
    }
  }
  const HostItem process{"process", host_process_base};
  const HostItem batches{"pinned batches", result.pinned};
  result.items.load = {process, {"model in fp32", in_pages(built)}, batches};
  result.items.save = {process,
                       {"parameters and buffers", in_pages(stored)},
                       {"optimizer states", in_pages(totals.optimizer_bytes)},
                       batches};
  return result;
}

Verdict host_verdict(const HostMemory& need, const models::SystemSpec& system,
                     const PredictionError& error) {
  const auto of = [&](Bytes bytes) {
    return verdict(probability_of_fit(std::max<std::int64_t>(1, bytes.value()),
                                      host_capacity(system).value(), error));
  };
  return std::max(of(need.peak()), of(need.pinned));
}

sim::Bytes host_capacity(const models::SystemSpec& system) {
  Bytes sum;
  for (const models::SocketSpec& socket : system.host.sockets)
    for (const models::NumaSpec& node : socket.numa) sum += node.memory.usable;
  return std::max(Bytes(0), sum - system.tenant_memory);
}

}  // namespace memsim::scenarios
