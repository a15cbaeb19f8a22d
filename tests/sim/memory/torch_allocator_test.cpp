// The caching allocator on sequences short enough to follow by hand; recorded runs of the real one
// are in tests/validate.
#include "sim/memory/torch_allocator.hpp"

#include <vector>

#include "tests/sim/memory/stream_events.hpp"
#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

constexpr std::uint64_t base = 0x7f0000000000;

class Listener final : public AllocatorObserver {
 public:
  void on_event(const AllocatorEvent& event) override { events.push_back(event); }
  std::vector<AllocatorEvent> events;
};

struct Bench {
  explicit Bench(Bytes capacity, const DriverSpec& spec = {})
      : memory(capacity), driver(memory, spec), torch(make_torch_allocator(driver, events)) {}

  AllocationId allocate(Bytes size, std::uint32_t stream = 0) {
    const auto made = torch->allocate(size, StreamId{stream}, work);
    REQUIRE(made);
    torch->check_invariants();
    return *made;
  }
  OutOfMemory fail(Bytes size) {
    const auto made = torch->allocate(size, StreamId{0}, work);
    REQUIRE_FALSE(made);
    torch->check_invariants();
    return made.error();
  }
  void free(AllocationId id) {
    torch->free(id, work);
    torch->check_invariants();
  }
  std::uint64_t offset(AllocationId id) const { return torch->address(id) - base; }

  DeviceMemory memory;
  Driver driver;
  TestEvents events;
  DriverWork work;
  std::unique_ptr<TorchAllocator> torch;
};

}  // namespace

TEST_CASE("small requests share segments of 2 MiB, from the low end up") {
  Bench bench(64_MiB);
  const AllocationId a = bench.allocate(1_B);
  const AllocationId b = bench.allocate(1000_B);
  CHECK(bench.offset(a) == 0);
  CHECK(bench.offset(b) == 512);
  CHECK(bench.torch->block_size(b) == 1024_B);
  CHECK(bench.torch->usage().requested == 1001_B);
  CHECK(bench.torch->usage().allocated == 1536_B);
  CHECK(bench.torch->usage().reserved == 2_MiB);
  CHECK(bench.work.mallocs == 1);
}

TEST_CASE("a freed block merges with its free neighbours and is used again") {
  Bench bench(64_MiB);
  const AllocationId a = bench.allocate(1024_B);
  const AllocationId b = bench.allocate(1024_B);
  const AllocationId c = bench.allocate(1024_B);
  bench.allocate(1024_B);
  bench.free(a);
  bench.free(c);
  bench.free(b);
  // 3072 free bytes at the bottom fit better than the rest of the segment.
  CHECK(bench.offset(bench.allocate(3072_B)) == 0);
}

TEST_CASE("a large block is not split for 1 MiB, and its whole size counts as allocated") {
  Bench bench(64_MiB);
  const AllocationId a = bench.allocate(11_MiB);  // a segment of 12 MiB
  CHECK(bench.torch->block_size(a) == 12_MiB);
  CHECK(bench.torch->usage().requested == 11_MiB);
  bench.free(a);
  const AllocationId b = bench.allocate(11_MiB - 512_B);
  CHECK(bench.torch->block_size(b) == 11_MiB - 512_B);
  CHECK(bench.torch->current(TorchMeasure::inactive_split_bytes) == (1 << 20) + 512);
}

TEST_CASE("streams do not share blocks") {
  Bench bench(64_MiB);
  const AllocationId a = bench.allocate(512_B, 1);
  bench.free(a);
  CHECK(bench.offset(bench.allocate(512_B, 2)) == 2 << 20);
  CHECK(bench.offset(bench.allocate(512_B, 1)) == 0);
}

