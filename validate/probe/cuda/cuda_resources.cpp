#include "validate/probe/cuda/cuda_resources.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

#include "validate/probe/cuda/cuda_check.hpp"

namespace memsim::probe {

PrimaryContext::PrimaryContext(int gpu) {
  // Since CUDA 12 this makes the context, rather than the first call that needs it.
  check(cudaSetDevice(gpu), "cudaSetDevice");
}

void DeviceMemory::allocate(std::int64_t bytes) {
  check(cudaMalloc(&address_, static_cast<std::size_t>(bytes)), "cudaMalloc");
}

void DeviceMemory::release() {
  void* address = std::exchange(address_, nullptr);
  check(cudaFree(address), "cudaFree");
}

Stream::Stream() {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
}

void Stream::synchronize() const { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

Event::Event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }

void Event::record(const Stream& stream) {
  check(cudaEventRecord(event_, stream.get()), "cudaEventRecord");
}

bool Event::reached() const {
  const cudaError_t code = cudaEventQuery(event_);
  if (code == cudaErrorNotReady) return false;
  check(code, "cudaEventQuery");
  return true;
}

std::int64_t Event::since_ns(const Event& start) const {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start.event_, event_), "cudaEventElapsedTime");
  return std::llround(static_cast<double>(milliseconds) * 1e6);
}

std::int64_t free_bytes() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return static_cast<std::int64_t>(free);
}

}  // namespace memsim::probe
