#include "sim/memory/pinned_allocator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "sim/core/check.hpp"
#include "sim/memory/live_allocations.hpp"
#include "sim/memory/option_list.hpp"
#include "sim/memory/torch_stream_order.hpp"

namespace memsim::sim {
namespace {

constexpr std::int64_t mebibyte = 1 << 20;
constexpr std::size_t list_count = 64;
constexpr std::int64_t largest_power = std::int64_t{1} << 62;

// Of the smallest power of two that is not below `size`. Requires: size > 0.
std::size_t list_of(std::int64_t size) {
  return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(size) - 1));
}

class PinnedAllocator final : public Allocator {
 public:
  PinnedAllocator(Driver& host, StreamEvents& events, const PinnedOptions& options)
      : host_(host), events_(events), options_(options) {}

  ~PinnedAllocator() override {
    for (const Block& block : blocks_) {
      if (block.use != Use::none) host_.free(block.region);
    }
  }
  PinnedAllocator(const PinnedAllocator&) = delete;
  PinnedAllocator& operator=(const PinnedAllocator&) = delete;

  tl::expected<AllocationId, OutOfMemory> allocate(Bytes requested, StreamId /*stream*/,
                                                   DriverWork& work) override {
    MEMSIM_CHECK(requested >= Bytes(0), "a request of negative size");
    if (requested == Bytes(0)) return null_allocation;
    process_events(work);
    const std::int64_t size = size_for(requested);
    std::optional<std::uint32_t> found = take_cached(size);
    if (!found) found = host_alloc(size, work);
    if (!found) return tl::unexpected(out_of_memory(requested, Bytes(size)));
    blocks_[*found].use = Use::live;
    usage_.requested += requested;
    usage_.allocated += Bytes(blocks_[*found].size);
    return live_.keep({.requested = requested, .block = *found, .streams = {}});
  }

  void free(AllocationId allocation, DriverWork& work) override {
    if (allocation == null_allocation) return;
    const Live live = live_.take(allocation);
    Block& block = blocks_[live.block];
    usage_.requested -= live.requested;
    usage_.allocated -= Bytes(block.size);
    block.use = Use::pending;
    live.streams.visit([&](StreamId stream) {
      queue_.push_front({live.block, stream, events_.record(stream)});
      ++block.outstanding;
    });
    if (block.outstanding == 0) cache(live.block, work);
  }

  void record_stream(AllocationId allocation, StreamId stream) override {
    if (allocation != null_allocation) live_.at(allocation).streams.insert(stream);
  }

  // Does not wait: blocks that streams may still be using stay.
  void empty_cache(DriverWork& work) override {
    process_events(work);
    for (std::vector<std::uint32_t>& list : lists_) {
      for (const std::uint32_t block : list) host_free(block, work);
      list.clear();
    }
  }

  [[nodiscard]] Bytes block_size(AllocationId allocation) const override {
    return allocation == null_allocation ? Bytes(0) : Bytes(block_of(allocation).size);
  }
  [[nodiscard]] std::uint64_t address(AllocationId allocation) const override {
    return allocation == null_allocation ? 0 : host_.address(block_of(allocation).region);
  }
  [[nodiscard]] AllocatorUsage usage() const override { return usage_; }

  void add_state(Digest& digest) const override {
    digest.add(options_.max_round).add(options_.max_cached);
    host_.add_state(digest);
    for (const std::vector<std::uint32_t>& list : lists_) {
      digest.add(std::uint64_t{list.size()});
      for (const std::uint32_t block : list) add_block(digest, block);
    }
    digest.add(std::uint64_t{queue_.size()});
    for (const PendingEvent& use : queue_) {
      add_block(digest, use.block);
      digest.add(static_cast<std::uint64_t>(use.stream));
      events_.add_state(digest, use.stream, use.event);
    }
    for (const Live* live : live_.sorted([&](const Live& a, const Live& b) {
           return host_.address(blocks_[a.block].region) < host_.address(blocks_[b.block].region);
         })) {
      add_block(digest, live->block);
      digest.add(live->requested);
      digest.add(std::uint64_t{live->streams.size()});
      live->streams.visit([&](StreamId stream) { digest.add(static_cast<std::uint64_t>(stream)); });
    }
  }

  void check_invariants() const override {
    host_.check_invariants();
    AllocatorUsage sum;
    for (const Block& block : blocks_) {
      if (block.use == Use::none) continue;
      MEMSIM_CHECK(block.use == Use::pending || block.outstanding == 0,
                   "a block that waits for events and is not pending");
      sum.reserved += host_.size(block.region);
      if (block.use == Use::live) sum.allocated += Bytes(block.size);
    }
    live_.visit([&](const Live& live) { sum.requested += live.requested; });
    MEMSIM_CHECK(sum.requested == usage_.requested && sum.allocated == usage_.allocated &&
                     sum.reserved == usage_.reserved,
                 "blocks do not add up to the usage");
    check_lists();
  }

 private:
  enum class Use : std::uint8_t { none, cached, live, pending };
  struct Block {
    std::int64_t size = 0;  // after rounding
    Driver::Region region{};
    std::int64_t outstanding = 0;  // events
    Use use = Use::none;
  };
  struct Live {
    Bytes requested;
    std::uint32_t block;
    TorchStreamOrder streams;
  };
  struct PendingEvent {
    std::uint32_t block;
    StreamId stream;
    std::uint64_t event;
  };