TEST_CASE("a full driver makes the allocator give its cache back and try again") {
  Bench bench(32_MiB);
  const AllocationId a = bench.allocate(20_MiB);
  const AllocationId b = bench.allocate(1_MiB);
  bench.free(a);
  const AllocationId c = bench.allocate(24_MiB);  // needs the 20 MiB back: 2 + 24 of 32
  CHECK(bench.offset(c) == (22 << 20));
  CHECK(bench.work.mallocs == 3);
  CHECK(bench.work.failed_mallocs == 1);
  CHECK(bench.work.frees == 1);
  CHECK(bench.work.synchronized);
  CHECK(bench.torch->calls() == TorchCalls{.alloc_retries = 1,
                                           .ooms = 0,
                                           .sync_all_streams = 1,
                                           .device_allocs = 3,
                                           .device_frees = 1});
  bench.free(b);
}

TEST_CASE("out of memory tells what was asked, what is left and where it went") {
  Bench bench(32_MiB, {.device = 2, .reports_processes = true});
  const AllocationId a = bench.allocate(1536_KiB);  // in a segment of 20 MiB
  const AllocationId b = bench.allocate(16_MiB);    // fits into its rest
  bench.free(b);
  const OutOfMemory cause = bench.fail(19_MiB);
  CHECK(cause.requested == 19_MiB);
  CHECK(cause.segment == 20_MiB);
  CHECK(cause.free == 12_MiB);
  CHECK(cause.capacity == 32_MiB);
  CHECK(cause.allocated == 1536_KiB);
  CHECK(cause.reserved == 20_MiB);
  CHECK(cause.largest_free_block == 20_MiB - 1536_KiB);
  CHECK(cause.fragmented());
  CHECK_THAT(cause.message, Catch::StartsWith("CUDA out of memory. Tried to allocate 20.00 MiB. "
                                              "GPU 2 has a total capacity of 32.00 MiB of which "
                                              "12.00 MiB is free. Including non-PyTorch memory, "
                                              "this process has 20.00 MiB memory in use. "));
  CHECK(bench.torch->calls().ooms == 1);
  CHECK_FALSE(bench.fail(40_MiB).fragmented());
  bench.free(a);
}

TEST_CASE("a request of 1 EiB fails at once and is not counted") {
  Bench bench(32_MiB);
  const OutOfMemory cause = bench.fail(Bytes(std::int64_t{1} << 60));
  CHECK(cause.message == "CUDA out of memory. Tried to allocate more than 1EB memory.");
  CHECK(bench.torch->calls() == TorchCalls{});
  CHECK(bench.work.failed_mallocs == 0);
}

TEST_CASE("emptying the cache gives whole free segments back, large ones first") {
  Bench bench(128_MiB);
  Listener listener;
  bench.torch->set_observer(&listener);
  const AllocationId small = bench.allocate(1_MiB);
  const AllocationId split = bench.allocate(2_MiB);
  const AllocationId large = bench.allocate(24_MiB);
  const AllocationId other = bench.allocate(10_MiB, 1);
  bench.free(large);
  bench.free(other);
  bench.free(small);
  listener.events.clear();
  bench.torch->empty_cache(bench.work);
  using enum AllocatorAction;
  CHECK(listener.events ==
        std::vector<AllocatorEvent>{{segment_free, base + (22 << 20), 24_MiB, StreamId{0}},
                                    {segment_free, base + (46 << 20), 10_MiB, StreamId{1}},
                                    {segment_free, base, 2_MiB, StreamId{0}}});
  CHECK(bench.torch->usage().reserved == 20_MiB);
  CHECK(bench.memory.used() == 20_MiB);
  bench.free(split);
}

TEST_CASE("an observer is told every step in order") {
  Bench bench(4_MiB);
  Listener listener;
  bench.torch->set_observer(&listener);
  const AllocationId a = bench.allocate(700_B);
  bench.fail(3_MiB);
  bench.free(a);
  bench.torch->set_observer(nullptr);
  bench.torch->empty_cache(bench.work);
  using enum AllocatorAction;
  CHECK(listener.events == std::vector<AllocatorEvent>{{segment_alloc, base, 2_MiB, StreamId{0}},
                                                       {alloc, base, 700_B, StreamId{0}},
                                                       {oom, 2 << 20, 3_MiB, StreamId{0}},
                                                       {free_requested, base, 700_B, StreamId{0}},
                                                       {free_completed, base, 700_B, StreamId{0}}});
  CHECK(name(free_completed) == "free_completed");
}

