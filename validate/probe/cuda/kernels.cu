#include "validate/probe/cuda/kernels.hpp"

namespace memsim::probe {
namespace {

__global__ void empty() {}

__device__ std::int64_t global_timer_ns() {
  std::int64_t nanoseconds = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  return nanoseconds;
}

__global__ void hold(std::int64_t nanoseconds) {
  const std::int64_t start = global_timer_ns();
  while (global_timer_ns() - start < nanoseconds) {
  }
}

}  // namespace

cudaError_t launch_empty(unsigned blocks, unsigned threads, cudaStream_t stream) {
  return cudaLaunchKernel(empty, dim3(blocks), dim3(threads), nullptr, 0, stream);
}

cudaError_t launch_hold(std::int64_t nanoseconds, cudaStream_t stream) {
  void* arguments[] = {&nanoseconds};
  return cudaLaunchKernel(hold, dim3(1), dim3(1), arguments, 0, stream);
}

}  // namespace memsim::probe
