// The least memory in which a job completes.
#pragma once

#include <cstdint>
#include <functional>

#include "scenarios/plan/failure.hpp"
#include "sim/core/units.hpp"

namespace memsim::scenarios {

// Whether the job completes in so much memory.
using Completes = std::function<Planned<bool>(sim::Bytes capacity)>;

// So many parts of what a job takes without a limit: the distance between two samples.
inline constexpr std::int64_t memory_samples = 256;

// A job that completes in `enough` is known not to in less than `lower`. Where its cache has to be
// given back, completion is not monotonic: a flush at another moment leaves other fragments, so a
// job may fail in a little more than it completed in. The answer is a sample, `enough` less a
// number of distances, in which the job completes, in the four samples above it too, and not in the
// next one below. It is found by bisection, and does not depend on a limit. Fails as
// `completes` does. Requires: lower <= enough.
Planned<sim::Bytes> least_memory(sim::Bytes lower, sim::Bytes enough, const Completes& completes);

// Whether that is at most `most`, with fewer runs.
Planned<bool> completes_within(sim::Bytes most, sim::Bytes lower, sim::Bytes enough,
                               const Completes& completes);

}  // namespace memsim::scenarios
