// The cache of pinned host memory on sequences short enough to follow by hand; pages of 4 KiB.
#include "tests/sim/memory/allocator_bench.hpp"

namespace memsim::sim {
namespace {

struct Bench : AllocatorBench {
  explicit Bench(Bytes capacity, std::string_view options = "")
      : AllocatorBench("pinned", options, capacity, {.granularity = 4_KiB}) {
    events.manual = true;
  }
};

}  // namespace

TEST_CASE("pinned requests are rounded to powers of two, without a least size") {
  Bench bench(1_GiB);
  const auto size_of = [&](Bytes request) {
    return bench.allocator->block_size(bench.allocate(request));
  };
  CHECK(size_of(1_B) == 1_B);
  CHECK(size_of(3_B) == 4_B);
  CHECK(size_of(4_MiB) == 4_MiB);
  CHECK(size_of(4_MiB + 1_B) == 8_MiB);
  CHECK(bench.allocated() == 12_MiB + 5_B);
  CHECK(bench.reserved() == 12_MiB + 8_KiB);  // two of them take a page each
}

TEST_CASE("of the pinned blocks of a size the one that was freed last serves, and none is split") {
  Bench bench(1_GiB);
  const AllocationId a = bench.allocate(1_MiB);
  const AllocationId b = bench.allocate(1_MiB);
  const Bytes place_of_a = bench.place(a);
  const Bytes place_of_b = bench.place(b);
  bench.free(b);
  bench.free(a);
  CHECK(bench.place(bench.allocate(600_KiB)) == place_of_a);
  CHECK(bench.place(bench.allocate(1_MiB, 3)) == place_of_b);
  bench.free(bench.allocate(4_MiB));
  bench.allocate(1_MiB);
  CHECK(bench.reserved() == 7_MiB);
}

TEST_CASE("a pinned block's event that is not done holds up those that came later") {
  Bench bench(1_GiB);
  const AllocationId a = bench.allocate(1_MiB);
  const AllocationId b = bench.allocate(2_MiB);
  const AllocationId c = bench.allocate(4_MiB);
  bench.record(a, 1);
  bench.record(b, 2);
  bench.free(a);
  bench.free(b);
  bench.free(c);  // nobody copied from it: at once
  bench.events.complete(StreamId{2});
  bench.allocate(4_MiB);
  CHECK(bench.reserved() == 7_MiB);
  bench.allocate(2_MiB);  // stream 2 is done, but stream 1 stands before it
  CHECK(bench.reserved() == 9_MiB);
  bench.events.complete(StreamId{1});
  bench.allocate(2_MiB);
  bench.allocate(1_MiB);
  CHECK(bench.reserved() == 9_MiB);
}

TEST_CASE("a pinned block waits for every stream that used it, also for that of its request") {
  Bench bench(1_GiB);
  const AllocationId a = bench.allocate(1_MiB, 1);
  bench.record(a, 1);
  bench.record(a, 2);
  bench.record(a, 2);
  bench.free(a);
  CHECK(bench.events.recorded.size() == 2);
  bench.events.complete(StreamId{1});
  bench.allocate(1_MiB, 1);
  CHECK(bench.reserved() == 2_MiB);
  bench.events.complete(StreamId{2});
  bench.allocate(1_MiB, 1);
  CHECK(bench.reserved() == 2_MiB);
}

TEST_CASE("no shortage makes pinned blocks go back, only emptying the cache does") {
  Bench bench(10_MiB);
  bench.free(bench.allocate(8_MiB));
  const OutOfMemory cause = bench.fail(3_MiB);  // 4 MiB, and 2 are left
  CHECK(cause.segment == 4_MiB);
  CHECK(cause.free == 2_MiB);
  CHECK(cause.reserved == 8_MiB);
  CHECK(cause.largest_free_block == 8_MiB);
  CHECK(cause.fragmented());
  bench.empty_cache();
  CHECK(bench.reserved() == 0_B);
  bench.allocate(3_MiB);
}

TEST_CASE("emptying the pinned cache does not wait for streams") {
  Bench bench(1_GiB);
  const AllocationId a = bench.allocate(1_MiB);
  bench.record(a, 1);
  bench.free(a);
  bench.empty_cache();
  CHECK(bench.reserved() == 1_MiB);
  CHECK(bench.events.waited.empty());
  bench.events.complete(StreamId{1});
  bench.empty_cache();
  CHECK(bench.reserved() == 0_B);
}

TEST_CASE("pinned sizes above thresholds are not rounded, or not kept") {
  Bench exact(1_GiB, "max_round_threshold_mb:4");
  const AllocationId a = exact.allocate(3_MiB);
  const AllocationId b = exact.allocate(5_MiB);
  CHECK(exact.reserved() == 4_MiB + 5_MiB);
  exact.free(a);
  exact.free(b);
  // The list of 8 MiB holds a block of 5 MiB: too small for 6, large enough for 4.5.
  const AllocationId c = exact.allocate(6_MiB);
  CHECK(exact.reserved() == 15_MiB);
  CHECK(exact.allocator->block_size(exact.allocate(4608_KiB)) == 5_MiB);
  CHECK(exact.reserved() == 15_MiB);
  exact.free(c);

  Bench lean(1_GiB, "max_cached_size_mb:4");
  lean.free(lean.allocate(4_MiB));
  lean.free(lean.allocate(5_MiB));
  CHECK(lean.reserved() == 4_MiB);
  CHECK(lean.work.frees == 1);
}

TEST_CASE("the order in which pinned blocks were freed is part of the state") {
  Bench first(1_GiB);
  Bench second(1_GiB);
  const auto two = [](Bench& bench) {
    const AllocationId low = bench.allocate(1_MiB);
    return std::pair(low, bench.allocate(1_MiB));
  };
  const auto [low1, high1] = two(first);
  const auto [low2, high2] = two(second);
  CHECK(first.digest() == second.digest());
  first.free(low1);
  first.free(high1);
  second.free(high2);
  second.free(low2);
  CHECK(first.digest() != second.digest());
}

}  // namespace memsim::sim
