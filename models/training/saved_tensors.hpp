// What an autograd graph holds.
#pragma once

#include <functional>

#include "models/training/eager/eager.hpp"

namespace memsim::models {

// Calls `f` once for each storage that a node reachable from `root` has saved a tensor of.
void for_each_saved_storage(Eager& eager, const Tensor& root,
                            const std::function<void(const Storage&)>& f);

}  // namespace memsim::models
