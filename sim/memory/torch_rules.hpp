// The sizes by which the PyTorch caching allocator decides, with default options.
#pragma once

#include <cstdint>

namespace memsim::sim {

inline constexpr std::int64_t torch_min_block = 512;      // smallest block, unit of all sizes
inline constexpr std::int64_t torch_small_max = 1 << 20;  // the small pool serves up to here
inline constexpr std::int64_t torch_small_segment = 2 << 20;
inline constexpr std::int64_t torch_large_segment = 20 << 20;  // below torch_own_segment
inline constexpr std::int64_t torch_own_segment = 10 << 20;    // from here on: a segment of its own
inline constexpr std::int64_t torch_own_rounding = 2 << 20;    // ... a multiple of this
// The large pool splits a block only if more than this remains.
inline constexpr std::int64_t torch_large_remainder = 1 << 20;
// Requests from here on fail without a look at the cache: 1 EiB, "1EB" in PyTorch's words.
inline constexpr std::int64_t torch_request_limit = std::int64_t{1} << 60;

// Size of the block that serves a request. Requires: 0 < requested < torch_request_limit.
constexpr std::int64_t torch_block_size(std::int64_t requested) {
  return (requested + torch_min_block - 1) & ~(torch_min_block - 1);
}

constexpr bool torch_is_small(std::int64_t block_size) { return block_size <= torch_small_max; }

// What is asked of the driver when no cached block fits. Requires: a block size.
constexpr std::int64_t torch_segment_size(std::int64_t block_size) {
  if (torch_is_small(block_size)) return torch_small_segment;
  if (block_size < torch_own_segment) return torch_large_segment;
  return (block_size + torch_own_rounding - 1) & ~(torch_own_rounding - 1);
}

// Whether a block is split when `remainder` bytes of it are not needed.
constexpr bool torch_splits(bool small, std::int64_t remainder) {
  return small ? remainder >= torch_min_block : remainder > torch_large_remainder;
}

}  // namespace memsim::sim
