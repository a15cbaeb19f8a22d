// The part of CUDA's runtime and of nvcc's kernels that the probe calls.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "tests/validate/probe/imaginary_gpu.hpp"
#include "validate/probe/cuda/kernels.hpp"

namespace memsim::probe {
namespace {

template <typename Handle>
Handle to_handle(std::int64_t number) {
  return reinterpret_cast<Handle>(number);  // NOLINT(performance-no-int-to-ptr)
}

template <typename Handle>
std::int64_t number_of(Handle handle) {
  return reinterpret_cast<std::int64_t>(handle);
}

// Calls that need a context fail without one.
cudaError_t called_in_context(const char* function) {
  const cudaError_t code = gpu().called(function);
  if (code != cudaSuccess) return code;
  return gpu().has_context ? cudaSuccess : cudaErrorDeviceUninitialized;
}

// The default stream is there as long as the context.
bool is_stream(cudaStream_t stream) {
  return stream == nullptr || gpu().streams.count(number_of(stream)) != 0;
}

cudaError_t launch(std::int64_t duration_ns, cudaStream_t stream) {
  if (const cudaError_t code = called_in_context("cudaLaunchKernel")) return code;
  if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
  gpu().loaded = true;
  gpu().host_ns += gpu().launch_ns;
  gpu().device_ns = std::max(gpu().device_ns, gpu().host_ns) + duration_ns;
  return cudaSuccess;
}

cudaError_t wait() {
  gpu().host_ns = std::max(gpu().host_ns, gpu().device_ns);
  return cudaSuccess;
}

}  // namespace

cudaError_t launch_empty(unsigned blocks, unsigned threads, cudaStream_t stream) {
  if (blocks == 0 || threads == 0) return cudaErrorInvalidConfiguration;
  return launch(gpu().kernel_ns, stream);
}

cudaError_t launch_hold(std::int64_t nanoseconds, cudaStream_t stream) {
  return launch(nanoseconds, stream);
}

extern "C" {

cudaError_t CUDARTAPI cudaDriverGetVersion(int* version) {
  *version = gpu().driver_version;
  return gpu().called("cudaDriverGetVersion");
}

cudaError_t CUDARTAPI cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return gpu().called("cudaRuntimeGetVersion");
}

cudaError_t CUDARTAPI cudaGetDeviceCount(int* count) {
  *count = gpu().count;
  const cudaError_t code = gpu().called("cudaGetDeviceCount");
  return code == cudaSuccess && gpu().count == 0 ? cudaErrorNoDevice : code;
}

const char* CUDARTAPI cudaGetErrorName(cudaError_t code) {
  return code == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation" : "cudaErrorImaginary";
}

const char* CUDARTAPI cudaGetErrorString(cudaError_t code) {
  return code == cudaErrorMemoryAllocation ? "out of memory" : "an imaginary error";
}

cudaError_t CUDARTAPI cudaGetDeviceProperties(cudaDeviceProp* properties, int /*device*/) {
  *properties = {};
  std::strcpy(properties->name, "Imaginary \"GPU\"");
  properties->major = 9;
  properties->multiProcessorCount = 132;
  properties->totalGlobalMem = static_cast<std::size_t>(gpu().total);
  return gpu().called("cudaGetDeviceProperties");
}

cudaError_t CUDARTAPI cudaDeviceGetPCIBusId(char* text, int size, int /*device*/) {
  std::snprintf(text, static_cast<std::size_t>(size), "0000:3B:00.0");
  return gpu().called("cudaDeviceGetPCIBusId");
}

cudaError_t CUDARTAPI cudaDeviceGetAttribute(int* value, cudaDeviceAttr /*attribute*/,
                                             int /*device*/) {
  *value = 1'980'000;
  return gpu().called("cudaDeviceGetAttribute");
}

cudaError_t CUDARTAPI cudaSetDevice(int device) {
  if (const cudaError_t code = gpu().called("cudaSetDevice")) return code;
  if (device < 0 || device >= gpu().count) return cudaErrorInvalidDevice;
  if (!gpu().has_context) ++gpu().contexts;
  gpu().has_context = true;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaDeviceReset() {
  const cudaError_t code = gpu().called("cudaDeviceReset");
  gpu().left_to_reset = gpu().left_to_reset || gpu().holds();
  gpu().has_context = false;
  gpu().loaded = false;
  gpu().large.clear();
  gpu().small.clear();
  gpu().streams.clear();
  gpu().events.clear();
  return code;
}

cudaError_t CUDARTAPI cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  if (const cudaError_t code = called_in_context("cudaMemGetInfo")) return code;
  *free = static_cast<std::size_t>(gpu().total - gpu().used());
  *total = static_cast<std::size_t>(gpu().total);
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaMalloc(void** address, std::size_t size) {
  if (const cudaError_t code = called_in_context("cudaMalloc")) return code;
  const auto bytes = static_cast<std::int64_t>(size);
  if (!gpu().take(bytes)) return cudaErrorMemoryAllocation;
  const std::int64_t handle = gpu().next_handle();
  (bytes < mib ? gpu().small : gpu().large)[handle] = bytes;
  *address = to_handle<void*>(handle);
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaFree(void* address) {
  if (const cudaError_t code = called_in_context("cudaFree")) return code;
  const std::int64_t handle = number_of(address);
  return gpu().small.erase(handle) + gpu().large.erase(handle) == 1 ? cudaSuccess
                                                                    : cudaErrorInvalidValue;
}

cudaError_t CUDARTAPI cudaDeviceSynchronize() {
  if (const cudaError_t code = called_in_context("cudaDeviceSynchronize")) return code;
  return wait();
}

cudaError_t CUDARTAPI cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned /*flags*/) {
  if (const cudaError_t code = called_in_context("cudaStreamCreateWithFlags")) return code;
  *stream = to_handle<cudaStream_t>(*gpu().streams.insert(gpu().next_handle()).first);
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaStreamDestroy(cudaStream_t stream) {
  return gpu().streams.erase(number_of(stream)) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t CUDARTAPI cudaStreamSynchronize(cudaStream_t stream) {
  if (const cudaError_t code = called_in_context("cudaStreamSynchronize")) return code;
  return is_stream(stream) ? wait() : cudaErrorInvalidResourceHandle;
}

cudaError_t CUDARTAPI cudaEventCreate(cudaEvent_t* event) {
  if (const cudaError_t code = called_in_context("cudaEventCreate")) return code;
  const std::int64_t handle = gpu().next_handle();
  gpu().events[handle] = -1;
  *event = to_handle<cudaEvent_t>(handle);
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaEventDestroy(cudaEvent_t event) {
  return gpu().events.erase(number_of(event)) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t CUDARTAPI cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const auto found = gpu().events.find(number_of(event));
  if (found == gpu().events.end() || !is_stream(stream)) return cudaErrorInvalidResourceHandle;
  found->second = std::max(gpu().device_ns, gpu().host_ns);
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaEventQuery(cudaEvent_t event) {
  const auto found = gpu().events.find(number_of(event));
  if (found == gpu().events.end()) return cudaErrorInvalidResourceHandle;
  return found->second <= gpu().host_ns ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t CUDARTAPI cudaEventElapsedTime(float* milliseconds, cudaEvent_t start,
                                           cudaEvent_t end) {
  const std::int64_t from = gpu().events.at(number_of(start));
  const std::int64_t to = gpu().events.at(number_of(end));
  if (from < 0 || to < 0) return cudaErrorInvalidResourceHandle;
  if (std::max(from, to) > gpu().host_ns) return cudaErrorNotReady;
  *milliseconds = static_cast<float>(to - from) * 1e-6F;
  return cudaSuccess;
}

}  // extern "C"

}  // namespace memsim::probe
