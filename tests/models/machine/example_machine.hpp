// A machine with round figures, for sums by hand: two sockets, four switches, eight GPUs, wired as
// a DGX A100. Every link carries 20 GB/s towards the GPUs and 10 GB/s back, 1 us each way.
#pragma once

#include <cstdint>

#include "models/machine/spec.hpp"

namespace memsim::models {

GpuSpec example_gpu();
HostSpec example_host(std::uint32_t sockets);
LinkSpec example_link();

// socket0 - gpu0
SystemSpec one_gpu();

// Links 0-3: socket to switch; 4-11: switch to GPU; 12-19: GPU to nvswitch (100 GB/s).
SystemSpec eight_gpus();

}  // namespace memsim::models
