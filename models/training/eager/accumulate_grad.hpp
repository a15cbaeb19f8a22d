// The end of a gradient's way: AccumulateGrad of a leaf.
#pragma once

#include "models/training/eager/node.hpp"

namespace memsim::models {

// The first gradient of a leaf is taken over as it is if nothing else holds it and its strides are
// those of the leaf, else it is copied. Later ones are added in place.
extern const NodeKind accumulate_grad;

}  // namespace memsim::models
