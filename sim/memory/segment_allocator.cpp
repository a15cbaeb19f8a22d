#include "sim/memory/segment_allocator.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "sim/core/check.hpp"
#include "sim/memory/live_allocations.hpp"
#include "sim/memory/stream_uses.hpp"

namespace memsim::sim {
namespace {

class SegmentAllocator final : public Allocator {
 public:
  SegmentAllocator(Driver& driver, StreamEvents& events, MakeHeap make_heap)
      : driver_(driver), events_(events), make_heap_(std::move(make_heap)) {}

  ~SegmentAllocator() override {
    for (const auto& [stream, heap] : heaps_) {
      for (const Driver::Region region : heap->segments()) driver_.free(region);
    }
  }
  SegmentAllocator(const SegmentAllocator&) = delete;
  SegmentAllocator& operator=(const SegmentAllocator&) = delete;

  tl::expected<AllocationId, OutOfMemory> allocate(Bytes requested, StreamId stream,
                                                   DriverWork& work) override {
    MEMSIM_CHECK(requested >= Bytes(0), "a request of negative size");
    if (requested == Bytes(0)) return null_allocation;
    complete_pending(work);
    BlockHeap& heap = heap_of(stream);
    const std::optional<HeapBlock> block = find(heap, requested.value(), work);
    if (!block) return tl::unexpected(out_of_memory(requested, heap));
    usage_.requested += requested;
    usage_.allocated += Bytes(block->size);
    return live_.keep({.requested = requested, .stream = stream, .block = *block, .others = {}});
  }

  void free(AllocationId allocation, DriverWork& work) override {
    if (allocation == null_allocation) return;
    const Live live = live_.take(allocation);
    usage_.requested -= live.requested;
    usage_.allocated -= Bytes(live.block.size);
    if (live.others.empty()) {
      give_back(live.stream, live.block, work);
    } else {
      pending_.push_back({live.stream, live.block, record_uses(events_, live.others)});
    }
  }

  void record_stream(AllocationId allocation, StreamId stream) override {
    if (allocation == null_allocation) return;
    Live& live = live_.at(allocation);
    if (stream != live.stream) live.others.insert(stream);
  }

  void empty_cache(DriverWork& work) override {
    wait_for_pending(work);
    for (const auto& [stream, heap] : heaps_) remove_unused(*heap, work);
  }

  [[nodiscard]] Bytes block_size(AllocationId allocation) const override {
    return allocation == null_allocation ? Bytes(0) : Bytes(live_.at(allocation).block.size);
  }
  [[nodiscard]] std::uint64_t address(AllocationId allocation) const override {
    return allocation == null_allocation ? 0 : live_.at(allocation).block.address;
  }
  [[nodiscard]] AllocatorUsage usage() const override { return usage_; }

  void add_state(Digest& digest) const override {
    driver_.add_state(digest);
    for (const auto& [stream, heap] : heaps_) {
      if (heap->segments().empty()) continue;
      digest.add(static_cast<std::uint64_t>(stream));
      heap->add_state(digest);
    }
    digest.add(std::uint64_t{pending_.size()});
    for (const Pending& pending : pending_) {
      digest.add(pending.block.address).add(pending.block.size);
      add_uses(digest, events_, pending.uses);
    }
    for (const Live* live : live_.sorted(
             [](const Live& a, const Live& b) { return a.block.address < b.block.address; })) {
      digest.add(live->block.address).add(live->block.size).add(live->requested);
      add_streams(digest, live->others);
    }
  }

  void check_invariants() const override {
    driver_.check_invariants();
    AllocatorUsage sum;
    std::map<StreamId, std::int64_t> used;
    live_.visit([&](const Live& live) {
      sum.requested += live.requested;
      sum.allocated += Bytes(live.block.size);
      used[live.stream] += live.block.size;
    });
    for (const Pending& pending : pending_) used[pending.stream] += pending.block.size;
    for (const auto& [stream, heap] : heaps_) {
      heap->check_invariants(used[stream]);
      for (const Driver::Region region : heap->segments()) sum.reserved += driver_.size(region);
    }
    MEMSIM_CHECK(sum.requested == usage_.requested && sum.allocated == usage_.allocated,
                 "live allocations do not add up to the usage");
    MEMSIM_CHECK(sum.reserved == usage_.reserved, "segments do not add up to what is reserved");
  }

