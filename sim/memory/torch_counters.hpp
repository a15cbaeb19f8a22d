// The running statistics of the caching allocator, kept with as few stores as the hot path allows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/memory/torch_statistics.hpp"

namespace memsim::sim {

// One statistic that is rarely touched.
class TorchTally {
 public:
  void add(std::int64_t amount) {
    stat_.current += amount;
    stat_.allocated += amount;
    stat_.peak = std::max(stat_.peak, stat_.current);
  }
  void take(std::int64_t amount) {
    stat_.current -= amount;
    stat_.freed += amount;
  }
  void reset_peak() { stat_.peak = stat_.current; }
  void reset_accumulated() { stat_.allocated = stat_.freed = 0; }
  [[nodiscard]] const TorchStat& stat() const { return stat_; }

 private:
  TorchStat stat_;
};

// Each measure is kept per pool; that of both together follows, except for its peak. What was freed
// follows from what was allocated and what is left.
class TorchCounters {
 public:
  // Requires: pool is small or large, amount >= 0.
  void increase(TorchMeasure measure, TorchPool pool, std::int64_t amount) {
    Measure& m = measures_[static_cast<std::size_t>(measure)];
    Pool& p = m.pools[static_cast<std::size_t>(pool) - 1];
    p.current += amount;
    p.allocated += static_cast<std::uint64_t>(amount);
    p.peak = std::max(p.peak, p.current);
    m.peak = std::max(m.peak, m.pools[0].current + m.pools[1].current);
  }
  void decrease(TorchMeasure measure, TorchPool pool, std::int64_t amount) {
    measures_[static_cast<std::size_t>(measure)]
        .pools[static_cast<std::size_t>(pool) - 1]
        .current -= amount;
  }
  // Adds a change of either sign as one increase or one decrease; 0 touches nothing.
  void change(TorchMeasure measure, TorchPool pool, std::int64_t amount) {
    if (amount > 0) {
      increase(measure, pool, amount);
    } else if (amount < 0) {
      decrease(measure, pool, -amount);
    }
  }

  [[nodiscard]] std::int64_t current(TorchMeasure measure) const {
    const Measure& m = measures_[static_cast<std::size_t>(measure)];
    return m.pools[0].current + m.pools[1].current;
  }
  [[nodiscard]] TorchStat stat(TorchMeasure measure, TorchPool pool) const;

  // peak = current.
  void reset_peak();
  // Counting of what was allocated, freed and called starts anew.
  void reset_accumulated();

  [[nodiscard]] TorchStatistics statistics() const;

  TorchCalls calls;
  TorchTally oversize_allocations;
  TorchTally oversize_segments;
  std::int64_t max_split_size = -1;

 private:
  struct Pool {
    std::int64_t current = 0;
    std::int64_t peak = 0;
    std::int64_t before = 0;      // current at the last reset
    std::uint64_t allocated = 0;  // since the last reset; long runs pass 2^63 bytes and wrap round

    [[nodiscard]] std::int64_t freed() const {
      return static_cast<std::int64_t>(allocated - static_cast<std::uint64_t>(current - before));
    }
  };
  struct Measure {
    std::array<Pool, 2> pools;  // small, large
    std::int64_t peak = 0;      // of both together
  };

  std::array<Measure, torch_measure_count> measures_;
};

}  // namespace memsim::sim
