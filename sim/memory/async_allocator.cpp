#include "sim/memory/async_allocator.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "sim/core/check.hpp"
#include "sim/memory/async_pool.hpp"
#include "sim/memory/live_allocations.hpp"
#include "sim/memory/option_list.hpp"
#include "sim/memory/stream_uses.hpp"
#include "sim/memory/torch_message.hpp"

namespace memsim::sim {
namespace {

constexpr std::int64_t mebibyte = 1 << 20;
constexpr std::int64_t alignment = 512;

class AsyncAllocator final : public Allocator {
 public:
  AsyncAllocator(Driver& driver, StreamEvents& events, const AsyncOptions& options)
      : driver_(driver), events_(events), options_(options), pool_(driver, events) {}

  tl::expected<AllocationId, OutOfMemory> allocate(Bytes requested, StreamId stream,
                                                   DriverWork& work) override {
    MEMSIM_CHECK(requested >= Bytes(0), "a request of negative size");
    if (requested == Bytes(0)) return null_allocation;
    pool_.observe();
    const BlockIndex block = find(requested, stream, work);
    if (block == no_block) return tl::unexpected(out_of_memory(requested));
    used_ += requested.value();
    taken_ += round_up(requested.value(), alignment);
    return live_.keep({.requested = requested, .stream = stream, .block = block, .others = {}});
  }

  void free(AllocationId allocation, DriverWork& /*work*/) override {
    if (allocation == null_allocation) return;
    Live live = live_.take(allocation);
    used_ -= live.requested.value();
    taken_ -= round_up(live.requested.value(), alignment);
    if (live.others.empty()) {
      pool_.give_back(live.block, StreamUse{live.stream, events_.record(live.stream)});
    } else {
      // A stream of the allocator's own waits for all uses and frees there.
      live.others.insert(live.stream);
      pool_.give_back(live.block, record_uses(events_, live.others));
    }
  }

  void record_stream(AllocationId allocation, StreamId stream) override {
    if (allocation == null_allocation) return;
    Live& live = live_.at(allocation);
    if (stream != live.stream) live.others.insert(stream);
  }

  void empty_cache(DriverWork& work) override {
    work.synchronized = true;
    pool_.wait_for_all();
    pool_.trim(0, work);
  }
  void synchronized(DriverWork& work) override {
    if (pool_.held() <= options_.release_threshold.value()) return;
    pool_.observe();
    pool_.trim(options_.release_threshold.value(), work);
  }

  [[nodiscard]] Bytes block_size(AllocationId allocation) const override {
    return allocation == null_allocation ? Bytes(0) : live_.at(allocation).requested;
  }
  [[nodiscard]] std::uint64_t address(AllocationId allocation) const override {
    return allocation == null_allocation ? 0 : pool_.address(live_.at(allocation).block);
  }
  [[nodiscard]] AllocatorUsage usage() const override {
    return {.requested = Bytes(used_), .allocated = Bytes(used_), .reserved = Bytes(pool_.held())};
  }

  void add_state(Digest& digest) const override {
    digest.add(options_.growth).add(options_.release_threshold);
    driver_.add_state(digest);
    pool_.add_state(digest);
    for (const Live* live : live_.sorted([&](const Live& a, const Live& b) {
           return pool_.address(a.block) < pool_.address(b.block);
         })) {
      digest.add(live->requested).add(static_cast<std::uint64_t>(live->stream));
      add_streams(digest, live->others);
    }
  }

  void check_invariants() const override {
    driver_.check_invariants();
    pool_.check_invariants(taken_);
    std::int64_t sum = 0;
    live_.visit([&](const Live& live) { sum += live.requested.value(); });
    MEMSIM_CHECK(sum == used_, "live allocations do not add up to the usage");
  }

 private:
  struct Live {
    Bytes requested;
    StreamId stream;
    BlockIndex block;
    StreamSet others;  // streams that use it besides its own
  };

  [[nodiscard]] BlockIndex find(Bytes requested, StreamId stream, DriverWork& work) {
    if (requested > Bytes::max() - options_.growth) return no_block;
    const std::int64_t size = round_up(requested.value(), alignment);
    const std::int64_t grown = round_up(size, options_.growth.value());
    BlockIndex block = pool_.take(size, stream);
    if (block != no_block) return block;
    if (pool_.grow(grown, work) || (grown > size && pool_.grow(size, work)))
      return pool_.take(size, stream);
    if (size > pool_.held() + driver_.memory().free().value()) return no_block;
    if (pool_.wait_for_fit(size, stream)) block = pool_.take(size, stream);
    if (block != no_block) return block;
    pool_.wait_for_all();
    block = pool_.take(size, stream);
    if (block != no_block) return block;
    pool_.trim(0, work);
    return pool_.grow(size, work) ? pool_.take(size, stream) : no_block;
  }

  [[nodiscard]] OutOfMemory out_of_memory(Bytes requested) const {
    const DeviceMemory& memory = driver_.memory();
    std::string text = "Allocation on device " + std::to_string(driver_.spec().device);
    text += " would exceed allowed memory. (out of memory)\nCurrently allocated     : ";
    text += torch_format_size(Bytes(used_)) + "\nRequested               : ";
    text += torch_format_size(requested) + "\nDevice limit            : ";
    text += torch_format_size(memory.capacity()) + "\nFree (according to CUDA): ";
    text += torch_format_size(memory.free());
    // No fraction is set: the limit is the largest 64-bit number of bytes.
    text += "\nPyTorch limit (set by user-supplied memory fraction)\n                        : ";
    text += "17179869184.00 GiB";
    return {.requested = requested,
            .segment = requested,
            .free = memory.free(),
            .capacity = memory.capacity(),
            .allocated = Bytes(used_),
            .reserved = Bytes(pool_.held()),
            .largest_free_block = Bytes(pool_.largest_free()),
            .message = std::move(text)};
  }

  Driver& driver_;
  StreamEvents& events_;
  AsyncOptions options_;
  AsyncPool pool_;
  LiveAllocations<Live> live_;
  std::int64_t used_ = 0;   // bytes asked for
  std::int64_t taken_ = 0;  // ... and what they span in the pool
};

}  // namespace

Result<AsyncOptions> read_async_options(std::string_view text) {
  constexpr std::int64_t most = Bytes::max().value() / mebibyte;
  constexpr std::int64_t most_growth = 1 << 20;  // 1 TiB
  AsyncOptions options;
  std::int64_t growth = options.growth.value() / mebibyte;
  std::int64_t threshold = options.release_threshold.value() / mebibyte;
  const std::array<NumberOption, 2> known{
      {{.key = "growth_mb", .least = 1, .most = most_growth, .value = &growth},
       {.key = "release_threshold_mb", .least = 0, .most = most, .value = &threshold}}};
  if (const auto read = read_options("async", text, known); !read)
    return tl::unexpected(read.error());
  options.growth = Bytes(growth) * mebibyte;
  options.release_threshold = Bytes(threshold) * mebibyte;
  return options;
}

std::unique_ptr<Allocator> make_async_allocator(Driver& driver, StreamEvents& events,
                                                const AsyncOptions& options) {
  return std::make_unique<AsyncAllocator>(driver, events, options);
}

}  // namespace memsim::sim
