#include "validate/probe/timing.hpp"

#include <chrono>
#include <cstdint>
#include <thread>

#include "tests/support/catch.hpp"

namespace memsim::probe {
namespace {

TEST_CASE("a sample is the time of one call, and of nothing before or after it") {
  using std::chrono::milliseconds;
  int calls = 0;
  const std::int64_t before = now_ns();
  std::this_thread::sleep_for(milliseconds(20));
  const std::int64_t sample = time_ns([&] {
    ++calls;
    std::this_thread::sleep_for(milliseconds(5));
  });
  std::this_thread::sleep_for(milliseconds(20));
  const std::int64_t all = now_ns() - before;
  CHECK(calls == 1);
  CHECK(sample >= 5'000'000);
  CHECK(sample <= all - 40'000'000);
}

}  // namespace
}  // namespace memsim::probe
