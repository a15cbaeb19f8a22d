// The largest micro-batch that fits.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "sim/core/units.hpp"

namespace memsim::scenarios {

// Both amounts grow with the size of the batch.
struct BatchTrial {
  sim::Bytes reserved;  // with a cache that is never given back
  sim::Bytes live;      // of tensors alone
  bool fits = false;
};

// Nothing when a trial is not possible any more.
using TryBatch = std::function<std::optional<BatchTrial>(std::int64_t size)>;

// Searches from `start` up or down; trials decide. Memory grows by nearly the same amount with each
// sample, so the line through two trials says where `most` would be reached: a hint only. The
// answer lies between where the cache reaches it and where the tensors do. There, sizes that fit
// and sizes that do not may alternate, as fragments fall: all sizes up to where the line of the
// tensors ends are tried from above, or 16 of them where there are more, and then those beside the
// largest of them that fits. 0: not even one sample
// fits. `largest`: so many fit, and the setting allows no more. Empty: a trial was not possible.
// Requires: 1 <= start <= largest <= 2^56.
std::optional<std::int64_t> largest_micro_batch(std::int64_t start, std::int64_t largest,
                                                sim::Bytes most, const TryBatch& try_batch);

}  // namespace memsim::scenarios
