#include "validate/probe/cuda/cuda_check.hpp"

#include <string>

namespace memsim::probe {

ErrorKind kind_of(cudaError_t code) {
  switch (code) {
    case cudaErrorInsufficientDriver:          // none, or older than the runtime
    case cudaErrorStubLibrary:                 // the toolkit's stand-in for the driver
    case cudaErrorSystemDriverMismatch:        // kernel module and library differ
    case cudaErrorCompatNotSupportedOnDevice:  // forward compatibility on a consumer GPU
      return ErrorKind::no_driver;
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
      return ErrorKind::no_device;
    case cudaErrorMemoryAllocation:
      return ErrorKind::out_of_memory;
    // All later calls of this process would fail too.
    case cudaErrorECCUncorrectable:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorMisalignedAddress:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorUnknown:
      return ErrorKind::device_lost;
    default:
      return ErrorKind::cuda;
  }
}

void check(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  throw ProbeError(kind_of(code), std::string(call) + ": " + cudaGetErrorString(code), call,
                   cudaGetErrorName(code));
}

void check(CUresult code, const char* call) { check(static_cast<cudaError_t>(code), call); }

}  // namespace memsim::probe
