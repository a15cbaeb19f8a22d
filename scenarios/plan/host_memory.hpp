// RAM of the host that drives a GPU, and the time of moving weights: run on the same engine as the
// training itself.
//
// load: the process is there; the model is built in fp32 in ordinary memory, as modules are by
//       default, and moved to the GPU through pageable copies, converted on the way.
// save: parameters, buffers and optimizer states are copied into ordinary memory, as a checkpoint
//       that is written from the host needs it. Writing the file is not modelled.
// Between the two the host holds the process and the pinned buffers of the data loader: tensors
// that PyTorch's cache of pinned memory rounds up to powers of two, each.
#pragma once

#include <algorithm>
#include <cstddef>

#include "models/machine/machine.hpp"
#include "models/training/lowering.hpp"
#include "scenarios/plan/answer.hpp"
#include "scenarios/plan/failure.hpp"
#include "scenarios/plan/uncertainty.hpp"
#include "sim/core/units.hpp"

namespace memsim::scenarios {

// Resident memory of a process that has loaded Python, PyTorch and the CUDA libraries and created a
// context. Assumed.
inline constexpr sim::Bytes host_process_base{3LL << 30};

// Batches that the data loader keeps pinned: one being copied, one ready.
inline constexpr std::int64_t pinned_batches = 2;

struct HostMemory {
  HostAnswer items;
  sim::Bytes load;  // highest bytes of each phase
  sim::Bytes steady;
  sim::Bytes save;
  sim::Bytes pinned;  // part of all of them
  sim::Duration load_time;
  sim::Duration save_time;

  [[nodiscard]] sim::Bytes peak() const { return std::max({load, steady, save}); }
};

Planned<HostMemory> simulate_host_memory(const models::Machine& machine, std::size_t gpu,
                                         const models::TensorTotals& totals);

// Whether the host has as much, pinned or not.
Verdict host_verdict(const HostMemory& need, const models::SystemSpec& system,
                     const PredictionError& error);

// RAM that jobs can use: all of the machine's nodes, less what other tenants hold.
sim::Bytes host_capacity(const models::SystemSpec& system);

}  // namespace memsim::scenarios
