// The options of the PyTorch caching allocator (PYTORCH_CUDA_ALLOC_CONF), as v2.6.0 reads them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "sim/core/result.hpp"
#include "sim/memory/torch_ratio.hpp"
#include "sim/memory/torch_rules.hpp"

namespace memsim::sim {

inline constexpr std::int64_t torch_unlimited = std::numeric_limits<std::int64_t>::max();

struct TorchOptions {
  // Blocks of at least this are neither split nor given to smaller requests.
  std::int64_t max_split = torch_unlimited;
  // By how much such a block may be larger than a request that it serves.
  std::int64_t max_non_split_rounding = torch_large_segment;
  TorchDivisions divisions{};       // roundup_power2_divisions
  TorchRatio collection_threshold;  // of the memory limit; 0: cached blocks are not collected
  bool expandable_segments = false;

  // Reads "key:value,key:[a:1,b:2]". As PyTorch does at run time too: limits of sizes, divisions
  // and the threshold begin anew, everything else stays as it was; what precedes an error stays
  // applied. Errors: PyTorch's own words. Options that change nothing in the order of operations
  // (release_lock_on_cudamalloc, pinned_...) are checked and have no effect.
  Result<void> apply(std::string_view text);

  friend bool operator==(const TorchOptions&, const TorchOptions&) = default;
};

}  // namespace memsim::sim
