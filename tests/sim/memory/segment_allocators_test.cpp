// Buddies, best fit and bump arenas on sequences short enough to follow by hand.
#include "tests/sim/memory/allocator_bench.hpp"

namespace memsim::sim {

TEST_CASE("buddies halve the lowest block that serves and merge again") {
  AllocatorBench bench("buddy", "segment_mb:8", 64_MiB);
  const AllocationId a = bench.allocate(1_MiB);
  CHECK(bench.place(a) == 0_B);
  CHECK(bench.reserved() == 8_MiB);  // free: 1 at 1, 2 at 2, 4 at 4
  const AllocationId b = bench.allocate(1500_KiB);
  CHECK(bench.place(b) == 2_MiB);
  CHECK(bench.allocator->block_size(b) == 2_MiB);
  const AllocationId c = bench.allocate(1_MiB);
  CHECK(bench.place(c) == 1_MiB);
  bench.free(a);
  // 1 MiB at 0 and its half at 1 is taken: 2 MiB come from the 4 at 4.
  const AllocationId d = bench.allocate(2_MiB);
  CHECK(bench.place(d) == 4_MiB);
  for (const AllocationId id : {b, c, d}) bench.free(id);
  CHECK(bench.place(bench.allocate(8_MiB)) == 0_B);
  CHECK(bench.reserved() == 8_MiB);
}

TEST_CASE("a buddy block is at least 512 bytes, and a large request has a segment of its own") {
  AllocatorBench bench("buddy", "", 256_MiB);
  CHECK(bench.allocator->block_size(bench.allocate(1_B)) == 512_B);
  CHECK(bench.reserved() == 64_MiB);
  CHECK(bench.allocator->block_size(bench.allocate(65_MiB)) == 128_MiB);
  CHECK(bench.reserved() == 192_MiB);
  CHECK(bench.fail(65_MiB).segment == 128_MiB);
}

TEST_CASE("best fit takes the smallest range that serves, the lowest among equals") {
  // One segment of 16 MiB: a 4, x 1, b 3, y 1, c 3, z 4.
  AllocatorBench bench("best_fit", "segment_mb:16", 64_MiB);
  const AllocationId a = bench.allocate(4_MiB);
  bench.allocate(1_MiB);
  const AllocationId b = bench.allocate(3_MiB);
  const AllocationId y = bench.allocate(1_MiB);
  const AllocationId c = bench.allocate(3_MiB);
  bench.allocate(4_MiB);
  CHECK(bench.reserved() == 16_MiB);
  for (const AllocationId id : {a, c, b}) bench.free(id);
  const AllocationId d = bench.allocate(2_MiB);
  CHECK(bench.place(d) == 5_MiB);                      // of two ranges of 3 MiB the lower
  CHECK(bench.place(bench.allocate(1_MiB)) == 7_MiB);  // what is left of it
  bench.free(y);  // 1 MiB at 8 merges with 3 at 9: 4 MiB, as at 0
  CHECK(bench.place(bench.allocate(4_MiB)) == 0_B);
  CHECK(bench.place(bench.allocate(4_MiB)) == 8_MiB);
  CHECK(bench.reserved() == 16_MiB);
}

TEST_CASE("best fit asks for no more than a request needs, in blocks of 512 bytes") {
  AllocatorBench bench("best_fit", "", 64_MiB);
  const AllocationId a = bench.allocate(5_MiB + 1_B);
  CHECK(bench.allocator->block_size(a) == 5_MiB + 512_B);
  CHECK(bench.reserved() == 6_MiB);  // whole 2 MiB pages
  const AllocationId b = bench.allocate(512_KiB);
  CHECK(bench.place(b) == 5_MiB + 512_B);
  bench.free(a);
  bench.free(b);
  CHECK(bench.place(bench.allocate(6_MiB)) == 0_B);
}

TEST_CASE("a full device makes unused segments of all streams go back") {
  AllocatorBench bench("best_fit", "", 20_MiB);
  bench.free(bench.allocate(8_MiB, 0));
  bench.free(bench.allocate(8_MiB, 1));
  const AllocationId a = bench.allocate(2_MiB, 2);
  CHECK(bench.reserved() == 18_MiB);
  bench.allocate(16_MiB, 2);
  CHECK(bench.reserved() == 18_MiB);
  CHECK(bench.work.frees == 2);
  CHECK(bench.work.synchronized);
  const OutOfMemory cause = bench.fail(4_MiB);
  CHECK(cause.free == 2_MiB);
  CHECK(cause.message == "out of memory");
  bench.free(a);
}

TEST_CASE("a block that another stream uses returns to its heap when that use has ended") {
  AllocatorBench bench("best_fit", "", 64_MiB);
  bench.events.manual = true;
  const AllocationId a = bench.allocate(8_MiB, 0);
  bench.record(a, 1);
  bench.free(a);
  CHECK(bench.place(bench.allocate(8_MiB, 0)) == 8_MiB);
  bench.events.complete(StreamId{1});
  CHECK(bench.place(bench.allocate(8_MiB, 0)) == 0_B);
  // Another stream has a heap of its own.
  const AllocationId b = bench.allocate(8_MiB, 0);
  bench.free(b);
  CHECK(bench.place(bench.allocate(8_MiB, 1)) == 24_MiB);
}

TEST_CASE("a full device is waited for before unused segments go back") {
  AllocatorBench bench("best_fit", "", 8_MiB);
  bench.events.manual = true;
  const AllocationId a = bench.allocate(8_MiB, 0);
  bench.record(a, 1);
  bench.free(a);
  CHECK(bench.place(bench.allocate(4_MiB, 0)) == 0_B);
  CHECK(bench.events.waited == std::vector<StreamId>{StreamId{1}});
  CHECK(bench.work.frees == 0);
}

TEST_CASE("an arena's pointer only moves up, and a segment goes back when all of it is free") {
  AllocatorBench bench("bump", "segment_mb:4", 64_MiB);
  const AllocationId a = bench.allocate(1_MiB);
  const AllocationId b = bench.allocate(1_B);
  CHECK(bench.place(b) == 1_MiB);
  CHECK(bench.allocator->block_size(b) == 512_B);
  bench.free(a);
  const AllocationId c = bench.allocate(1_MiB);
  CHECK(bench.place(c) == 1_MiB + 512_B);        // not where `a` was
  const AllocationId d = bench.allocate(3_MiB);  // a new segment; the old one's rest is lost
  CHECK(bench.place(d) == 4_MiB);
  CHECK(bench.reserved() == 8_MiB);
  const AllocationId e = bench.allocate(1_MiB);
  CHECK(bench.place(e) == 7_MiB);
  bench.free(b);
  CHECK(bench.work.frees == 0);
  bench.free(c);
  CHECK(bench.reserved() == 4_MiB);
  CHECK(bench.work.frees == 1);
  bench.free(e);
  bench.free(d);  // the one in use as well
  CHECK(bench.reserved() == 0_B);
  CHECK(bench.place(bench.allocate(5_MiB)) == 0_B);
  CHECK(bench.reserved() == 6_MiB);  // larger than a segment: whole pages
}

}  // namespace memsim::sim
