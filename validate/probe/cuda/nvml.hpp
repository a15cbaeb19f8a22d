// The driver's management library (NVML): what a GPU looks like to somebody who has no context on
// it. It comes with the driver, but containers may lack it; then all readings are absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "validate/probe/cuda/dynamic_library.hpp"

namespace memsim::probe {

class Nvml {
 public:
  struct Memory {
    std::int64_t total_bytes = 0;  // all that is on the board
    std::int64_t used_bytes = 0;   // by all processes and by the driver itself
  };

  // Of the GPU with this PCI bus id, as CUDA writes it.
  explicit Nvml(const std::string& pci_bus_id);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  // Why there are no readings; empty when there are.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  // Each is absent, too, where this GPU or the rights of this process do not give it.
  [[nodiscard]] std::optional<std::string> driver_version() const;
  [[nodiscard]] std::optional<Memory> memory() const;
  [[nodiscard]] std::optional<unsigned> compute_processes() const;
  [[nodiscard]] std::optional<unsigned> sm_clock_mhz() const;
  [[nodiscard]] std::optional<unsigned> memory_clock_mhz() const;

 private:
  // Of nvml.h, which is not in every toolkit. These names, layouts and numbers have been the same
  // since NVML 5: https://docs.nvidia.com/deploy/nvml-api/
  using Return = int;
  using Gpu = struct Opaque*;
  struct MemoryReply {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
  };

  void open(const std::string& pci_bus_id);
  [[nodiscard]] std::optional<unsigned> clock_mhz(int type) const;

  DynamicLibrary library_;
  std::string problem_;
  bool initialised_ = false;
  Gpu gpu_ = nullptr;
  Return (*init_)() = nullptr;
  Return (*shutdown_)() = nullptr;
  const char* (*error_text_)(Return) = nullptr;
  Return (*gpu_by_bus_id_)(const char*, Gpu*) = nullptr;
  Return (*memory_)(Gpu, MemoryReply*) = nullptr;
  Return (*clock_)(Gpu, int, unsigned*) = nullptr;
  Return (*driver_version_)(char*, unsigned) = nullptr;
  Return (*compute_processes_)(Gpu, unsigned*, void*) = nullptr;
};

}  // namespace memsim::probe
