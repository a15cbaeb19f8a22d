// The stream-ordered pool on sequences short enough to follow by hand.
#include "tests/sim/memory/allocator_bench.hpp"

namespace memsim::sim {
namespace {

struct Bench : AllocatorBench {
  explicit Bench(Bytes capacity, std::string_view options = "")
      : AllocatorBench("async", options, capacity) {
    events.manual = true;
  }
};

}  // namespace

TEST_CASE("the pool grows by 32 MiB or what the option says, and counts what was asked for") {
  Bench bench(1_GiB);
  const AllocationId a = bench.allocate(1000_B);
  CHECK(bench.reserved() == 32_MiB);
  CHECK(bench.allocated() == 1000_B);
  CHECK(bench.allocator->block_size(a) == 1000_B);
  const AllocationId b = bench.allocate(100_B);  // behind it, at a multiple of 512
  CHECK(bench.place(b) == 1024_B);
  bench.allocate(33_MiB);
  CHECK(bench.reserved() == 96_MiB);

  Bench small(1_GiB, "growth_mb:2");
  small.allocate(1000_B);
  CHECK(small.reserved() == 2_MiB);
}

TEST_CASE(
    "memory freed on a stream serves that stream at once, others when the free is seen done") {
  Bench bench(1_GiB);
  const AllocationId a = bench.allocate(32_MiB, 1);
  bench.free(a);
  CHECK(bench.allocated() == 0_B);
  const AllocationId b = bench.allocate(32_MiB, 1);
  CHECK(bench.place(b) == 0_B);
  CHECK(bench.reserved() == 32_MiB);
  bench.free(b);
  const AllocationId c = bench.allocate(32_MiB, 2);  // the pool grows instead
  CHECK(bench.place(c) == 32_MiB);
  bench.events.complete(StreamId{1});
  const AllocationId d = bench.allocate(32_MiB, 2);
  CHECK(bench.place(d) == 0_B);
  CHECK(bench.events.waited.empty());
}

TEST_CASE("memory that several streams use waits for all of them, its own stream too") {
  Bench bench(1_GiB);
  const AllocationId a = bench.allocate(32_MiB, 1);
  bench.record(a, 2);
  bench.free(a);
  CHECK(bench.events.recorded == std::vector<StreamId>{StreamId{1}, StreamId{2}});
  CHECK(bench.place(bench.allocate(32_MiB, 1)) == 32_MiB);
  bench.events.complete(StreamId{2});
  CHECK(bench.place(bench.allocate(32_MiB, 1)) == 64_MiB);
  bench.events.complete(StreamId{1});
  CHECK(bench.place(bench.allocate(32_MiB, 1)) == 0_B);
}

TEST_CASE("ranges of a stream merge with each other and with ready ones") {
  Bench bench(1_GiB);
  const AllocationId a = bench.allocate(8_MiB, 1);
  const AllocationId b = bench.allocate(8_MiB, 1);  // 16 MiB behind them are ready
  bench.free(a);
  CHECK(bench.place(bench.allocate(12_MiB, 1)) == 16_MiB);
  bench.free(b);  // 16 MiB at 0, 4 MiB at 28
  CHECK(bench.place(bench.allocate(16_MiB, 1)) == 0_B);
  CHECK(bench.place(bench.allocate(4_MiB, 2)) == 28_MiB);
  CHECK(bench.reserved() == 32_MiB);
}

TEST_CASE("a full device makes the pool wait for another stream's range before it fails") {
  Bench bench(64_MiB);
  const AllocationId a = bench.allocate(30_MiB, 1);
  const AllocationId b = bench.allocate(32_MiB, 1);
  bench.free(b);
  CHECK(bench.place(bench.allocate(31_MiB, 2)) == 32_MiB);
  CHECK(bench.events.waited == std::vector<StreamId>{StreamId{1}});
  const OutOfMemory cause = bench.fail(4_MiB, 2);
  CHECK(cause.free == 0_B);
  CHECK(cause.allocated == 61_MiB);
  CHECK(cause.reserved == 64_MiB);
  CHECK(cause.largest_free_block == 2_MiB);
  CHECK_FALSE(cause.fragmented());  // 2 and 1 MiB
  bench.free(a);
}

TEST_CASE(
    "near the end of memory the pool grows by what is needed, then gives unused segments back") {
  Bench bench(100_MiB);
  bench.free(bench.allocate(60_MiB));  // 64 MiB
  const AllocationId a = bench.allocate(64_MiB);
  CHECK(bench.reserved() == 64_MiB);
  bench.allocate(34_MiB);  // not 64 MiB more, but 34
  CHECK(bench.reserved() == 98_MiB);
  bench.free(a);
  const AllocationId b = bench.allocate(66_MiB);  // 64 MiB are free, but as one segment too small
  CHECK(bench.reserved() == 100_MiB);
  CHECK(bench.work.frees == 1);
  bench.free(b);
}

TEST_CASE("by default nothing goes back at a synchronization; beyond a threshold it does") {
  Bench keeps(1_GiB);
  keeps.free(keeps.allocate(100_MiB));
  keeps.events.complete(StreamId{0});
  keeps.synchronize();
  CHECK(keeps.reserved() == 128_MiB);
  keeps.empty_cache();
  CHECK(keeps.reserved() == 0_B);
  CHECK(keeps.work.synchronized);

  Bench gives(1_GiB, "release_threshold_mb:40");
  const AllocationId a = gives.allocate(20_MiB);
  const AllocationId b = gives.allocate(30_MiB);
  const AllocationId c = gives.allocate(32_MiB);
  CHECK(gives.reserved() == 96_MiB);
  gives.free(b);
  gives.free(c);
  gives.synchronize();  // their frees are not done yet
  CHECK(gives.reserved() == 96_MiB);
  gives.events.complete(StreamId{0});
  gives.synchronize();  // the highest first, then 64 MiB are still too many
  CHECK(gives.reserved() == 32_MiB);
  gives.free(a);
  gives.events.complete(StreamId{0});
  gives.synchronize();  // 32 are not beyond 40
  CHECK(gives.reserved() == 32_MiB);
}

TEST_CASE("the pool's out-of-memory text is that of PyTorch's cudaMallocAsync backend") {
  // Wording of CUDAMallocAsyncAllocator.cpp; without a memory fraction its limit is 2^64 - 1 bytes.
  Bench bench(64_MiB);
  bench.allocate(40_MiB);
  CHECK(bench.fail(30_MiB).message ==
        "Allocation on device 0 would exceed allowed memory. (out of memory)\n"
        "Currently allocated     : 40.00 MiB\n"
        "Requested               : 30.00 MiB\n"
        "Device limit            : 64.00 MiB\n"
        "Free (according to CUDA): 0 bytes\n"
        "PyTorch limit (set by user-supplied memory fraction)\n"
        "                        : 17179869184.00 GiB");
}

TEST_CASE("the pool's state tells whose ranges are free and whether their use is done") {
  Bench first(1_GiB);
  Bench second(1_GiB);
  first.free(first.allocate(1_MiB, 1));
  second.free(second.allocate(1_MiB, 2));
  CHECK(first.digest() != second.digest());
  first.events.complete(StreamId{1});
  second.events.complete(StreamId{2});
  first.free(first.allocate(1_MiB, 0));  // looks at the events
  second.free(second.allocate(1_MiB, 0));
  CHECK(first.digest() == second.digest());
}

}  // namespace memsim::sim
