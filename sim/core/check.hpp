// Broken invariants. A failed check is a defect of memsim, never an answer to user input: it throws
// InternalError, is on in release builds, and is caught once per command (exit code 70) and once
// per point of a study.
#pragma once

#include <stdexcept>
#include <string>

namespace memsim::sim {

// A broken invariant; what() names the expression, the file and the line.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Arithmetic beyond 64 bits. A defect like any other, unless the numbers are a user's: what
// computes with those turns it into an Error.
class Overflow : public InternalError {
 public:
  using InternalError::InternalError;
};

[[noreturn]] void fail_overflow(const char* operation);

[[noreturn]] void fail_check(const char* expression, const char* file, int line,
                             const std::string& message);

}  // namespace memsim::sim

// Throws InternalError when `condition` is false. `message` is built only on failure.
#define MEMSIM_CHECK(condition, message)                                    \
  do {                                                                      \
    if (!(condition)) [[unlikely]]                                          \
      ::memsim::sim::fail_check(#condition, __FILE__, __LINE__, (message)); \
  } while (false)
