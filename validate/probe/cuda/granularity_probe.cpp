#include "validate/probe/cuda/granularity_probe.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <numeric>
#include <vector>

#include "validate/probe/cuda/cuda_resources.hpp"

namespace memsim::probe {
namespace {

constexpr std::int64_t kib = 1024;
constexpr std::int64_t mib = 1024 * kib;

// Small requests share blocks and larger ones are rounded up: sizes below, at and beside 2 MiB.
constexpr std::array<std::int64_t, 6> sizes = {512, 64 * kib, mib, 2 * mib, 2 * mib + 512, 3 * mib};
// So many of 64 KiB take more than 2 MiB.
constexpr std::size_t requests = 40;
// More than one request can be rounded up by.
constexpr std::int64_t rounding = 32 * mib;

// Free memory before the first request and after each. All are held until the last.
std::vector<std::int64_t> free_while_allocating(std::int64_t bytes, const Budget::Share& share) {
  std::list<DeviceMemory> held;
  std::vector<std::int64_t> free{free_bytes()};
  const std::int64_t limit = most_to_take();
  const auto fits = [&] { return free.front() - free.back() + bytes + rounding <= limit; };
  while (held.size() < requests && fits() && share.lasts()) {
    held.emplace_back().allocate(bytes);
    free.push_back(free_bytes());
  }
  return free;
}

// The greatest number of bytes that all changes are multiples of; 0 without a change.
std::int64_t common_step(std::int64_t step, const std::vector<std::int64_t>& free) {
  for (std::size_t i = 1; i < free.size(); ++i) step = std::gcd(step, free[i] - free[i - 1]);
  return step;
}

void write_driver_rules(const VirtualMemory& virtual_memory, JsonWriter& json) {
  auto object = json.object("virtual_memory");
  if (!virtual_memory.problem().empty()) {
    json.member("problem", virtual_memory.problem());
    return;
  }
  json.member("minimum_bytes", virtual_memory.minimum_granularity());
  json.member("recommended_bytes", virtual_memory.recommended_granularity());
}

}  // namespace

void probe_granularity(const VirtualMemory& virtual_memory, const Budget::Share& share,
                       JsonWriter& json) {
  auto object = json.object("granularity");
  write_driver_rules(virtual_memory, json);
  std::int64_t step = 0;
  {
    auto list = json.array("requests");
    int left = sizes.size();
    for (const std::int64_t bytes : sizes) {
      const auto free = free_while_allocating(bytes, share.part(left--));
      auto entry = json.object();
      json.member("bytes", bytes);
      json.member("free_bytes", free);
      step = common_step(step, free);
    }
  }
  json.member("observed_bytes", step);
}

}  // namespace memsim::probe
