#include "validate/probe/cuda/mapping_probe.hpp"

#include <array>
#include <cstdint>

#include "validate/probe/cuda/cuda_resources.hpp"
#include "validate/probe/timing.hpp"

namespace memsim::probe {
namespace {

// PyTorch maps its small pool in blocks of 2 MiB and its large pool in blocks of 20 MiB.
constexpr std::array<std::int64_t, 2> sizes = {2LL << 20, 20LL << 20};
constexpr int samples = 64;

struct Times {
  Samples create_ns;
  Samples map_ns;
  Samples set_access_ns;
  Samples unmap_ns;
  Samples release_ns;
};

void measure_once(const VirtualMemory::Range& range, Times& times) {
  VirtualMemory::Block block(range);
  times.create_ns.push_back(time_ns([&] { block.create(); }));
  times.map_ns.push_back(time_ns([&] { block.map(); }));
  times.set_access_ns.push_back(time_ns([&] { block.set_access(); }));
  times.unmap_ns.push_back(time_ns([&] { block.unmap(); }));
  times.release_ns.push_back(time_ns([&] { block.release(); }));
}

void probe_size(const VirtualMemory& virtual_memory, std::int64_t bytes, const Budget::Share& share,
                JsonWriter& json) {
  auto entry = json.object();
  json.member("bytes", bytes);
  if (bytes > most_to_take()) {
    json.member("problem", "more than half of the free memory");
    return;
  }
  const std::int64_t step = virtual_memory.minimum_granularity();
  if (bytes % step != 0) {
    json.member("problem", "no multiple of the granularity");
    return;
  }
  Times times;
  const VirtualMemory::Range range(virtual_memory, bytes);
  repeat(share, samples, [&] { measure_once(range, times); });
  json.member("create_ns", times.create_ns);
  json.member("map_ns", times.map_ns);
  json.member("set_access_ns", times.set_access_ns);
  json.member("unmap_ns", times.unmap_ns);
  json.member("release_ns", times.release_ns);
}

}  // namespace

void probe_mapping(const VirtualMemory& virtual_memory, const Budget::Share& share,
                   JsonWriter& json) {
  auto list = json.array("mapping");
  if (!virtual_memory.problem().empty()) return;  // "granularity" says so
  int left = sizes.size();
  for (const std::int64_t bytes : sizes) {
    probe_size(virtual_memory, bytes, share.part(left--), json);
  }
}

}  // namespace memsim::probe
