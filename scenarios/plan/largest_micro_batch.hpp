// The largest micro-batch that fits.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "sim/core/units.hpp"

namespace memsim::scenarios {

struct BatchTrial {
  sim::Bytes need;  // grows with the size of the batch
  bool fits = false;
};

// Nothing when a trial is not possible any more.
using TryBatch = std::function<std::optional<BatchTrial>(std::int64_t size)>;

// Searches from `start` up or down; trials decide. Memory grows by nearly the same amount with each
// sample, so the line through two trials says where a need of `most` would be reached: a hint only.
// 0: not even one sample fits. Empty: a trial was not possible, or more than 2^20 samples fit.
// Requires: start >= 1.
std::optional<std::int64_t> largest_micro_batch(std::int64_t start, sim::Bytes most,
                                                const TryBatch& try_batch);

}  // namespace memsim::scenarios
