// What an autograd graph holds.
#pragma once

#include <functional>

#include "models/training/eager/eager.hpp"
#include "models/training/lowering.hpp"

namespace memsim::models {

// Calls `f` for each tensor that a node reachable from `root` has saved, nodes in the order in
// which they were made; `first`: no tensor before it shows the same storage.
void for_each_saved_tensor(
    Eager& eager, const Tensor& root,
    const std::function<void(const Node&, const TensorData&, bool first)>& f);

// The same, added up.
SavedTotals count_saved_tensors(Eager& eager, const Tensor& root);

}  // namespace memsim::models
