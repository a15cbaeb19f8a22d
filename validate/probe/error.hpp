// Why a probe could not measure. A probe is a program: its errors are exceptions, caught in one
// place (run in program.cpp), which makes a JSON document and an exit code of them.
#pragma once

#include <stdexcept>
#include <string>

namespace memsim::probe {

enum class ErrorKind {
  usage,          // the arguments
  no_driver,      // no NVIDIA driver, or one too old for this program
  no_device,      // no GPU, or none of that number
  out_of_memory,  // on the GPU
  device_lost,    // the GPU failed and is of no more use to this process
  cuda,           // any other failed call
  internal,       // a defect of the probe
};

const char* name(ErrorKind kind);

// 2 usage; 77 nothing here to measure (what test drivers take for "skipped"): no_driver, no_device;
// 70 internal; 1 the others.
int exit_code(ErrorKind kind);

class ProbeError : public std::runtime_error {
 public:
  // `call` and `code`: the function that failed and the name of what it returned, where it was one.
  ProbeError(ErrorKind kind, const std::string& message, std::string call = "",
             std::string code = "");

  [[nodiscard]] ErrorKind kind() const { return kind_; }
  [[nodiscard]] const std::string& call() const { return call_; }
  [[nodiscard]] const std::string& code() const { return code_; }

 private:
  ErrorKind kind_;
  std::string call_;
  std::string code_;
};

}  // namespace memsim::probe
