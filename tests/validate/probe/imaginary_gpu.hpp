// A GPU that exists in this process only. It stands where CUDA's runtime, its driver, NVML and
// nvcc's kernels would be (memsim_probe_cuda is linked with these files instead), with rules so
// simple that every reading is known beforehand, and with no patience: calls that break CUDA's
// contract fail.
//
// Memory: of `total` others hold `others`; the context takes `context`, the first kernel `kernels`.
// cudaMalloc rounds up to 2 MiB; requests below 1 MiB share such blocks.
// Time: the host needs `launch_ns` for a launch, the device `kernel_ns` from start to start.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace memsim::probe {

constexpr std::int64_t mib = 1LL << 20;

struct ImaginaryGpu {
  // Rules.
  int driver_version = 13000;
  int count = 1;
  bool has_nvml = true;
  bool has_virtual_memory = true;
  std::int64_t total = 8192 * mib;
  std::int64_t others = 1024 * mib;
  std::int64_t context = 300 * mib;
  std::int64_t kernels = 4 * mib;
  std::int64_t launch_ns = 2000;
  std::int64_t kernel_ns = 1500;
  // What a call returns instead of doing its work; cudaSuccess: it works. Gets the function's name
  // and how often it was called, this time included.
  std::function<cudaError_t(const std::string&, int)> intercept;

  // What stands now.
  bool has_context = false;
  bool loaded = false;
  bool nvml_open = false;
  std::map<std::int64_t, std::int64_t> large;   // address, bytes
  std::map<std::int64_t, std::int64_t> small;   // those below 1 MiB
  std::map<std::int64_t, std::int64_t> ranges;  // reserved addresses, bytes
  std::map<std::int64_t, std::int64_t> blocks;  // handle, bytes
  std::map<std::int64_t, std::int64_t> mapped;  // address, handle
  std::set<std::int64_t> streams;
  std::map<std::int64_t, std::int64_t> events;  // when they are reached; -1: not recorded
  std::int64_t host_ns = 0;
  std::int64_t device_ns = 0;  // when all that is queued will have run
  std::int64_t last_handle = 0;

  // What has been.
  std::map<std::string, int> calls;
  int contexts = 0;
  bool took_more_than_half = false;
  bool left_to_reset = false;  // something that a context's end had to give back

  [[nodiscard]] std::int64_t taken() const;  // by allocations and blocks
  [[nodiscard]] std::int64_t used() const;   // by everything
  [[nodiscard]] bool holds() const;          // whether anything was handed out

  // Before what a function does: counts, and asks `intercept`.
  cudaError_t called(const char* function);
  // Whether `bytes` more are there; notes when that is more than half of what was free.
  bool take(std::int64_t bytes);
  std::int64_t next_handle() { return ++last_handle; }
};

// The one that the functions below work on. A test begins with `gpu() = {}`.
ImaginaryGpu& gpu();

}  // namespace memsim::probe
