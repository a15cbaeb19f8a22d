#include "sim/memory/paged_allocator.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "sim/core/check.hpp"
#include "sim/memory/live_allocations.hpp"
#include "sim/memory/option_list.hpp"
#include "sim/memory/stream_uses.hpp"

namespace memsim::sim {
namespace {

constexpr std::int64_t kibibyte = 1024;

// Blocks that a pool of these options has on this device.
std::int64_t block_count(const Driver& driver, const PagedOptions& options) {
  if (options.blocks > 0) return options.blocks;
  const DeviceMemory& memory = driver.memory();
  const Bytes share(scale(memory.capacity().value(), options.share_percent, 100));
  const std::int64_t granule = driver.spec().granularity.value();
  const Bytes whole_granules = memory.free() / granule * granule;
  const Bytes pool = std::min(share - memory.external() - memory.used(), whole_granules);
  return std::max(Bytes(0), pool).value() / options.block.value();
}

BlockRun reversed(const BlockRun& run) {
  return {run.first + run.step * (run.count - 1), run.count, -run.step};
}

void add_runs(Digest& digest, std::span<const BlockRun> runs) {
  digest.add(std::uint64_t{runs.size()});
  for (const BlockRun& run : runs) digest.add(run.first).add(run.count).add(run.step);
}

class Paged final : public PagedAllocator {
 public:
  Paged(Driver& driver, StreamEvents& events, const PagedOptions& options)
      : driver_(driver), events_(events), options_(options) {
    wanted_ = block_count(driver, options);
    if (wanted_ > 0) pool_ = driver.malloc(options.block * wanted_);
    if (pool_) count_ = wanted_;
    untouched_ = std::min<std::int64_t>(1, count_);
    free_ = count_ - untouched_;
  }

  ~Paged() override {
    if (pool_) driver_.free(*pool_);
  }
  Paged(const Paged&) = delete;
  Paged& operator=(const Paged&) = delete;

  tl::expected<AllocationId, OutOfMemory> allocate(Bytes requested, StreamId stream,
                                                   DriverWork& /*work*/) override {
    MEMSIM_CHECK(requested >= Bytes(0), "a request of negative size");
    if (requested == Bytes(0)) return null_allocation;
    const std::int64_t count = ceil_div(requested.value(), options_.block.value());
    if (count > free_) return tl::unexpected(out_of_memory(requested));
    requested_ += requested;
    return live_.keep({.requested = requested,
                       .stream = stream,
                       .count = count,
                       .runs = take(count, stream),
                       .others = {}});
  }

  void free(AllocationId allocation, DriverWork& /*work*/) override {
    if (allocation == null_allocation) return;
    Live live = live_.take(allocation);
    requested_ -= live.requested;
    free_ += live.count;
    live.others.insert(live.stream);
    Freed freed{.runs = {}, .uses = record_uses(events_, live.others)};
    freed.runs.reserve(live.runs.size());
    for (auto run = live.runs.rbegin(); run != live.runs.rend(); ++run)
      freed.runs.push_back(reversed(*run));
    queue_.push_back(std::move(freed));
  }

  void record_stream(AllocationId allocation, StreamId stream) override {
    if (allocation != null_allocation) live_.at(allocation).others.insert(stream);
  }
  void empty_cache(DriverWork& /*work*/) override {}

  [[nodiscard]] Bytes block_size(AllocationId allocation) const override {
    return allocation == null_allocation ? Bytes(0) : options_.block * live_.at(allocation).count;
  }
  [[nodiscard]] std::uint64_t address(AllocationId allocation) const override {
    return allocation == null_allocation
               ? 0
               : address_of_block(live_.at(allocation).runs.front().first);
  }
  [[nodiscard]] AllocatorUsage usage() const override {
    return {.requested = requested_,
            .allocated = options_.block * (usable() - free_),
            .reserved = pool_ ? driver_.size(*pool_) : Bytes(0)};
  }

  [[nodiscard]] std::vector<BlockRun> blocks(AllocationId allocation) const override {
    return live_.at(allocation).runs;
  }
  [[nodiscard]] std::uint64_t address_of_block(std::int64_t block) const override {
    return driver_.address(*pool_) + static_cast<std::uint64_t>(block * options_.block.value());
  }
  [[nodiscard]] Bytes bytes_per_block() const override { return options_.block; }

  void add_state(Digest& digest) const override {
    driver_.add_state(digest);
    digest.add(options_.block).add(count_).add(untouched_).add(std::uint64_t{queue_.size()});
    for (const Freed& freed : queue_) {
      add_runs(digest, freed.left());
      add_uses(digest, events_, freed.uses);
    }
    for (const Live* live : live_.sorted([](const Live& a, const Live& b) {
           return a.runs.front().first < b.runs.front().first;
         })) {
      add_runs(digest, live->runs);
      digest.add(live->requested).add(static_cast<std::uint64_t>(live->stream));
      add_streams(digest, live->others);
    }
  }

