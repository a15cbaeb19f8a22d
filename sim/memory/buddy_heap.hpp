// The binary buddy system.
//
// Source: Knowlton 1965; Knuth, The Art of Computer Programming 1, 2.5. Blocks are powers of two,
// from 512 bytes on, at multiples of their size within a segment. The lowest free block of the
// smallest size that serves is halved until it fits; a freed block merges with its other half for
// as long as that is free.
#pragma once

#include <memory>
#include <string_view>

#include "sim/core/result.hpp"
#include "sim/memory/block_heap.hpp"

namespace memsim::sim {

struct BuddyOptions {
  Bytes segment = 64_MiB;  // a power of two; larger requests get a segment of their own size
};

// "segment_mb:N". Errors: as read_options.
Result<BuddyOptions> read_buddy_options(std::string_view text);

// `driver` outlives the heap.
std::unique_ptr<BlockHeap> make_buddy_heap(const Driver& driver, const BuddyOptions& options);

}  // namespace memsim::sim
