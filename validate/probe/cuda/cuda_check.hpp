// Failed calls of CUDA as errors of the probe.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include "validate/probe/error.hpp"

namespace memsim::probe {

// The kind of a failure. Requires: not cudaSuccess.
ErrorKind kind_of(cudaError_t code);

// Throws ProbeError unless the call succeeded. `call`: the name of the function.
void check(cudaError_t code, const char* call);
// The driver's codes are those of the runtime (since CUDA 10.1).
void check(CUresult code, const char* call);

}  // namespace memsim::probe
