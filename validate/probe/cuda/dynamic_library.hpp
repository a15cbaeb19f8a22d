// A shared library that may be absent: the driver's, which come with a GPU and not with the
// toolkit.
#pragma once

#include <string>

namespace memsim::probe {

class DynamicLibrary {
 public:
  // `name`: as in the linker's search path, "libcuda.so.1".
  explicit DynamicLibrary(const char* name);
  ~DynamicLibrary();
  DynamicLibrary(const DynamicLibrary&) = delete;
  DynamicLibrary& operator=(const DynamicLibrary&) = delete;

  // What could not be found, the library or the first of its functions; empty when all was.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  // Points `function` to the function of this name; null, and a problem, where there is none.
  // Requires: the function has that type.
  template <typename Function>
  void find(const char* symbol, Function*& function) {
    function = reinterpret_cast<Function*>(address(symbol));
  }

 private:
  void* address(const char* symbol);

  std::string problem_;
  void* handle_;
};

}  // namespace memsim::probe
