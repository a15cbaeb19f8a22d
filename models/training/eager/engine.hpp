// PyTorch's autograd engine: runs a graph backward.
#pragma once

#include "models/training/eager/eager.hpp"

namespace memsim::models {

// Runs backward from `root`, whose gradient is `gradient`; gradients of leaves end in their `grad`.
//
// Order: of the nodes that have all their gradients, the one made last runs first, AccumulateGrad
// before all others. A node's incoming gradients are dropped when its formula is done, then what it
// saved, then what it passed on without handing it over. Gradients that meet at one edge are added:
// PyTorch 1.13 makes a new tensor, 2.x adds in place if the engine holds the only reference to a
// dense one. May run inside the formula of a node of another pass (reentrant checkpointing).
// Requires: grad mode is off.
void run_backward(Eager& eager, const Tensor& root, Tensor gradient);

}  // namespace memsim::models
