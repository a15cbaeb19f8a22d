// Reentrant checkpointing (torch.utils.checkpoint with use_reentrant=True): a layer runs without a
// graph and saves its arguments only; its backward formula runs it again with a graph and then runs
// that graph backward inside the formula.
#pragma once

#include "models/training/eager/eager.hpp"

namespace memsim::models {

// Makes `output`, which layer number `layer` has computed without a graph, its result.
void track_checkpoint(Eager& eager, LayerRunner& runner, std::uint32_t layer,
                      std::span<const Tensor> arguments, Tensor& output);

}  // namespace memsim::models
