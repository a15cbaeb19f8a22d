// PyTorch's cache of pinned host memory (CachingHostAllocator): tensors of `pin_memory()` and of
// data loaders that pin.
//
// Source: PyTorch 2.6, CachingHostAllocator.h; the options are of 2.9 and later. A request is
// rounded up to a power of two and served by the block of that size that was freed last, or by
// cudaHostAlloc. Blocks are neither split nor merged, belong to no stream, and go back only when
// the cache is emptied: no shortage makes them. A freed block that streams have used has one event
// for each; all events stand in one queue, and one that has not ended holds up those behind it.
#pragma once

#include <memory>
#include <string_view>

#include "sim/core/result.hpp"
#include "sim/memory/allocator.hpp"
#include "sim/memory/driver.hpp"

namespace memsim::sim {

struct PinnedOptions {
  // Larger requests are not rounded. They share a list with all sizes of their power of two: the
  // last one freed that is large enough serves (assumed).
  Bytes max_round = Bytes::max();
  // Larger blocks go back to the system when they are freed.
  Bytes max_cached = Bytes::max();
};

// "max_round_threshold_mb:N,max_cached_size_mb:N". Errors: as read_options.
Result<PinnedOptions> read_pinned_options(std::string_view text);

// `host` (memory of the machine, with its page size as granularity) and `events` outlive the
// allocator. The stream of a request means nothing.
std::unique_ptr<Allocator> make_pinned_allocator(Driver& host, StreamEvents& events,
                                                 const PinnedOptions& options);

}  // namespace memsim::sim
