// The caching allocator behind make_torch_allocator: its state, and how its parts work together.
// Not part of the interface: include torch_allocator.hpp.
//
// torch_allocator.cpp serves requests and frees, torch_release.cpp completes pending frees and
// gives memory back, torch_report.cpp tells (statistics, snapshot, message), torch_check.cpp
// digests and checks. The decisions that options change are all in few places: sizes in
// torch_rules.hpp, the search in TorchFreeSet::take_best_fit, what happens on a miss in serve_miss,
// new memory in new_segment, giving back in release_cached.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
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
  TorchCachingAllocator(Driver& driver, StreamEvents& events);
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
  // What belongs to one stream: blocks never change streams.
  struct Stream {
    StreamId id{};
    std::array<TorchFreeSet, 2> free;     // small, large
    std::deque<Outstanding> outstanding;  // in the order of recording
  };
  // Other streams that use a block: while it is allocated the set of them, while it is pending the
  // number of events that are still outstanding.
  struct Uses {
    TorchStreamOrder streams;
    std::uint32_t events = 0;
  };

  // torch_allocator.cpp
  std::uint32_t stream_slot(StreamId stream);
  std::uint32_t find_stream_slot(StreamId stream);
  TorchFreeSet& free_set(std::uint32_t slot, TorchPool pool) {
    return streams_[slot].free[static_cast<std::size_t>(pool) - 1];
  }
  Index serve_miss(std::int64_t size, std::uint32_t slot, DriverWork& work);
  Index new_segment(std::int64_t segment_size, TorchPool pool, std::uint32_t slot,
                    DriverWork& work);
  Index hand_out(Index found, std::int64_t size);
  void complete_free(Index index);
  std::int64_t absorb(Index index, Index neighbour_index);
  [[nodiscard]] const TorchBlockRecord& live(AllocationId allocation) const;
  void tell(AllocatorAction action, std::uint64_t address, std::int64_t size, StreamId stream) {
    if (observer_ != nullptr) [[unlikely]] {
      observer_->on_event({action, address, Bytes(size), stream});
    }
  }

  // torch_release.cpp
  void record_events(Index index);
  void complete_if_last(Index index);
  void process_events();
  void wait_for_events();
  void release_cached(DriverWork& work);
  void release_segment(Index index, DriverWork& work);

  // torch_report.cpp
  [[nodiscard]] OutOfMemory out_of_memory(Bytes requested, std::int64_t segment_size) const;

  // torch_check.cpp
  void check_segment(Index head, std::int64_t& reserved) const;
  void check_free_sets() const;
  void check_statistics(std::int64_t reserved) const;

  Driver& driver_;
  StreamEvents& events_;
  AllocatorObserver* observer_ = nullptr;

  TorchBlocks blocks_;
  TorchCounters counters_;

  std::vector<Stream> streams_;                            // by slot, in order of first use
  std::vector<std::pair<StreamId, std::uint32_t>> slots_;  // ascending
  StreamId last_stream_{};                                 // the one looked up last, and its slot
  std::uint32_t last_slot_ = 0;

  TorchStreamOrder waiting_;  // streams with outstanding events
  std::vector<Uses> uses_;    // by slot
  std::vector<std::uint32_t> unused_uses_;
};

}  // namespace memsim::sim
