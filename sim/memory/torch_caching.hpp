// The caching allocator behind make_torch_allocator: its state, and how its parts work together.
// Not part of the interface: include torch_allocator.hpp.
//
// torch_allocator.cpp serves requests and frees, torch_search.cpp finds blocks where options have a
// say, torch_expandable.cpp grows and shrinks expandable segments, torch_private_pools.cpp diverts
// requests, torch_release.cpp completes pending frees and gives memory back, torch_report.cpp tells
// (statistics, snapshot, message), torch_check.cpp digests and checks.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/memory/torch_allocator.hpp"
#include "sim/memory/torch_blocks.hpp"
#include "sim/memory/torch_counters.hpp"
#include "sim/memory/torch_free_set.hpp"
#include "sim/memory/torch_stream_order.hpp"

namespace memsim::sim {

class TorchCachingAllocator final : public TorchAllocator {
 public:
  TorchCachingAllocator(Driver& driver, StreamEvents& events, const TorchOptions& options);
  ~TorchCachingAllocator() override;
  TorchCachingAllocator(const TorchCachingAllocator&) = delete;
  TorchCachingAllocator& operator=(const TorchCachingAllocator&) = delete;

  tl::expected<AllocationId, OutOfMemory> allocate(Bytes requested, StreamId stream,
                                                   DriverWork& work) override;
  void free(AllocationId allocation, DriverWork& work) override;
  void record_stream(AllocationId allocation, StreamId stream) override;
  void empty_cache(DriverWork& work) override;

  [[nodiscard]] Bytes block_size(AllocationId allocation) const override;
  [[nodiscard]] std::uint64_t address(AllocationId allocation) const override;
  [[nodiscard]] AllocatorUsage usage() const override;
  void add_state(Digest& digest) const override;
  void check_invariants() const override;

  Result<void> configure(std::string_view options) override;
  void set_memory_fraction(TorchRatio fraction) override;
  Result<void> begin_pool(TorchPoolId id, StreamId stream) override;
  Result<void> end_pool(TorchPoolId id) override;
  Result<void> release_pool(TorchPoolId id) override;

  [[nodiscard]] TorchStatistics statistics() const override { return counters_.statistics(); }
  [[nodiscard]] std::int64_t current(TorchMeasure measure) const override {
    return counters_.current(measure);
  }
  [[nodiscard]] const TorchCalls& calls() const override { return counters_.calls; }
  [[nodiscard]] std::vector<TorchSegment> snapshot() const override;
  void reset_peak() override { counters_.reset_peak(); }
  void reset_accumulated() override { counters_.reset_accumulated(); }
  void set_observer(AllocatorObserver* observer) override { observer_ = observer; }

 private:
  using Index = TorchBlockIndex;

  // An event that a pending block waits for.
  struct Outstanding {
    std::uint64_t event;
    Index block;
  };
  // The default pools, or private ones; 0 are the default ones, others by the order of their
  // making.
  using PoolsNumber = std::uint32_t;
  static constexpr PoolsNumber default_pools = 0;
  // Blocks of one stream in one pair of pools; they never leave it.
  struct Home {
    StreamId stream{};
    PoolsNumber pools = default_pools;
    std::array<TorchFreeSet, 2> free;  // small, large
    // Blocks of expandable segments without memory, by address.
    std::array<std::vector<std::pair<std::uint64_t, Index>>, 2> unmapped;
    std::deque<Outstanding> outstanding;  // of the stream, in the order of recording; default pools
  };
  struct PrivatePool {
    TorchPoolId id;
    std::int64_t uses = 0;
    std::int64_t device_allocs = 0;  // driver calls that are not undone yet
    bool exists = true;
  };
  // Requests on a stream that a private pool takes.
  struct Diversion {
    PoolsNumber pools;
    StreamId stream;
  };
  // Other streams that use a block: while it is allocated, or freed during a diversion, the sets of
  // them; later the number of events that are still outstanding.
  struct Uses {
    TorchStreamOrder streams;
    TorchStreamOrder during_diversion;  // of those, recorded while a private pool took requests
    std::uint32_t events = 0;
  };

