// The statistics of the PyTorch caching allocator (torch.cuda.memory_stats).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace memsim::sim {

// One statistic: current = sum of what came - sum of what went, counted from the start; `allocated`
// and `freed` count from the last reset_accumulated, `peak` from the last reset_peak.
struct TorchStat {
  std::int64_t current = 0;
  std::int64_t peak = 0;
  std::int64_t allocated = 0;
  std::int64_t freed = 0;

  friend bool operator==(const TorchStat&, const TorchStat&) = default;
};

// In the order in which PyTorch declares and memsim prints them. The first four count, the others
// are bytes. Active = allocated, or freed and still waiting for streams; inactive_split = free
// pieces of segments that are in use elsewhere.
enum class TorchMeasure : std::uint8_t {
  allocation,
  segment,
  active,
  inactive_split,
  allocated_bytes,
  reserved_bytes,
  active_bytes,
  inactive_split_bytes,
  requested_bytes,
};
inline constexpr std::size_t torch_measure_count = 9;
constexpr std::array<std::string_view, torch_measure_count> torch_measure_names{
    "allocation",      "segment",        "active",       "inactive_split",
    "allocated_bytes", "reserved_bytes", "active_bytes", "inactive_split_bytes",
    "requested_bytes"};
constexpr std::string_view name(TorchMeasure measure) {
  return torch_measure_names[static_cast<std::size_t>(measure)];
}

enum class TorchPool : std::uint8_t { all, small, large };
inline constexpr std::size_t torch_pool_count = 3;
constexpr std::array<std::string_view, torch_pool_count> torch_pool_names{"all", "small_pool",
                                                                          "large_pool"};
constexpr std::string_view name(TorchPool pool) {
  return torch_pool_names[static_cast<std::size_t>(pool)];
}

// How often something happened, since the last reset_accumulated.
struct TorchCalls {
  std::int64_t alloc_retries = 0;  // flushes of the cache because the driver was full
  std::int64_t ooms = 0;
  std::int64_t sync_all_streams = 0;  // waits for all outstanding events
  std::int64_t device_allocs = 0;     // cudaMalloc calls that succeeded, mappings
  std::int64_t device_frees = 0;      // cudaFree calls, unmappings

  friend bool operator==(const TorchCalls&, const TorchCalls&) = default;
};

struct TorchStatistics {
  std::array<std::array<TorchStat, torch_pool_count>, torch_measure_count> measures{};
  TorchStat oversize_allocations;  // of blocks at or above max_split_size
  TorchStat oversize_segments;
  TorchCalls calls;
  std::int64_t max_split_size = -1;  // when the allocator was made; -1: unlimited

  [[nodiscard]] const TorchStat& at(TorchMeasure measure, TorchPool pool = TorchPool::all) const {
    return measures[static_cast<std::size_t>(measure)][static_cast<std::size_t>(pool)];
  }
  friend bool operator==(const TorchStatistics&, const TorchStatistics&) = default;
};

}  // namespace memsim::sim
