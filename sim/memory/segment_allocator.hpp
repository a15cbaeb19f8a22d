// An allocator whose blocks lie where a heap says; the same for all heaps is done here: names,
// usage, streams, the driver, running out of memory.
//
// Each stream has a heap of its own, so that what is freed can be used again in stream order. A
// block that other streams use as well returns to its heap when these uses have ended; such blocks
// are looked at in the order of their frees. Segments are kept until the cache is emptied or the
// driver has no memory left: then the host waits for pending blocks, and unused segments of all
// streams go back.
#pragma once

#include <functional>
#include <memory>

#include "sim/memory/allocator.hpp"
#include "sim/memory/block_heap.hpp"
#include "sim/memory/driver.hpp"

namespace memsim::sim {

using MakeHeap = std::function<std::unique_ptr<BlockHeap>(const Driver& driver)>;

// `driver` and `events` outlive the allocator.
std::unique_ptr<Allocator> make_segment_allocator(Driver& driver, StreamEvents& events,
                                                  MakeHeap make_heap);

}  // namespace memsim::sim