  // torch_allocator.cpp
  std::uint32_t home_for(StreamId stream);
  std::uint32_t find_home(PoolsNumber pools, StreamId stream);
  TorchFreeSet& free_set(std::uint32_t home, TorchPool pool) {
    return homes_[home].free[static_cast<std::size_t>(pool) - 1];
  }
  Index new_segment(std::int64_t segment_size, TorchPool pool, std::uint32_t home,
                    DriverWork& work);
  Index hand_out(Index found, std::int64_t size);
  void cache(Index index);
  void complete_free(Index index);
  std::int64_t absorb(Index index, Index neighbour_index);
  Index split_off(Index index, std::int64_t size);
  Index split_tail(Index index, std::int64_t size);
  [[nodiscard]] const TorchBlockRecord& live(AllocationId allocation) const;
  [[nodiscard]] StreamId stream_of(const TorchBlockRecord& block) const {
    return homes_[block.home].stream;
  }
  void tell(AllocatorAction action, std::uint64_t address, std::int64_t size, StreamId stream) {
    if (observer_ != nullptr) [[unlikely]] {
      observer_->on_event({action, address, Bytes(size), stream});
    }
  }

  // torch_search.cpp
  void settings_changed();
  [[nodiscard]] bool collects() const {
    return limit_.has_value() && !options_.collection_threshold.is_zero();
  }
  Index search(std::int64_t size, TorchPool pool, std::uint32_t home);
  [[nodiscard]] std::int64_t extended_size(Index index) const;
  Index serve_miss(std::int64_t size, std::uint32_t home, DriverWork& work);
  Index new_memory(std::int64_t size, TorchPool pool, std::uint32_t home, DriverWork& work);
  bool release_oversize(std::int64_t size, TorchPool pool, std::uint32_t home, DriverWork& work);
  void collect_garbage(DriverWork& work);

  // torch_expandable.cpp
  Index expand(std::int64_t size, TorchPool pool, std::uint32_t home, DriverWork& work);
  Index find_expandable(std::int64_t size, TorchPool pool, std::uint32_t home);
  Index reserve_segment(TorchPool pool, std::uint32_t home);
  bool map(Index index, std::int64_t size, DriverWork& work);
  void unmap(Index index, DriverWork& work);
  void insert_unmapped(Index index);
  void erase_unmapped(Index index);

  // torch_private_pools.cpp
  [[nodiscard]] PrivatePool* private_pool(PoolsNumber pools) {
    return pools == default_pools ? nullptr : &private_pools_[pools - 1];
  }
  [[nodiscard]] std::optional<PoolsNumber> find_private_pool(TorchPoolId id) const;
  void diversions_changed();
  void count_device_alloc(std::uint32_t home, std::int64_t change);

  // torch_release.cpp
  void record_events(Index index);
  void record_deferred_events();
  void complete_if_last(Index index);
  void drop_uses(Index index);
  void process_events();
  void wait_for_events();
  void release_cached(DriverWork& work);
  void release_pools(PoolsNumber pools, TorchPool pool, DriverWork& work);
  void release_segment(Index index, DriverWork& work);

  // torch_report.cpp
  [[nodiscard]] OutOfMemory out_of_memory(Bytes requested, std::int64_t segment_size) const;
  [[nodiscard]] std::int64_t free_in_private_pools() const;

  // torch_check.cpp
  void add_settings(Digest& digest) const;
  void check_segment(Index head, std::int64_t& reserved) const;
  void check_free_sets() const;
  void check_statistics(std::int64_t reserved) const;

  Driver& driver_;
  StreamEvents& events_;
  AllocatorObserver* observer_ = nullptr;

  TorchOptions options_;
  std::optional<std::int64_t> limit_;  // of what is reserved
  // Whether a search is the plain best fit and sizes are only rounded to 512 bytes.
  bool plain_search_ = true;
  bool plain_sizes_ = true;
  std::int64_t expandable_segments_ = 0;

  TorchBlocks blocks_;
  TorchCounters counters_;
  std::uint64_t searches_ = 0;  // of the default large pool, while garbage is collected

  std::vector<Home> homes_;  // by slot, in order of first use
  std::vector<std::tuple<PoolsNumber, StreamId, std::uint32_t>> slots_;  // ascending
  StreamId last_stream_{};  // the one looked up last, and its home for requests
  std::uint32_t last_home_ = 0;

  std::vector<PrivatePool> private_pools_;  // by number less 1
  TorchPoolOrder unused_pools_;             // without uses: their memory can be given back
  std::vector<Diversion> diversions_;       // in the order of their beginnings

  TorchStreamOrder waiting_;     // streams with outstanding events
  std::vector<Index> deferred_;  // freed during a diversion: their events are still to be recorded
  std::vector<Uses> uses_;       // by slot
  std::vector<std::uint32_t> unused_uses_;
};

}  // namespace memsim::sim
