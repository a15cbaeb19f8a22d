#include "models/machine/memory_latency.hpp"

#include "tests/support/catch.hpp"

namespace memsim::models {

using namespace sim::literals;

TEST_CASE("a load takes longer the more its memory is used") {
  // 100 ns x (1 + 0.07 u / (1 - 0.97 u)): 0.035 / 0.515 = 0.0679611..., 0.063 / 0.127 =
  // 0.4960629..., 0.07 / 0.03 = 2.3333...
  CHECK(loaded_latency(100_ns, Fraction(0)) == 100_ns);
  CHECK(loaded_latency(100_ns, Fraction(500'000)) == 106'796_ps);
  CHECK(loaded_latency(100_ns, Fraction(900'000)) == 149'606_ps);
  CHECK(loaded_latency(100_ns, Fraction(parts_per_million)) == 333'333_ps);
}

TEST_CASE("loads reach the lines that are outstanding in each latency") {
  // 10 lines of 64 B every 100 ns: 6.4 GB/s.
  CHECK(load_rate(10, 100_ns) == 6'400_MBps);
}

}  // namespace memsim::models