TEST_CASE("a snapshot shows segments and blocks by address") {
  Bench bench(64_MiB);
  const AllocationId a = bench.allocate(600_B, 1);
  const AllocationId b = bench.allocate(512_B, 1);
  bench.allocate(12_MiB);
  bench.free(a);
  bench.events.manual = true;
  bench.torch->record_stream(b, StreamId{2});
  bench.free(b);
  const std::vector<TorchSegment> segments = bench.torch->snapshot();
  REQUIRE(segments.size() == 2);
  CHECK(segments[0].address == base);
  CHECK(segments[0].size == 2_MiB);
  CHECK(segments[0].pool == TorchPool::small);
  CHECK(segments[0].stream == StreamId{1});
  CHECK(segments[0].allocated == 0_B);
  CHECK(segments[0].active == 512_B);
  CHECK(segments[0].requested == 512_B);
  REQUIRE(segments[0].blocks.size() == 3);
  CHECK(segments[0].blocks[0].size == 1024_B);
  CHECK(segments[0].blocks[0].requested == 600_B);  // of its last use
  CHECK(name(segments[0].blocks[0].state) == "inactive");
  CHECK(segments[0].blocks[1].address == base + 1024);
  CHECK(name(segments[0].blocks[1].state) == "active_pending_free");
  CHECK(segments[0].blocks[2].size == 2_MiB - 1536_B);
  CHECK(segments[1].pool == TorchPool::large);
  CHECK(segments[1].allocated == 12_MiB);
  REQUIRE(segments[1].blocks.size() == 1);
  CHECK(name(segments[1].blocks[0].state) == "active_allocated");
}

TEST_CASE("statistics follow a block through its life") {
  Bench bench(64_MiB);
  const AllocationId a = bench.allocate(600_B);
  TorchStatistics stats = bench.torch->statistics();
  CHECK(stats.at(TorchMeasure::allocation).current == 1);
  CHECK(stats.at(TorchMeasure::active_bytes, TorchPool::small).current == 1024);
  CHECK(stats.at(TorchMeasure::inactive_split).current == 1);
  CHECK(stats.at(TorchMeasure::requested_bytes).peak == 600);
  CHECK(stats.at(TorchMeasure::reserved_bytes, TorchPool::large).allocated == 0);
  bench.free(a);
  stats = bench.torch->statistics();
  CHECK(stats.at(TorchMeasure::active).current == 0);
  CHECK(stats.at(TorchMeasure::inactive_split) == TorchStat{0, 1, 1, 1});
  CHECK(stats.max_split_size == -1);
  bench.torch->reset_peak();
  bench.torch->reset_accumulated();
  stats = bench.torch->statistics();
  CHECK(stats.at(TorchMeasure::inactive_split) == TorchStat{});
  CHECK(stats.at(TorchMeasure::segment) == TorchStat{1, 1, 0, 0});
  CHECK(stats.calls == TorchCalls{});
}

TEST_CASE("a caching allocator gives all its segments back to the driver when it ends") {
  Bench bench(64_MiB);
  bench.allocate(3_MiB);
  bench.free(bench.allocate(3_MiB));
  CHECK(bench.memory.used() == 20_MiB);
  bench.torch.reset();
  CHECK(bench.memory.used() == 0_B);
  bench.driver.check_invariants();
}

TEST_CASE("two caching allocators share one device") {
  Bench bench(32_MiB);
  const auto other = make_torch_allocator(bench.driver, bench.events);
  DriverWork work;
  const auto theirs = other->allocate(20_MiB, StreamId{0}, work);
  REQUIRE(theirs);
  const OutOfMemory cause = bench.fail(20_MiB);
  CHECK(cause.reserved == 0_B);
  CHECK(cause.free == 12_MiB);
  other->free(*theirs, work);
  bench.fail(20_MiB);  // it is in the other's cache
  other->empty_cache(work);
  bench.allocate(20_MiB);
}

}  // namespace memsim::sim
