#include "sim/memory/torch_counters.hpp"

namespace memsim::sim {

TorchStat TorchCounters::stat(TorchMeasure measure, TorchPool pool) const {
  const Measure& m = measures_[static_cast<std::size_t>(measure)];
  if (pool != TorchPool::all) {
    const Pool& p = m.pools[static_cast<std::size_t>(pool) - 1];
    return {.current = p.current,
            .peak = p.peak,
            .allocated = p.allocated,
            .freed = p.before + p.allocated - p.current};
  }
  TorchStat both;
  for (const Pool& p : m.pools) {
    both.current += p.current;
    both.allocated += p.allocated;
    both.freed += p.before + p.allocated - p.current;
  }
  both.peak = m.peak;
  return both;
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
  return all;
}

void TorchCounters::reset_peak() {
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
  calls = {};
}

}  // namespace memsim::sim
