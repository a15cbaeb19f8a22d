// The GPU that is measured.
#pragma once

#include <memory>

#include "validate/probe/cuda/nvml.hpp"
#include "validate/probe/json_writer.hpp"

namespace memsim::probe {

struct Device {
  int gpu = 0;  // CUDA's number
  unsigned multiprocessors = 0;
  std::unique_ptr<Nvml> nvml;
};

// Finds the GPU and writes "device": what it is, by CUDA and NVML. Makes no context on it.
Device open_device(int gpu, JsonWriter& json);

}  // namespace memsim::probe
