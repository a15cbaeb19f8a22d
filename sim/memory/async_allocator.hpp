// cudaMallocAsync as PyTorch's backend of that name uses it: the driver's stream-ordered pool.
//
// Sources: PyTorch 2.6, CUDAMallocAsyncAllocator.cpp (what is counted, the message); CUDA
// programming guide, "Stream Ordered Memory Allocator" (who may use what again, and when).
// What a tensor takes in the statistics is what was asked for. Within the pool it begins at a
// multiple of 512 bytes. A request that finds no range, in this order: the pool grows; it grows by
// no more than needed; another stream's range is waited for; all are; unused segments go back and
// the pool grows again. The driver lets a stream wait there; here the host does.
#pragma once

#include <limits>
#include <memory>
#include <string_view>

#include "sim/core/result.hpp"
#include "sim/memory/allocator.hpp"
#include "sim/memory/driver.hpp"

namespace memsim::sim {

struct AsyncOptions {
  // The pool takes multiples of this from the device. No manual states it: 32 MiB are observed.
  Bytes growth = 32_MiB;
  // What the pool holds beyond this goes back, as far as it is unused, when the host waits for the
  // device. Without bound, as PyTorch sets it.
  Bytes release_threshold = Bytes::max();
};

// "growth_mb:N,release_threshold_mb:N". Errors: as read_options.
Result<AsyncOptions> read_async_options(std::string_view text);

// `driver` and `events` outlive the allocator.
std::unique_ptr<Allocator> make_async_allocator(Driver& driver, StreamEvents& events,
                                                const AsyncOptions& options);

}  // namespace memsim::sim
