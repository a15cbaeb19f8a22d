#include "scenarios/plan/simulation.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "models/machine/kernel_cost.hpp"
#include "sim/exec/stream_clock.hpp"
#include "sim/memory/allocators.hpp"
#include "sim/memory/device_memory.hpp"
#include "sim/memory/driver.hpp"

namespace memsim::scenarios {
namespace {

// Expandable segments reserve more addresses than there is memory; of unlimited memory more than
// lie below cudaMalloc's.
constexpr std::uint64_t reservations = std::uint64_t{1} << 56;

}  // namespace

TrainingSimulation::TrainingSimulation(const models::Machine& machine, std::size_t gpu,
                                       models::TrainingSpec training,
                                       models::LoweredTraining lowered)
    : machine_(&machine), gpu_(gpu), training_(training), lowered_(std::move(lowered)) {}

Planned<TrainingSimulation> TrainingSimulation::prepare(const models::Machine& machine,
                                                        std::size_t gpu,
                                                        const models::Network& network,
                                                        models::TrainingSpec training) {
  const models::GpuSpec& part = machine.gpu(gpu);
  training.gemm_workspace = part.libraries.cublas_workspace;
  return within_64_bits([&]() -> Planned<TrainingSimulation> {
    auto lowered = models::lower_training(network, training);
    if (!lowered) return bad_input(lowered.error().message);
    const auto bound = models::bind_kernels(part, lowered->kernels, lowered->program);
    if (!bound) return not_modelled(bound.error().message);
    return TrainingSimulation(machine, gpu, training, *std::move(lowered));
  });
}

Planned<sim::Run> TrainingSimulation::run(sim::Bytes capacity, bool record_memory,
                                          std::int64_t max_events) const {
  const models::GpuSpec& part = gpu();
  sim::DeviceMemory memory(capacity, context());
  sim::DriverSpec driver_spec;
  driver_spec.granularity = part.driver.granularity;
  driver_spec.reservation_base_address = reservations;
  sim::Driver driver(memory, driver_spec);
  sim::StreamClock clock;
  const auto allocator =
      sim::make_allocator(part.allocator.kind, driver, clock, part.allocator.options);
  if (!allocator) return bad_input("gpu.allocator: " + allocator.error().message);

  sim::Job job{&lowered_.program, machine_->placement(gpu_)};
  job.placement.memories = {allocator->get()};
  job.placement.clock = &clock;
  sim::FlowNetwork network = machine_->network();
  sim::RunOptions options;
  options.record_memory = record_memory;
  options.max_events = max_events;
  return within_64_bits([&]() -> Planned<sim::Run> {
    auto run = sim::run(network, {job}, options);
    if (!run) return not_modelled(run.error().message);
    return *std::move(run);
  });
}

}  // namespace memsim::scenarios
