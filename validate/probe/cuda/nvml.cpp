#include "validate/probe/cuda/nvml.hpp"

#include <array>

namespace memsim::probe {
namespace {

constexpr int success = 0;
constexpr int insufficient_size = 7;
constexpr int sm_clock = 1;
constexpr int memory_clock = 2;

}  // namespace

Nvml::Nvml(const std::string& pci_bus_id) : library_("libnvidia-ml.so.1") { open(pci_bus_id); }

void Nvml::open(const std::string& pci_bus_id) {
  library_.find("nvmlInit_v2", init_);
  library_.find("nvmlShutdown", shutdown_);
  library_.find("nvmlErrorString", error_text_);
  library_.find("nvmlDeviceGetHandleByPciBusId_v2", gpu_by_bus_id_);
  library_.find("nvmlDeviceGetMemoryInfo", memory_);
  library_.find("nvmlDeviceGetClockInfo", clock_);
  library_.find("nvmlSystemGetDriverVersion", driver_version_);
  library_.find("nvmlDeviceGetComputeRunningProcesses_v3", compute_processes_);
  problem_ = library_.problem();
  if (!problem_.empty()) return;
  Return code = init_();
  initialised_ = code == success;
  if (initialised_) code = gpu_by_bus_id_(pci_bus_id.c_str(), &gpu_);
  if (code != success) problem_ = std::string("NVML: ") + error_text_(code);
}

Nvml::~Nvml() {
  if (initialised_) shutdown_();
}

std::optional<std::string> Nvml::driver_version() const {
  std::array<char, 80> text{};  // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE
  if (!problem_.empty() || driver_version_(text.data(), text.size()) != success) {
    return std::nullopt;
  }
  return text.data();
}

std::optional<Nvml::Memory> Nvml::memory() const {
  MemoryReply reply{};
  if (!problem_.empty() || memory_(gpu_, &reply) != success) return std::nullopt;
  return Memory{static_cast<std::int64_t>(reply.total), static_cast<std::int64_t>(reply.used)};
}

std::optional<unsigned> Nvml::compute_processes() const {
  if (!problem_.empty()) return std::nullopt;
  // Without room for the list the answer is how long it is.
  unsigned count = 0;
  const Return code = compute_processes_(gpu_, &count, nullptr);
  if (code != success && code != insufficient_size) return std::nullopt;
  return count;
}

std::optional<unsigned> Nvml::sm_clock_mhz() const { return clock_mhz(sm_clock); }

std::optional<unsigned> Nvml::memory_clock_mhz() const { return clock_mhz(memory_clock); }

std::optional<unsigned> Nvml::clock_mhz(int type) const {
  unsigned mhz = 0;
  if (!problem_.empty() || clock_(gpu_, type, &mhz) != success) return std::nullopt;
  return mhz;
}

}  // namespace memsim::probe
