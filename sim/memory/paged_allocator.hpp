// Blocks of one size from a pool that is reserved at the start, as vLLM keeps its KV cache.
//
// Source: vLLM V1, block_pool.py and kv_cache_utils.py. A request takes as many blocks as hold it;
// they need not be neighbours. Block 0 is the null block and serves nobody. Free blocks wait in one
// queue: at first in the order of their numbers; those of a freed request join at the end, its last
// block first. The pool stays reserved for as long as the allocator lives.
//
// Whoever takes blocks that another stream may still be using waits for that use: the host does, as
// vLLM's scheduler knows a step's end before it gives its blocks to others.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/core/result.hpp"
#include "sim/memory/allocator.hpp"
#include "sim/memory/driver.hpp"

namespace memsim::sim {

struct PagedOptions {
  // 16 tokens of keys and values in bf16, of 8 heads of 128: one layer of an 8B model.
  Bytes block = 64_KiB;
  // With the null block. 0: as many as `share_percent` of the device holds, less what others have
  // taken of it.
  std::int64_t blocks = 0;
  std::int64_t share_percent = 90;
};

// "block_kb:N,blocks:N,share_percent:N". Errors: as read_options.
Result<PagedOptions> read_paged_options(std::string_view text);

// Blocks first, first + step, ...; step is 1 or -1.
struct BlockRun {
  std::int64_t first;
  std::int64_t count;
  std::int64_t step;
};

class PagedAllocator : public Allocator {
 public:
  // Numbers of the blocks of a live allocation, in the order of its bytes. address() is the first
  // one's; block_size() what all of them span.
  [[nodiscard]] virtual std::vector<BlockRun> blocks(AllocationId allocation) const = 0;
  [[nodiscard]] virtual std::uint64_t address_of_block(std::int64_t block) const = 0;
  [[nodiscard]] virtual Bytes bytes_per_block() const = 0;
};

// `driver` and `events` outlive the allocator. A pool that the device cannot hold is none: every
// request then runs out of memory.
std::unique_ptr<PagedAllocator> make_paged_allocator(Driver& driver, StreamEvents& events,
                                                     const PagedOptions& options);

}  // namespace memsim::sim
