// From a network and the way it is trained to a Program, as PyTorch eager runs it: the same
// allocations and frees in the same order, the kernels between them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/machine/kernel.hpp"
#include "models/network/network.hpp"
#include "models/training/training_spec.hpp"
#include "sim/core/result.hpp"
#include "sim/exec/program.hpp"

namespace memsim::models {

// What the tensors of a job add up to, in bytes. Tensors and elements are counted.
struct TensorTotals {
  std::int64_t parameters = 0;  // elements; tied ones once
  sim::Bytes parameter_bytes;
  sim::Bytes buffer_bytes;
  sim::Bytes input_bytes;
  sim::Bytes gradient_bytes;
  std::int64_t gradients = 0;
  sim::Bytes optimizer_bytes;
  std::int64_t optimizer_tensors = 0;
  // What autograd holds at the end of the last forward and what is neither parameter, buffer nor
  // input: unique storages, their bytes, and these with each storage rounded up to 512 bytes.
  // Non-reentrant checkpointing: without what the second run will bring.
  std::int64_t saved_storages = 0;
  sim::Bytes saved_bytes;
  sim::Bytes saved_bytes_512;
  std::int64_t flops_forward = 0;   // of one micro-batch
  std::int64_t flops_backward = 0;  // recomputation included
};

// Memory 0 of the program is the device. Work i of the program is kernel `kernels[i]`: its latency
// and demands are left empty and are filled by bind_kernels (models/machine) for one machine.
// Phases are named "load", "step0.zero_grad", "step0.forward", "step0.backward", "step0.optimizer",
// ..., with ".end" after the step's locals have died; steps after the second share one set. With
// accumulation, ".forward" and ".backward" alternate. The gradients of the second and later
// micro-batches, and the steps after the second, are loops over the same blocks. Each step ends
// with a synchronisation of the stream: the script reads its loss.
struct LoweredTraining {
  sim::Program program;
  std::vector<KernelWork> kernels;
  TensorTotals totals;
};

// Errors: a setting that the network cannot be run with (sequence beyond its positions, a
// checkpointed network without layers, ...), named as the user's key.
sim::Result<LoweredTraining> lower_training(const Network& network, const TrainingSpec& training);

}  // namespace memsim::models
