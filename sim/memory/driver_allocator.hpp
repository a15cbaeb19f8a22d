// The driver as an allocator: every request is a cudaMalloc, every release a cudaFree.
#pragma once

#include <memory>

#include "sim/memory/allocator.hpp"
#include "sim/memory/driver.hpp"

namespace memsim::sim {

// `driver` outlives the allocator. cudaFree waits for the device, so memory that several streams
// use needs no events.
std::unique_ptr<Allocator> make_driver_allocator(Driver& driver);

}  // namespace memsim::sim
