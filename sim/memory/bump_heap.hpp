// Arenas in which a pointer only moves up.
//
// Source: region-based allocation as in Hanson 1990. A block lies where the last one ended, at the
// next multiple of 512 bytes; what a segment has left when a request does not fit is lost. Freed
// blocks serve nobody: a segment goes back to the driver when all of its blocks are free.
#pragma once

#include <memory>
#include <string_view>

#include "sim/core/result.hpp"
#include "sim/memory/block_heap.hpp"

namespace memsim::sim {

struct BumpOptions {
  Bytes segment = 64_MiB;  // larger requests get a segment of their own size
};

// "segment_mb:N". Errors: as read_options.
Result<BumpOptions> read_bump_options(std::string_view text);

// `driver` outlives the heap.
std::unique_ptr<BlockHeap> make_bump_heap(const Driver& driver, const BumpOptions& options);

}  // namespace memsim::sim
