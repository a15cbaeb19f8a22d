// The efficiency of a link by transfer size.
#pragma once

#include <vector>

#include "models/machine/spec.hpp"
#include "sim/core/units.hpp"

namespace memsim::models {

// The curve at `size`: linear between its points, constant outside.
// Requires: points not empty, sizes ascending.
Fraction fraction_at(const std::vector<EfficiencyPoint>& points, sim::Bytes size);

// What one transfer of `size` takes longer than size / (bandwidth x achieved): the start-up that
// the curve describes. 0 without a curve, and where the curve is not below `achieved`.
sim::Duration start_up(const LinkSpec& link, Fraction achieved, sim::Bytes size);

}  // namespace memsim::models
