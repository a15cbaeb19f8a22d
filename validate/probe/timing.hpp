// The clock of all probes, and samples taken with it.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace memsim::probe {

// Nanoseconds each, in the order in which they were taken.
using Samples = std::vector<std::int64_t>;

// Since some moment in the past; never goes back.
inline std::int64_t now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

// How long `call` takes, and one reading of the clock.
template <typename Call>
std::int64_t time_ns(Call&& call) {
  const std::int64_t start = now_ns();
  call();
  return now_ns() - start;
}

}  // namespace memsim::probe
