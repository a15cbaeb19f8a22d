// Best fit with coalescing, the textbook's general-purpose allocator.
//
// Source: Knuth, The Art of Computer Programming 1, 2.5. The smallest free range that is large
// enough serves, among equals the one at the lowest address; its low end is taken in units of 512
// bytes, the rest stays free however small. A range that is freed merges with free neighbours.
#pragma once

#include <memory>
#include <string_view>

#include "sim/core/result.hpp"
#include "sim/memory/block_heap.hpp"

namespace memsim::sim {

struct BestFitOptions {
  Bytes segment{};  // at least this is asked of the driver; 0: no more than the request needs
};

// "segment_mb:N". Errors: as read_options.
Result<BestFitOptions> read_best_fit_options(std::string_view text);

// `driver` outlives the heap.
std::unique_ptr<BlockHeap> make_best_fit_heap(const Driver& driver, const BestFitOptions& options);

}  // namespace memsim::sim
