// The driver's libraries as the probe sees them: looked up by name.
#include <cuda.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>

#include "tests/validate/probe/imaginary_gpu.hpp"
#include "validate/probe/cuda/dynamic_library.hpp"

namespace memsim::probe {
namespace {

constexpr std::int64_t granularity = 2 * mib;

CUresult driver_call(const char* function) {
  const auto code = static_cast<CUresult>(gpu().called(function));
  if (code != CUDA_SUCCESS) return code;
  return gpu().has_context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult valid(bool condition) { return condition ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }

CUresult device_get_attribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  *value = gpu().has_virtual_memory ? 1 : 0;
  return valid(device == 0 && attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED);
}

bool on_this_gpu(const CUmemAllocationProp& properties) {
  return properties.type == CU_MEM_ALLOCATION_TYPE_PINNED &&
         properties.location.type == CU_MEM_LOCATION_TYPE_DEVICE && properties.location.id == 0;
}

CUresult get_granularity(std::size_t* bytes, const CUmemAllocationProp* properties,
                         CUmemAllocationGranularity_flags /*option*/) {
  *bytes = granularity;
  return valid(on_this_gpu(*properties));
}

CUresult address_reserve(CUdeviceptr* address, std::size_t size, std::size_t /*alignment*/,
                         CUdeviceptr hint, unsigned long long flags) {
  if (const CUresult code = driver_call("cuMemAddressReserve")) return code;
  const std::int64_t handle = gpu().next_handle();
  gpu().ranges[handle] = static_cast<std::int64_t>(size);
  *address = static_cast<CUdeviceptr>(handle);
  return valid(hint == 0 && flags == 0);
}

CUresult address_free(CUdeviceptr address, std::size_t size) {
  const auto key = static_cast<std::int64_t>(address);
  const auto found = gpu().ranges.find(key);
  if (found == gpu().ranges.end() || gpu().mapped.count(key) != 0 ||
      found->second != static_cast<std::int64_t>(size)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  gpu().ranges.erase(found);
  return CUDA_SUCCESS;
}

CUresult create(CUmemGenericAllocationHandle* handle, std::size_t size,
                const CUmemAllocationProp* properties, unsigned long long flags) {
  if (const CUresult code = driver_call("cuMemCreate")) return code;
  const auto bytes = static_cast<std::int64_t>(size);
  if (bytes % granularity != 0 || flags != 0 || !on_this_gpu(*properties)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (!gpu().take(bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
  const std::int64_t number = gpu().next_handle();
  gpu().blocks[number] = bytes;
  *handle = static_cast<CUmemGenericAllocationHandle>(number);
  return CUDA_SUCCESS;
}

CUresult release(CUmemGenericAllocationHandle handle) {
  return valid(gpu().blocks.erase(static_cast<std::int64_t>(handle)) == 1);
}

CUresult map(CUdeviceptr address, std::size_t size, std::size_t offset,
             CUmemGenericAllocationHandle handle, unsigned long long flags) {
  if (const CUresult code = driver_call("cuMemMap")) return code;
  const auto key = static_cast<std::int64_t>(address);
  const auto block = static_cast<std::int64_t>(handle);
  const bool fits = gpu().ranges.count(key) != 0 && gpu().blocks.count(block) != 0 &&
                    gpu().blocks[block] == static_cast<std::int64_t>(size) && offset == 0 &&
                    flags == 0;
  return valid(fits && gpu().mapped.emplace(key, block).second);
}

CUresult unmap(CUdeviceptr address, std::size_t /*size*/) {
  return valid(gpu().mapped.erase(static_cast<std::int64_t>(address)) == 1);
}

CUresult set_access(CUdeviceptr address, std::size_t /*size*/, const CUmemAccessDesc* access,
                    std::size_t count) {
  if (const CUresult code = driver_call("cuMemSetAccess")) return code;
  return valid(gpu().mapped.count(static_cast<std::int64_t>(address)) != 0 && count == 1 &&
               access->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
}

// NVML's codes and layouts, from its documentation.
constexpr int nvml_success = 0;
constexpr int nvml_uninitialized = 1;
constexpr int nvml_not_found = 6;
constexpr int nvml_insufficient_size = 7;

struct NvmlMemory {
  unsigned long long total, free, used;
};

int nvml_ready() { return gpu().nvml_open ? nvml_success : nvml_uninitialized; }

int nvml_init() {
  gpu().nvml_open = true;
  return nvml_success;
}

int nvml_shutdown() {
  const int code = nvml_ready();
  gpu().nvml_open = false;
  return code;
}

const char* nvml_error(int /*code*/) { return "an imaginary error"; }

int nvml_handle(const char* bus_id, void** handle) {
  *handle = &gpu();
  return std::string(bus_id) == "0000:3B:00.0" ? nvml_ready() : nvml_not_found;
}

int nvml_memory(void* /*gpu*/, NvmlMemory* memory) {
  const auto total = static_cast<unsigned long long>(gpu().total);
  const auto used = static_cast<unsigned long long>(gpu().used());
  *memory = {total, total - used, used};
  return nvml_ready();
}

int nvml_clock(void* /*gpu*/, int type, unsigned* mhz) {
  *mhz = type == 1 ? 1755 : 2619;
  return nvml_ready();
}

int nvml_driver_version(char* text, unsigned size) {
  std::snprintf(text, size, "580.65.06");
  return nvml_ready();
}

int nvml_processes(void* /*gpu*/, unsigned* count, void* list) {
  *count = 2;
  return list == nullptr ? nvml_insufficient_size : nvml_success;
}

template <typename Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

const std::map<std::string, void*>& functions() {
  static const std::map<std::string, void*> table = {
      {"cuDeviceGetAttribute", address_of(device_get_attribute)},
      {"cuMemGetAllocationGranularity", address_of(get_granularity)},
      {"cuMemAddressReserve", address_of(address_reserve)},
      {"cuMemAddressFree", address_of(address_free)},
      {"cuMemCreate", address_of(create)},
      {"cuMemRelease", address_of(release)},
      {"cuMemMap", address_of(map)},
      {"cuMemUnmap", address_of(unmap)},
      {"cuMemSetAccess", address_of(set_access)},
      {"nvmlInit_v2", address_of(nvml_init)},
      {"nvmlShutdown", address_of(nvml_shutdown)},
      {"nvmlErrorString", address_of(nvml_error)},
      {"nvmlDeviceGetHandleByPciBusId_v2", address_of(nvml_handle)},
      {"nvmlDeviceGetMemoryInfo", address_of(nvml_memory)},
      {"nvmlDeviceGetClockInfo", address_of(nvml_clock)},
      {"nvmlSystemGetDriverVersion", address_of(nvml_driver_version)},
      {"nvmlDeviceGetComputeRunningProcesses_v3", address_of(nvml_processes)}};
  return table;
}

}  // namespace

DynamicLibrary::DynamicLibrary(const char* name) : handle_(&gpu()) {
  if (std::string(name) == "libnvidia-ml.so.1" && !gpu().has_nvml) {
    problem_ = std::string(name) + ": cannot open";
  }
}

DynamicLibrary::~DynamicLibrary() = default;

void* DynamicLibrary::address(const char* symbol) {
  if (!problem_.empty()) return nullptr;
  const auto found = functions().find(symbol);
  if (found != functions().end()) return found->second;
  problem_ = std::string("no function ") + symbol;
  return nullptr;
}

}  // namespace memsim::probe
