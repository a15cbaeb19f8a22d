#include "validate/probe/cuda/device.hpp"

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "validate/probe/cuda/cuda_check.hpp"

namespace memsim::probe {
namespace {

struct Versions {
  int driver = 0;   // newest CUDA that the driver knows, 1000 * major + 10 * minor; 0: no driver
  int runtime = 0;  // CUDA that this program was built with
};

Versions versions() {
  Versions versions;
  check(cudaDriverGetVersion(&versions.driver), "cudaDriverGetVersion");
  check(cudaRuntimeGetVersion(&versions.runtime), "cudaRuntimeGetVersion");
  return versions;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

// Throws where there is no GPU of that number, with what there is.
void check_gpu(int gpu, const Versions& versions) {
  if (versions.driver == 0) {
    throw ProbeError(ErrorKind::no_driver, "no NVIDIA driver (libcuda.so.1) was found",
                     "cudaDriverGetVersion");
  }
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaErrorInsufficientDriver) {
    throw ProbeError(ErrorKind::no_driver,
                     "the driver knows CUDA " + version_text(versions.driver) +
                         "; this program needs " + version_text(versions.runtime),
                     "cudaGetDeviceCount", cudaGetErrorName(code));
  }
  check(code, "cudaGetDeviceCount");
  if (gpu >= count) {
    throw ProbeError(ErrorKind::no_device, "there is no GPU " + std::to_string(gpu) +
                                               "; they are numbered from 0, and there are " +
                                               std::to_string(count));
  }
}

std::string pci_bus_id(int gpu) {
  std::array<char, 32> text{};
  check(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), gpu),
        "cudaDeviceGetPCIBusId");
  return text.data();
}

// CUDA's own variables: some change what is measured (CUDA_LAUNCH_BLOCKING, CUDA_MODULE_LOADING).
void write_environment(JsonWriter& json) {
  auto object = json.object("environment");
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (text.rfind("CUDA_", 0) != 0 || equals == std::string_view::npos) continue;
    json.member(text.substr(0, equals), text.substr(equals + 1));
  }
}

int attribute(cudaDeviceAttr attribute, int gpu) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, attribute, gpu), "cudaDeviceGetAttribute");
  return value;
}

void write_properties(JsonWriter& json, const cudaDeviceProp& properties, int gpu) {
  json.member("name", properties.name);
  json.member("compute_capability",
              std::to_string(properties.major) + '.' + std::to_string(properties.minor));
  json.member("multiprocessors", properties.multiProcessorCount);
  json.member("memory_bytes", properties.totalGlobalMem);
  json.member("l2_bytes", properties.l2CacheSize);
  json.member("copy_engines", properties.asyncEngineCount);
  json.member("ecc", properties.ECCEnabled != 0);
  json.member("memory_bus_bits", properties.memoryBusWidth);
  json.member("sm_clock_max_khz", attribute(cudaDevAttrClockRate, gpu));
  json.member("memory_clock_max_khz", attribute(cudaDevAttrMemoryClockRate, gpu));
}

void write_nvml(JsonWriter& json, const Nvml& nvml) {
  auto object = json.object("nvml");
  if (!nvml.problem().empty()) {
    json.member("problem", nvml.problem());
    return;
  }
  const std::optional<Nvml::Memory> memory = nvml.memory();
  using Bytes = std::optional<std::int64_t>;
  json.member("driver_version", nvml.driver_version());
  json.member("memory_bytes", memory ? Bytes(memory->total_bytes) : std::nullopt);
  json.member("compute_processes", nvml.compute_processes());
  json.member("sm_clock_mhz", nvml.sm_clock_mhz());
  json.member("memory_clock_mhz", nvml.memory_clock_mhz());
}

}  // namespace

Device open_device(int gpu, JsonWriter& json) {
  auto object = json.object("device");
  const Versions cuda = versions();
  json.member("cuda_driver_version", cuda.driver);
  json.member("cuda_runtime_version", cuda.runtime);
  write_environment(json);
  check_gpu(gpu, cuda);
  cudaDeviceProp properties = {};
  check(cudaGetDeviceProperties(&properties, gpu), "cudaGetDeviceProperties");
  write_properties(json, properties, gpu);
  const std::string bus_id = pci_bus_id(gpu);
  json.member("pci_bus_id", bus_id);
  auto nvml = std::make_unique<Nvml>(bus_id);
  write_nvml(json, *nvml);
  return {gpu, static_cast<unsigned>(properties.multiProcessorCount), std::move(nvml)};
}

}  // namespace memsim::probe
