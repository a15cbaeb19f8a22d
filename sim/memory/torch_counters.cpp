#include "sim/memory/torch_counters.hpp"

namespace memsim::sim {

TorchStat TorchCounters::stat(TorchMeasure measure, TorchPool pool) const {
  const Measure& m = measures_[static_cast<std::size_t>(measure)];
  if (pool != TorchPool::all) {
    const Pool& p = m.pools[static_cast<std::size_t>(pool) - 1];
    return {.current = p.current,
            .peak = p.peak,
            .allocated = static_cast<std::int64_t>(p.allocated),
            .freed = p.freed()};
  }
  const auto& [small, large] = m.pools;
  const auto wrapped_sum = [](auto a, auto b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  };
  return {.current = small.current + large.current,
          .peak = m.peak,
          .allocated = wrapped_sum(small.allocated, large.allocated),
          .freed = wrapped_sum(small.freed(), large.freed())};
}

TorchStatistics TorchCounters::statistics() const {
  TorchStatistics all;
  for (std::size_t measure = 0; measure < torch_measure_count; ++measure) {
    for (std::size_t pool = 0; pool < torch_pool_count; ++pool) {
      all.measures[measure][pool] =
          stat(static_cast<TorchMeasure>(measure), static_cast<TorchPool>(pool));
    }
  }
  all.calls = calls;
  all.oversize_allocations = oversize_allocations.stat();
  all.oversize_segments = oversize_segments.stat();
  all.max_split_size = max_split_size;
  return all;
}

void TorchCounters::reset_peak() {
  oversize_allocations.reset_peak();
  oversize_segments.reset_peak();
  for (Measure& m : measures_) {
    m.peak = 0;
    for (Pool& p : m.pools) {
      p.peak = p.current;
      m.peak += p.current;
    }
  }
}

void TorchCounters::reset_accumulated() {
  for (Measure& m : measures_) {
    for (Pool& p : m.pools) {
      p.allocated = 0;
      p.before = p.current;
    }
  }
  oversize_allocations.reset_accumulated();
  oversize_segments.reset_accumulated();
  calls = {};
}

}  // namespace memsim::sim