  // Every block that was ever used is either free or in one allocation.
  void check_invariants() const override {
    driver_.check_invariants();
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    const auto add = [&](std::span<const BlockRun> runs) {
      std::int64_t count = 0;
      for (const BlockRun& run : runs) {
        MEMSIM_CHECK(run.count > 0, "a run without blocks");
        ranges.emplace_back(std::min(run.first, reversed(run).first), run.count);
        count += run.count;
      }
      return count;
    };
    std::int64_t free = count_ - untouched_;
    for (const Freed& freed : queue_) free += add(freed.left());
    MEMSIM_CHECK(free == free_, "free blocks do not add up");
    Bytes requested;
    live_.visit([&](const Live& live) {
      requested += live.requested;
      MEMSIM_CHECK(add(live.runs) == live.count, "an allocation with blocks missing");
    });
    MEMSIM_CHECK(requested == requested_, "live allocations do not add up to the usage");
    std::ranges::sort(ranges);
    std::int64_t next = count_ > 0 ? 1 : 0;
    for (const auto& [first, count] : ranges) {
      MEMSIM_CHECK(first == next, "a block that is lost or has two owners");
      next += count;
    }
    MEMSIM_CHECK(next == untouched_, "blocks in use beyond those ever used");
  }

 private:
  struct Live {
    Bytes requested;
    StreamId stream;
    std::int64_t count;
    std::vector<BlockRun> runs;
    StreamSet others;  // streams that use it besides its own
  };
  struct Freed {
    std::vector<BlockRun> runs;
    StreamUseList uses;
    std::size_t used = 0;  // runs that are gone

    [[nodiscard]] std::span<const BlockRun> left() const { return std::span(runs).subspan(used); }
  };

  [[nodiscard]] std::int64_t usable() const { return std::max<std::int64_t>(0, count_ - 1); }

  // Requires: that many are free.
  std::vector<BlockRun> take(std::int64_t count, StreamId stream) {
    free_ -= count;
    std::vector<BlockRun> runs;
    const std::int64_t fresh = std::min(count, count_ - untouched_);
    if (fresh > 0) {
      runs.push_back({untouched_, fresh, 1});
      untouched_ += fresh;
      count -= fresh;
    }
    while (count > 0) {
      wait_for_others(queue_.front().uses, stream);
      count -= take_freed(count, runs);
    }
    return runs;
  }

  // Up to `count` blocks from the front of the queue; returns how many.
  std::int64_t take_freed(std::int64_t count, std::vector<BlockRun>& runs) {
    Freed& freed = queue_.front();
    BlockRun& run = freed.runs[freed.used];
    const std::int64_t taken = std::min(count, run.count);
    runs.push_back({run.first, taken, run.step});
    run.first += run.step * taken;
    run.count -= taken;
    if (run.count == 0 && ++freed.used == freed.runs.size()) queue_.pop_front();
    return taken;
  }

  void wait_for_others(const StreamUseList& uses, StreamId stream) {
    for (const StreamUse& use : uses) {
      if (use.stream != stream && !events_.done(use.stream, use.event))
        events_.wait(use.stream, use.event);
    }
  }

  [[nodiscard]] OutOfMemory out_of_memory(Bytes requested) const {
    const DeviceMemory& memory = driver_.memory();
    const AllocatorUsage now = usage();
    std::string text = "out of KV blocks: " + std::to_string(free_) + " of ";
    text += std::to_string(usable()) + " are free";
    if (wanted_ > count_) {
      text += "; the device cannot hold a pool of " + std::to_string(wanted_);
      // A share is never more than the bytes there are.
      if (options_.blocks == 0) text += ": it has not as many addresses, so `blocks` must be set";
    }
    return {.requested = requested,
            .segment = requested,
            .free = memory.free(),
            .capacity = memory.capacity(),
            .allocated = now.allocated,
            .reserved = now.reserved,
            .largest_free_block = options_.block * free_,
            .message = std::move(text)};
  }

  Driver& driver_;
  StreamEvents& events_;
  PagedOptions options_;
  std::optional<Driver::Region> pool_;
  std::int64_t wanted_ = 0;     // blocks that the pool was to have
  std::int64_t count_ = 0;      // blocks, with the null block
  std::int64_t untouched_ = 0;  // the first block that nobody has ever had
  std::int64_t free_ = 0;       // blocks: from `untouched_` on, and those in the queue
  std::deque<Freed> queue_;
  LiveAllocations<Live> live_;
  Bytes requested_;
};

}  // namespace

Result<PagedOptions> read_paged_options(std::string_view text) {
  constexpr std::int64_t most_kib = 1 << 20;                   // 1 GiB
  constexpr std::int64_t most_blocks = std::int64_t{1} << 32;  // 2^62 bytes with the largest block
  PagedOptions options;
  std::int64_t block = options.block.value() / kibibyte;
  const std::array<NumberOption, 3> known{
      {{.key = "block_kb", .least = 1, .most = most_kib, .value = &block},
       {.key = "blocks", .least = 1, .most = most_blocks, .value = &options.blocks},
       {.key = "share_percent", .least = 1, .most = 100, .value = &options.share_percent}}};
  if (const auto read = read_options("paged", text, known); !read)
    return tl::unexpected(read.error());
  options.block = Bytes(block) * kibibyte;
  return options;
}

std::unique_ptr<PagedAllocator> make_paged_allocator(Driver& driver, StreamEvents& events,
                                                     const PagedOptions& options) {
  return std::make_unique<Paged>(driver, events, options);
}

}  // namespace memsim::sim
