#include "validate/probe/cuda/allocation_probe.hpp"

#include <cstdint>

#include "validate/probe/cuda/cuda_resources.hpp"
#include "validate/probe/error.hpp"
#include "validate/probe/timing.hpp"

namespace memsim::probe {
namespace {

constexpr std::int64_t smallest = 2LL << 20;
constexpr int sizes = 10;  // each is twice the one before
constexpr int samples = 64;

struct Times {
  Samples malloc_ns;
  Samples free_ns;
};

void measure(std::int64_t bytes, const Budget::Share& share, Times& times) {
  times.malloc_ns.reserve(samples);
  times.free_ns.reserve(samples);
  repeat(share, samples, [&] {
    DeviceMemory memory;
    times.malloc_ns.push_back(time_ns([&] { memory.allocate(bytes); }));
    times.free_ns.push_back(time_ns([&] { memory.release(); }));
  });
}

void probe_size(std::int64_t bytes, const Budget::Share& share, JsonWriter& json) {
  auto entry = json.object();
  json.member("bytes", bytes);
  if (bytes > most_to_take()) {
    json.member("problem", "more than half of the free memory");
    return;
  }
  Times times;
  try {
    measure(bytes, share, times);
  } catch (const ProbeError& error) {
    // Somebody else took the memory in the meantime; smaller or later requests may succeed.
    if (error.kind() != ErrorKind::out_of_memory) throw;
    json.member("problem", error.what());
  }
  json.member("malloc_ns", times.malloc_ns);
  json.member("free_ns", times.free_ns);
}

}  // namespace

void probe_allocation(const Budget::Share& share, JsonWriter& json) {
  auto list = json.array("allocation");
  for (int i = 0; i < sizes; ++i) probe_size(smallest << i, share.part(sizes - i), json);
}

}  // namespace memsim::probe
