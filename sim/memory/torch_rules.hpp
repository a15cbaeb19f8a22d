// The sizes by which the PyTorch caching allocator decides.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
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

// Into how many steps each power of two is divided (option roundup_power2_divisions), by interval:
// below 2 MiB, 2 to 4 MiB and so on, from 32 GiB on. 0 and 1: sizes are only rounded to 512 bytes.
using TorchDivisions = std::array<std::int64_t, 16>;

// With divisions, each 0 or a power of two. Requires: as above.
constexpr std::int64_t torch_block_size(std::int64_t requested, const TorchDivisions& divisions) {
  constexpr int first_power = 20;
  const auto number = static_cast<std::uint64_t>(requested);
  const int power = static_cast<int>(std::bit_width(number)) - 1;
  const auto interval = static_cast<std::size_t>(
      std::clamp(power - first_power, 0, static_cast<int>(divisions.size()) - 1));
  const std::int64_t steps = divisions[interval];
  if (steps <= 1 || requested <= torch_min_block * steps) return torch_block_size(requested);
  if (std::has_single_bit(number)) return requested;
  const std::int64_t step = (std::int64_t{1} << power) / steps;
  return (requested + step - 1) / step * step;
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
