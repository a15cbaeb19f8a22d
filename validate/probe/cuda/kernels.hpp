// The kernels of the probe: all that needs nvcc.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace memsim::probe {

// A kernel that does nothing. One call of cudaLaunchKernel, and its result.
cudaError_t launch_empty(unsigned blocks, unsigned threads, cudaStream_t stream);

// A kernel of one thread that keeps its stream busy for so long, by the GPU's own clock.
cudaError_t launch_hold(std::int64_t nanoseconds, cudaStream_t stream);

}  // namespace memsim::probe
