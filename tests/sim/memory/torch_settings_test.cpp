// What options change, on sequences short enough to follow by hand.
#include "tests/sim/memory/torch_bench.hpp"

namespace memsim::sim {
namespace {

constexpr std::uint64_t reservations = 0x600000000000;

}  // namespace

TEST_CASE(
    "a block at or above the largest split size serves no smaller request, nor much smaller "
    "ones above it") {
  TorchBench bench(1_GiB, "max_split_size_mb:64,max_non_split_rounding_mb:24");
  bench.free(bench.allocate(100_MiB));
  // 40 MiB are below the limit: a segment of their own, although 100 MiB are free.
  const AllocationId below = bench.allocate(40_MiB);
  CHECK(bench.reserved() == 140_MiB);
  // 76 MiB would waste 24 MiB, 78 MiB only 22 MiB; the block is handed out whole.
  const AllocationId wasteful = bench.allocate(76_MiB);
  CHECK(bench.reserved() == 216_MiB);
  const AllocationId close = bench.allocate(78_MiB);
  CHECK(bench.reserved() == 216_MiB);
  CHECK(bench.torch->block_size(close) == 100_MiB);
  CHECK(bench.torch->statistics().oversize_allocations.current == 2);
  CHECK(bench.torch->statistics().oversize_segments.current == 2);
  for (const AllocationId id : {below, wasteful, close}) bench.free(id);
  CHECK(bench.torch->statistics().oversize_allocations.current == 0);
}

TEST_CASE("a full device gives back large cached segments before it gives back all") {
  TorchBench bench(300_MiB, "max_split_size_mb:64");
  bench.free(bench.allocate(30_MiB));
  bench.free(bench.allocate(100_MiB));
  bench.free(bench.allocate(110_MiB));
  // 150 MiB: no segment is that large, so 110 and 100 MiB go; 30 MiB stay.
  bench.allocate(150_MiB);
  CHECK(bench.reserved() == 180_MiB);
  CHECK(bench.torch->calls().alloc_retries == 0);
}

TEST_CASE("a limit holds although the device has more") {
  TorchBench bench(1_GiB);
  bench.torch->set_memory_fraction(*TorchRatio::parse("0.5"));
  const AllocationId half = bench.allocate(512_MiB);
  const OutOfMemory cause = bench.fail(2_MiB);
  CHECK_THAT(cause.message, Catch::Contains("of which 512.00 MiB is free. 512.00 MiB allowed; Of"));
  CHECK(cause.free == 512_MiB);
  bench.free(half);
  bench.allocate(2_MiB);  // from the cache
}

TEST_CASE("beyond the threshold segments that were cached for long are given back") {
  TorchBench bench(1_GiB, "garbage_collection_threshold:0.5");
  bench.torch->set_memory_fraction(TorchRatio::one());
  const AllocationId old = bench.allocate(200_MiB);
  const AllocationId young = bench.allocate(300_MiB);
  bench.free(old);                                    // cached after 2 searches
  const AllocationId other = bench.allocate(30_MiB);  // the third, from the 200 MiB
  bench.free(other);
  bench.free(young);                    // both cached after 3 searches
  bench.free(bench.allocate(250_MiB));  // the fourth search, from the 300 MiB
  // 500 MiB are not beyond 512. 20 MiB more are, but then it is too late for this request.
  const AllocationId small = bench.allocate(310_MiB);  // the fifth: nothing fits
  CHECK(bench.reserved() == 810_MiB);
  // The sixth: 810 - 512 = 298 MiB are wanted. Ages: 200 MiB 6 - 3, 300 MiB 6 - 4; mean 2.5.
  // 200 MiB go first, and as that is not enough 300 MiB, alone and so of mean age, go as well.
  bench.allocate(320_MiB);
  CHECK(bench.reserved() == 630_MiB);
  CHECK(bench.torch->calls().device_frees == 2);
  bench.free(small);
}

TEST_CASE("an expandable segment grows by pages of 20 MiB, or 2 MiB in the small pool") {
  TorchBench bench(1_GiB, "expandable_segments:True");
  const AllocationId a = bench.allocate(30_MiB);
  CHECK(bench.address(a) == reservations);
  CHECK(bench.reserved() == 40_MiB);
  CHECK(bench.work.maps == 2);
  const AllocationId b = bench.allocate(30_MiB);  // 10 MiB are mapped and free, 20 MiB more
  CHECK(bench.address(b) == reservations + (30 << 20));
  CHECK(bench.reserved() == 60_MiB);
  // Address space for 9/8 of the device, in whole pages of 20 MiB: 1160 MiB.
  const AllocationId small = bench.allocate(1000_B);
  CHECK(bench.address(small) == reservations + (1160LL << 20));
  CHECK(bench.reserved() == 62_MiB);
  CHECK(bench.torch->current(TorchMeasure::segment) == 0);

  // Freed, they are one stretch that serves what no segment could.
  bench.free(a);
  bench.free(b);
  const AllocationId c = bench.allocate(60_MiB);
  CHECK(bench.address(c) == reservations);
  CHECK(bench.reserved() == 62_MiB);
}

TEST_CASE("emptying the cache unmaps whole free pages of expandable segments") {
  TorchBench bench(1_GiB, "expandable_segments:True");
  const AllocationId a = bench.allocate(30_MiB);
  const AllocationId b = bench.allocate(25_MiB);
  const AllocationId c = bench.allocate(25_MiB);
  CHECK(bench.reserved() == 80_MiB);
  bench.free(b);  // 30 to 55 MiB: only the page from 40 to 60 is touched, and not wholly free
  bench.empty_cache();
  CHECK(bench.reserved() == 80_MiB);
  bench.free(c);  // 30 to 80 MiB: the pages from 40 on go, the sliver before them stays
  bench.empty_cache();
  CHECK(bench.reserved() == 40_MiB);
  CHECK(bench.memory.used() == 40_MiB);
  CHECK(bench.torch->snapshot().size() == 1);
  bench.free(a);
  bench.empty_cache();
  CHECK(bench.memory.used() == 0_B);
  CHECK(bench.torch->snapshot().empty());
}

TEST_CASE("a block at the open end of an expandable segment is taken last") {
  TorchBench bench(1_GiB, "expandable_segments:True");
  const AllocationId a = bench.allocate(14_MiB);
  const AllocationId b = bench.allocate(22_MiB);  // 36 of 40 MiB: 4 MiB are left at the end
  bench.free(a);
  // 3 MiB fit best into the 4 MiB, but those can grow: the 14 MiB are split.
  const AllocationId c = bench.allocate(3_MiB);
  CHECK(bench.address(c) == reservations);
  bench.free(b);
  bench.free(c);
}

TEST_CASE("what was mapped before the device was full stays mapped") {
  TorchBench bench(100_MiB, "expandable_segments:True");
  const AllocationId a = bench.allocate(30_MiB);
  const OutOfMemory cause = bench.fail(90_MiB);
  CHECK(cause.requested == 90_MiB);
  CHECK(bench.torch->calls().alloc_retries == 1);
  bench.free(a);
  bench.allocate(90_MiB);
}

TEST_CASE("without the option expandable blocks serve nobody any more") {
  TorchBench bench(1_GiB, "expandable_segments:True");
  bench.free(bench.allocate(30_MiB));
  bench.configure("expandable_segments:False");
  const AllocationId a = bench.allocate(30_MiB);
  CHECK(bench.address(a) == 0x7f0000000000);
  CHECK(bench.reserved() == 70_MiB);
  bench.empty_cache();
  CHECK(bench.reserved() == 30_MiB);
}

TEST_CASE("settings are part of the state") {
  const auto digest_of = [](std::string_view options) {
    TorchBench bench(1_GiB, options);
    Digest digest;
    bench.torch->add_state(digest);
    return digest.value();
  };
  const std::uint64_t plain = digest_of("");
  CHECK(digest_of("") == plain);
  for (const char* options : {"expandable_segments:True", "max_split_size_mb:64",
                              "max_non_split_rounding_mb:64", "roundup_power2_divisions:4"})
    CHECK(digest_of(options) != plain);
}

}  // namespace memsim::sim
