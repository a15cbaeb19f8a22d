#include "validate/probe/cuda/context_probe.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <optional>

#include "validate/probe/cuda/cuda_check.hpp"
#include "validate/probe/cuda/cuda_resources.hpp"
#include "validate/probe/cuda/kernels.hpp"
#include "validate/probe/timing.hpp"

namespace memsim::probe {
namespace {

constexpr int contexts = 4;

std::optional<std::int64_t> used_bytes(const Device& device) {
  const std::optional<Nvml::Memory> memory = device.nvml->memory();
  if (!memory) return std::nullopt;
  return memory->used_bytes;
}

// The driver loads the kernel at its first launch.
void run_first_kernel() {
  check(launch_empty(1, 32, nullptr), "cudaLaunchKernel");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

void probe_one(const Device& device, JsonWriter& json) {
  auto object = json.object();
  json.member("used_before_bytes", used_bytes(device));
  std::optional<PrimaryContext> context;
  json.member("create_ns", time_ns([&] { context.emplace(device.gpu); }));
  json.member("used_created_bytes", used_bytes(device));
  json.member("free_created_bytes", free_bytes());
  json.member("first_kernel_ns", time_ns(run_first_kernel));
  json.member("used_kernel_bytes", used_bytes(device));
  json.member("free_kernel_bytes", free_bytes());
  json.member("destroy_ns", time_ns([&] { context.reset(); }));
  json.member("used_destroyed_bytes", used_bytes(device));
}

}  // namespace

void probe_context(const Device& device, const Budget::Share& share, JsonWriter& json) {
  auto list = json.array("context");
  repeat(share, contexts, [&] { probe_one(device, json); });
}

}  // namespace memsim::probe
