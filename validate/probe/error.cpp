#include "validate/probe/error.hpp"

#include <utility>

namespace memsim::probe {

const char* name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::no_driver:
      return "no_driver";
    case ErrorKind::no_device:
      return "no_device";
    case ErrorKind::out_of_memory:
      return "out_of_memory";
    case ErrorKind::device_lost:
      return "device_lost";
    case ErrorKind::cuda:
      return "cuda";
    case ErrorKind::internal:
      break;
  }
  return "internal";
}

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return 2;
    case ErrorKind::no_driver:
    case ErrorKind::no_device:
      return 77;
    case ErrorKind::internal:
      return 70;
    default:
      return 1;
  }
}

ProbeError::ProbeError(ErrorKind kind, const std::string& message, std::string call,
                       std::string code)
    : std::runtime_error(message), kind_(kind), call_(std::move(call)), code_(std::move(code)) {}

}  // namespace memsim::probe
