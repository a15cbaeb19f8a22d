#include "validate/probe/cuda/dynamic_library.hpp"

#include <dlfcn.h>

namespace memsim::probe {
namespace {

std::string last_error() {
  const char* text = dlerror();  // NOLINT(concurrency-mt-unsafe): probes have one thread
  return text == nullptr ? "unknown error of the dynamic linker" : text;
}

}  // namespace

DynamicLibrary::DynamicLibrary(const char* name) : handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) problem_ = last_error();
}

DynamicLibrary::~DynamicLibrary() {
  if (handle_ != nullptr) dlclose(handle_);
}

void* DynamicLibrary::address(const char* symbol) {
  if (handle_ == nullptr) return nullptr;
  void* found = dlsym(handle_, symbol);
  if (found == nullptr && problem_.empty()) problem_ = last_error();
  return found;
}

}  // namespace memsim::probe
