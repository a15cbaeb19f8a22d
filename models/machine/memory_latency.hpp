// How long a load takes in a memory that is in use, and what that allows one core.
#pragma once

#include <cstdint>

#include "models/machine/units.hpp"
#include "sim/core/units.hpp"

namespace memsim::models {

inline constexpr sim::Bytes cache_line{64};

// Of one load at a utilisation u of the memory: idle x (1 + 0.07 u / (1 - 0.97 u)), rounded down;
// a fit of measured curves of DDR4 and DDR5 servers, mean error 8 to 9 %, 3.3 x idle at the end.
// Requires: 0 <= u <= 1.
sim::Duration loaded_latency(sim::Duration idle, Fraction utilisation);

// What a stream of loads reaches that keeps `lines` cache lines outstanding. Requires: latency > 0.
sim::Bandwidth load_rate(std::int64_t lines, sim::Duration latency);

}  // namespace memsim::models