 private:
  struct Live {
    Bytes requested;
    StreamId stream;
    HeapBlock block;
    StreamSet others;  // streams that use it besides its own
  };
  struct Pending {
    StreamId stream;
    HeapBlock block;
    StreamUseList uses;
  };

  [[nodiscard]] BlockHeap& heap_of(StreamId stream) {
    std::unique_ptr<BlockHeap>& heap = heaps_[stream];
    if (!heap) heap = make_heap_(driver_);
    return *heap;
  }

  [[nodiscard]] std::optional<HeapBlock> find(BlockHeap& heap, std::int64_t size,
                                              DriverWork& work) {
    if (const auto block = heap.take(size)) return block;
    const std::optional<std::int64_t> segment = heap.segment_size(size);
    if (!segment) return std::nullopt;
    if (add_segment(heap, *segment, work)) return heap.take(size);
    wait_for_pending(work);
    if (const auto block = heap.take(size)) return block;
    for (const auto& [stream, other] : heaps_) remove_unused(*other, work);
    if (!add_segment(heap, *segment, work)) return std::nullopt;
    return heap.take(size);
  }

  bool add_segment(BlockHeap& heap, std::int64_t size, DriverWork& work) {
    const std::optional<Driver::Region> region = driver_.malloc(Bytes(size));
    if (!region) {
      ++work.failed_mallocs;
      return false;
    }
    ++work.mallocs;
    usage_.reserved += driver_.size(*region);
    heap.add_segment(*region);
    return true;
  }

  void give_back(StreamId stream, const HeapBlock& block, DriverWork& work) {
    BlockHeap& heap = *heaps_.at(stream);
    heap.give_back(block);
    if (!heap.keeps_unused()) remove_unused(heap, work);
  }

  void remove_unused(BlockHeap& heap, DriverWork& work) {
    for (const Driver::Region region : heap.remove_unused()) {
      usage_.reserved -= driver_.size(region);
      driver_.free(region);
      ++work.frees;
      work.synchronized = true;  // cudaFree waits for the device
    }
  }

  void complete_pending(DriverWork& work) {
    while (!pending_.empty() && have_ended(events_, pending_.front().uses)) {
      const Pending pending = std::move(pending_.front());
      pending_.pop_front();
      give_back(pending.stream, pending.block, work);
    }
  }
  void wait_for_pending(DriverWork& work) {
    for (const Pending& pending : pending_) wait_for(events_, pending.uses);
    complete_pending(work);
  }

  [[nodiscard]] OutOfMemory out_of_memory(Bytes requested, const BlockHeap& heap) const {
    const DeviceMemory& memory = driver_.memory();
    return {.requested = requested,
            .segment = Bytes(heap.segment_size(requested.value()).value_or(requested.value())),
            .free = memory.free(),
            .capacity = memory.capacity(),
            .allocated = usage_.allocated,
            .reserved = usage_.reserved,
            .largest_free_block = Bytes(heap.largest_free()),
            .message = "out of memory"};  // cudaGetErrorString(cudaErrorMemoryAllocation)
  }

  Driver& driver_;
  StreamEvents& events_;
  MakeHeap make_heap_;
  std::map<StreamId, std::unique_ptr<BlockHeap>> heaps_;
  std::deque<Pending> pending_;
  LiveAllocations<Live> live_;
  AllocatorUsage usage_;
};

}  // namespace

std::unique_ptr<Allocator> make_segment_allocator(Driver& driver, StreamEvents& events,
                                                  MakeHeap make_heap) {
  return std::make_unique<SegmentAllocator>(driver, events, std::move(make_heap));
}

}  // namespace memsim::sim
