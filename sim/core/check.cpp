#include "sim/core/check.hpp"

namespace memsim::sim {

void fail_overflow(const char* operation) {
  throw Overflow(std::string("integer overflow in ") + operation);
}

void fail_check(const char* expression, const char* file, int line, const std::string& message) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": " + message + " (" +
                      expression + ")");
}

}  // namespace memsim::sim
