// The PyTorch CUDA caching allocator, as of v2.6.0, with all of its options, to the byte.
//
// Requests are rounded to 512 bytes. Up to 1 MiB they are served from the *small pool* (segments of
// 2 MiB), larger ones from the *large pool* (segments of 20 MiB, or the request rounded up to 2 MiB
// from 10 MiB on). The best fitting free block of the stream is taken and split if enough is left;
// freed blocks merge with free neighbours. Segments go back to the driver only when the cache is
// emptied: on demand, or when the driver is full, after which the request is tried again.
//
// With expandable segments a stream's pool is one long stretch of addresses, and pages of 2 MiB
// (small pool) or 20 MiB (large pool) get memory behind them as blocks reach into them.
//
// A block that other streams use (record_stream) stays *pending* after its free until events on
// those streams are done; they are looked at whenever the allocator is asked for memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/memory/allocator.hpp"
#include "sim/memory/allocator_observer.hpp"
#include "sim/memory/driver.hpp"
#include "sim/memory/torch_options.hpp"
#include "sim/memory/torch_pools.hpp"
#include "sim/memory/torch_ratio.hpp"
#include "sim/memory/torch_statistics.hpp"

namespace memsim::sim {

// A block as torch.cuda.memory._snapshot shows it.
struct TorchBlock {
  enum class State : std::uint8_t { active_allocated, active_pending_free, inactive };
  std::uint64_t address = 0;
  Bytes size;
  Bytes requested;  // inactive: left over from the block's last use
  State state = State::inactive;
};
std::string_view name(TorchBlock::State state);

// A segment with its blocks in the order of their addresses; they tile it. Of an expandable segment
// each stretch that has memory behind it is told as one.
struct TorchSegment {
  std::uint64_t address = 0;
  Bytes size;
  TorchPool pool = TorchPool::small;  // small or large
  StreamId stream{};
  TorchPoolId owner;  // the private pool that it belongs to, if any
  bool expandable = false;
  Bytes allocated;  // blocks in the hands of callers
  Bytes active;     // those and the pending ones
  Bytes requested;  // of the active blocks
  std::vector<TorchBlock> blocks;
};

class TorchAllocator : public Allocator {
 public:
  [[nodiscard]] virtual TorchStatistics statistics() const = 0;
  // Parts of the statistics, without collecting all: a measure of both pools now, and the calls.
  [[nodiscard]] virtual std::int64_t current(TorchMeasure measure) const = 0;
  [[nodiscard]] virtual const TorchCalls& calls() const = 0;
  // Segments in the order of their addresses.
  [[nodiscard]] virtual std::vector<TorchSegment> snapshot() const = 0;

  // As torch.cuda.memory._set_allocator_settings: see TorchOptions::apply.
  virtual Result<void> configure(std::string_view options) = 0;
  // As torch.cuda.set_per_process_memory_fraction: the allocator takes at most this share of the
  // device's capacity.
  virtual void set_memory_fraction(TorchRatio fraction) = 0;
  // From now on requests on `stream` are served from the private pool `id`, which is made if it is
  // not there; meanwhile no events are looked at. Of pools that divert a stream the one that began
  // first counts. Errors, in PyTorch's words: the pool takes requests already.
  virtual Result<void> begin_pool(TorchPoolId id, StreamId stream) = 0;
  // Errors: the pool takes no requests.
  virtual Result<void> end_pool(TorchPoolId id) = 0;
  // Gives up one use of the pool (each begin_pool is one); without uses its cached memory can be
  // given back to the driver. Errors: there is no such pool in use.
  virtual Result<void> release_pool(TorchPoolId id) = 0;

  virtual void reset_peak() = 0;
  virtual void reset_accumulated() = 0;
  // Told of every event from now on; null: nobody. Outlives the allocator or is taken off.
  virtual void set_observer(AllocatorObserver* observer) = 0;
};

// `driver` and `events` outlive the allocator.
std::unique_ptr<TorchAllocator> make_torch_allocator(Driver& driver, StreamEvents& events,
                                                     const TorchOptions& options = {});

}  // namespace memsim::sim