  [[nodiscard]] const Block& block_of(AllocationId allocation) const {
    return blocks_[live_.at(allocation).block];
  }

  [[nodiscard]] std::int64_t size_for(Bytes requested) const {
    if (requested > options_.max_round || requested.value() > largest_power)
      return requested.value();
    return std::int64_t{1} << list_of(requested.value());
  }

  // Ended events leave the back of the queue, up to the first one that has not ended.
  void process_events(DriverWork& work) {
    while (!queue_.empty() && events_.done(queue_.back().stream, queue_.back().event)) {
      const std::uint32_t block = queue_.back().block;
      queue_.pop_back();
      if (--blocks_[block].outstanding == 0) cache(block, work);
    }
  }

  void cache(std::uint32_t block, DriverWork& work) {
    if (Bytes(blocks_[block].size) > options_.max_cached) {
      host_free(block, work);
      return;
    }
    blocks_[block].use = Use::cached;
    lists_[list_of(blocks_[block].size)].push_back(block);
  }

  std::optional<std::uint32_t> take_cached(std::int64_t size) {
    std::vector<std::uint32_t>& list = lists_[list_of(size)];
    const auto found = std::find_if(list.rbegin(), list.rend(), [&](std::uint32_t block) {
      return blocks_[block].size >= size;
    });
    if (found == list.rend()) return std::nullopt;
    const std::uint32_t block = *found;
    list.erase(std::next(found).base());
    return block;
  }

  std::optional<std::uint32_t> host_alloc(std::int64_t size, DriverWork& work) {
    const std::optional<Driver::Region> region = host_.malloc(Bytes(size));
    if (!region) {
      ++work.failed_mallocs;
      return std::nullopt;
    }
    ++work.mallocs;
    usage_.reserved += host_.size(*region);
    const Block block{.size = size, .region = *region};
    if (unused_.empty()) {
      blocks_.push_back(block);
      return static_cast<std::uint32_t>(blocks_.size() - 1);
    }
    const std::uint32_t index = unused_.back();
    unused_.pop_back();
    blocks_[index] = block;
    return index;
  }

  void host_free(std::uint32_t block, DriverWork& work) {
    usage_.reserved -= host_.size(blocks_[block].region);
    host_.free(blocks_[block].region);
    blocks_[block].use = Use::none;
    unused_.push_back(block);
    ++work.frees;
  }

  void add_block(Digest& digest, std::uint32_t block) const {
    digest.add(host_.address(blocks_[block].region)).add(blocks_[block].size);
  }

  // Every cached block is in the list of its size, every event belongs to a pending one.
  void check_lists() const {
    std::size_t cached = 0;
    for (std::size_t at = 0; at < list_count; ++at) {
      for (const std::uint32_t block : lists_[at]) {
        MEMSIM_CHECK(blocks_[block].use == Use::cached && list_of(blocks_[block].size) == at,
                     "a block in a list that is not its own");
        ++cached;
      }
    }
    const auto all = std::ranges::count(blocks_, Use::cached, &Block::use);
    MEMSIM_CHECK(static_cast<std::size_t>(all) == cached, "cached blocks missing in their lists");
    std::int64_t outstanding = 0;
    for (const Block& block : blocks_) outstanding += block.outstanding;
    MEMSIM_CHECK(static_cast<std::size_t>(outstanding) == queue_.size(),
                 "events that belong to no block");
  }

  [[nodiscard]] OutOfMemory out_of_memory(Bytes requested, Bytes size) const {
    const DeviceMemory& memory = host_.memory();
    std::int64_t largest = 0;
    for (const Block& block : blocks_) {
      if (block.use == Use::cached) largest = std::max(largest, block.size);
    }
    return {.requested = requested,
            .segment = size,
            .free = memory.free(),
            .capacity = memory.capacity(),
            .allocated = usage_.allocated,
            .reserved = usage_.reserved,
            .largest_free_block = Bytes(largest),
            .message = "CUDA error: out of memory"};  // of a failed cudaHostAlloc
  }

  Driver& host_;
  StreamEvents& events_;
  PinnedOptions options_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> unused_;
  std::array<std::vector<std::uint32_t>, list_count> lists_;  // by exponent; the last one is next
  std::deque<PendingEvent> queue_;                            // the oldest at the back
  LiveAllocations<Live> live_;
  AllocatorUsage usage_;
};

}  // namespace

Result<PinnedOptions> read_pinned_options(std::string_view text) {
  constexpr std::int64_t most = Bytes::max().value() / mebibyte;
  std::int64_t max_round = most;
  std::int64_t max_cached = most;
  const std::array<NumberOption, 2> known{
      {{.key = "max_round_threshold_mb", .least = 0, .most = most, .value = &max_round},
       {.key = "max_cached_size_mb", .least = 0, .most = most, .value = &max_cached}}};
  if (const auto read = read_options("pinned", text, known); !read)
    return tl::unexpected(read.error());
  return PinnedOptions{.max_round = Bytes(max_round) * mebibyte,
                       .max_cached = Bytes(max_cached) * mebibyte};
}

std::unique_ptr<Allocator> make_pinned_allocator(Driver& host, StreamEvents& events,
                                                 const PinnedOptions& options) {
  return std::make_unique<PinnedAllocator>(host, events, options);
}

}  // namespace memsim::sim
