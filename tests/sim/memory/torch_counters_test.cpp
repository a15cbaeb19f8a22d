#include "sim/memory/torch_counters.hpp"

#include "tests/support/catch.hpp"

namespace memsim::sim {

TEST_CASE("the peak of both pools is that of their sum, not the sum of their peaks") {
  TorchCounters counters;
  const auto bytes = TorchMeasure::allocated_bytes;
  counters.increase(bytes, TorchPool::small, 10);
  counters.decrease(bytes, TorchPool::small, 8);
  counters.increase(bytes, TorchPool::large, 5);
  counters.increase(bytes, TorchPool::small, 1);
  CHECK(counters.stat(bytes, TorchPool::small) ==
        TorchStat{.current = 3, .peak = 10, .allocated = 11, .freed = 8});
  CHECK(counters.stat(bytes, TorchPool::large) ==
        TorchStat{.current = 5, .peak = 5, .allocated = 5, .freed = 0});
  CHECK(counters.stat(bytes, TorchPool::all) ==
        TorchStat{.current = 8, .peak = 10, .allocated = 16, .freed = 8});
  CHECK(counters.current(bytes) == 8);
}

TEST_CASE("a net change counts once, as what it is in the end") {
  TorchCounters counters;
  const auto split = TorchMeasure::inactive_split;
  counters.change(split, TorchPool::small, 2);
  counters.change(split, TorchPool::small, -1);
  counters.change(split, TorchPool::small, 0);
  CHECK(counters.stat(split, TorchPool::small) ==
        TorchStat{.current = 1, .peak = 2, .allocated = 2, .freed = 1});
}

TEST_CASE("resets start peaks at the present, and what was counted at nothing") {
  TorchCounters counters;
  const auto bytes = TorchMeasure::reserved_bytes;
  counters.increase(bytes, TorchPool::small, 10);
  counters.increase(bytes, TorchPool::large, 20);
  counters.decrease(bytes, TorchPool::large, 15);
  counters.calls.ooms = 3;
  counters.reset_peak();
  CHECK(counters.stat(bytes, TorchPool::all) ==
        TorchStat{.current = 15, .peak = 15, .allocated = 30, .freed = 15});
  CHECK(counters.calls.ooms == 3);
  counters.reset_accumulated();
  counters.decrease(bytes, TorchPool::small, 4);
  counters.increase(bytes, TorchPool::small, 1);
  CHECK(counters.stat(bytes, TorchPool::all) ==
        TorchStat{.current = 12, .peak = 15, .allocated = 1, .freed = 4});
  CHECK(counters.statistics().calls == TorchCalls{});
  CHECK(counters.statistics().at(bytes, TorchPool::small).peak == 10);
}

TEST_CASE("sums of bytes wrap round like PyTorch's when a run is long enough") {
  TorchCounters counters;
  const auto bytes = TorchMeasure::allocated_bytes;
  constexpr std::int64_t quarter = std::int64_t{1} << 62;
  for (int i = 0; i < 3; ++i) {
    counters.increase(bytes, TorchPool::large, quarter);
    counters.decrease(bytes, TorchPool::large, quarter - 1);
    counters.decrease(bytes, TorchPool::large, 1);
  }
  // 3 x 2^62 = -2^62 modulo 2^64.
  const TorchStat wrapped{.current = 0, .peak = quarter, .allocated = -quarter, .freed = -quarter};
  CHECK(counters.stat(bytes, TorchPool::large) == wrapped);
  CHECK(counters.stat(bytes, TorchPool::all) == wrapped);
}

TEST_CASE("every statistic has the name that PyTorch gives it") {
  CHECK(name(TorchMeasure::allocation) == "allocation");
  CHECK(name(TorchMeasure::inactive_split_bytes) == "inactive_split_bytes");
  CHECK(name(TorchPool::all) == "all");
  CHECK(name(TorchPool::large) == "large_pool");
}

}  // namespace memsim::sim
