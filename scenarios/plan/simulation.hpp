// One training job on one GPU of a machine, lowered once and run in as much memory as asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/machine/machine.hpp"
#include "models/network/network.hpp"
#include "models/training/lowering.hpp"
#include "models/training/training_spec.hpp"
#include "scenarios/plan/failure.hpp"
#include "sim/core/units.hpp"
#include "sim/exec/executor.hpp"

namespace memsim::scenarios {

// More than any GPU has: the run shows what the job would take.
inline constexpr sim::Bytes unlimited_memory{std::int64_t{1} << 62};

class TrainingSimulation {
 public:
  // Lowers the job and binds its kernels to the GPU. The workspace of matrix multiplications is
  // taken from the GPU's figures. `machine` outlives the simulation.
  // Errors: settings that the network cannot be run with (input), work that the GPU has no units
  // for, numbers beyond 64 bits (not_modelled).
  static Planned<TrainingSimulation> prepare(const models::Machine& machine, std::size_t gpu,
                                             const models::Network& network,
                                             models::TrainingSpec training);

  // Runs the job on a GPU whose driver hands out `capacity` bytes, the context included.
  // Errors: an allocator or option that is not known (input), more than `max_events`, numbers
  // beyond 64 bits.
  [[nodiscard]] Planned<sim::Run> run(sim::Bytes capacity, bool record_memory,
                                      std::int64_t max_events) const;

  [[nodiscard]] const models::LoweredTraining& lowered() const { return lowered_; }
  [[nodiscard]] const models::TrainingSpec& training() const { return training_; }
  [[nodiscard]] const models::GpuSpec& gpu() const { return machine_->gpu(gpu_); }
  // Of the program's placement.
  [[nodiscard]] std::vector<sim::Route> routes() const { return machine_->placement(gpu_).routes; }
  [[nodiscard]] sim::Bytes context() const { return gpu().driver.context; }
  [[nodiscard]] sim::Bytes capacity() const { return gpu().memory.usable; }

 private:
  TrainingSimulation(const models::Machine& machine, std::size_t gpu, models::TrainingSpec training,
                     models::LoweredTraining lowered);

  const models::Machine* machine_;
  std::size_t gpu_;
  models::TrainingSpec training_;
  models::LoweredTraining lowered_;
};

}  // namespace memsim::scenarios
