// From a network and the way it is trained to a Program, as PyTorch eager runs it: the same
// allocations and frees in the same order, the kernels between them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/machine/kernel.hpp"
#include "models/network/network.hpp"
#include "models/training/training_spec.hpp"
#include "sim/core/result.hpp"
#include "sim/exec/program.hpp"

namespace memsim::models {

// What autograd's nodes of one kind hold at the end of the last forward.
struct SavedByNode {
  std::string_view node;        // as PyTorch names it, "AddmmBackward0"; lives for ever
  std::int64_t tensors = 0;     // saved, parameters included
  sim::Bytes bytes;             // of these tensors, whatever they share
  std::int64_t parameters = 0;  // how many of them show a parameter
  sim::Bytes new_bytes;         // of the computed storages that no older node holds
};

// What autograd holds at the end of the last forward. Non-reentrant checkpointing: without what the
// second run will bring.
struct SavedTotals {
  std::int64_t tensors = 0;  // parameters included
  // Of unique storages that are neither parameter, buffer nor input: how many, their bytes, these
  // with each storage rounded up to 512 bytes, and the part that is autocast's copies of
  // parameters.
  std::int64_t storages = 0;
  sim::Bytes bytes;
  sim::Bytes bytes_512;
  sim::Bytes parameter_cast_bytes;
  sim::Bytes bytes_with_inputs;      // of unique storages that are no parameter
  std::vector<SavedByNode> by_node;  // by name
};

// What the tensors of a job add up to, in bytes. Tensors and elements are counted.
struct TensorTotals {
  std::int64_t parameters = 0;  // elements; tied ones once
  sim::Bytes parameter_bytes;
  sim::Bytes buffer_bytes;
  sim::Bytes input_bytes;
  std::vector<sim::Bytes> inputs;  // of a micro-batch, each: what input_bytes adds up
  sim::Bytes gradient_bytes;
  std::int64_t gradients = 0;
  sim::Bytes optimizer_bytes;
  std::int64_t optimizer_tensors = 0;
  SavedTotals saved;
  // Of one micro-batch: gradients that met another one at an edge of the graph and were added to
  // it, and how many of these in place.
  std::int64_t gradient_sums = 0;
  std::int64_t gradient_sums_in_place = 0;
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

// Settings that the network cannot be run with (a sequence beyond its positions, a checkpointed
// network without layers, ...): sentences that begin with the user's key and a colon.
std::vector<sim::Error> defects(const Network& network, const TrainingSpec& training);

// Errors: the first of the defects, or operands that an operator cannot take. Throws sim::Overflow
// where sizes pass 64 bits.
sim::Result<LoweredTraining> lower_training(const Network& network, const TrainingSpec& training);

}  // namespace memsim::models
