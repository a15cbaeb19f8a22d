// Private pools, as CUDA graphs use them.
#include "sim/memory/torch_pools.hpp"
#include "tests/sim/memory/torch_bench.hpp"

namespace memsim::sim {
namespace {

constexpr TorchPoolId graph{1, 0};
constexpr TorchPoolId other{2, 0};

}  // namespace

TEST_CASE("pools are told apart by both numbers, and hashed by the first that is not 0") {
  CHECK(TorchPoolId{1, 0} != TorchPoolId{0, 1});
  CHECK(torch_pool_hash({7, 0}) == 7);
  CHECK(torch_pool_hash({0, 9}) == 9);
}

TEST_CASE(
    "requests of a diverted stream get blocks of the private pool, and give them back to it") {
  TorchBench bench(1_GiB);
  bench.free(bench.allocate(4_MiB, 1));
  REQUIRE(bench.torch->begin_pool(graph, StreamId{1}));
  const AllocationId inside = bench.allocate(4_MiB, 1);
  CHECK(bench.reserved() == 40_MiB);  // the 20 MiB that are cached belong to the default pool
  bench.free(inside);
  const AllocationId elsewhere = bench.allocate(4_MiB, 2);
  CHECK(bench.reserved() == 60_MiB);
  REQUIRE(bench.torch->end_pool(graph));
  bench.allocate(4_MiB, 1);
  CHECK(bench.reserved() == 60_MiB);
  std::size_t owned = 0;
  for (const TorchSegment& segment : bench.torch->snapshot())
    if (segment.owner == graph) ++owned;
  CHECK(owned == 1);
  bench.free(elsewhere);
}

TEST_CASE("a private pool keeps its memory until it is released") {
  TorchBench bench(1_GiB);
  REQUIRE(bench.torch->begin_pool(graph, StreamId{0}));
  bench.free(bench.allocate(4_MiB));
  bench.free(bench.allocate(1000_B));
  REQUIRE(bench.torch->end_pool(graph));
  bench.empty_cache();
  CHECK(bench.reserved() == 22_MiB);
  CHECK_THAT(bench.fail(2_GiB).message,
             Catch::Contains("22.00 MiB is allocated by PyTorch, with 22.00 MiB allocated in "
                             "private pools (e.g., CUDA Graphs), and 0 bytes is reserved"));
  REQUIRE(bench.torch->release_pool(graph));
  CHECK(bench.reserved() == 22_MiB);
  bench.empty_cache();
  CHECK(bench.reserved() == 0_B);
  // The pool is gone: the same name makes a new one.
  REQUIRE(bench.torch->begin_pool(graph, StreamId{0}));
  bench.allocate(1000_B);
  CHECK(bench.reserved() == 2_MiB);
}

TEST_CASE("while a pool takes requests a full device is not helped by the cache") {
  TorchBench bench(100_MiB);
  bench.free(bench.allocate(80_MiB));
  REQUIRE(bench.torch->begin_pool(graph, StreamId{1}));
  bench.fail(60_MiB, 1);
  CHECK(bench.torch->calls().alloc_retries == 0);
  REQUIRE(bench.torch->end_pool(graph));
  bench.allocate(60_MiB, 1);
  CHECK(bench.torch->calls().alloc_retries == 1);
}

TEST_CASE("blocks freed while a pool takes requests wait, except for uses recorded meanwhile") {
  TorchBench bench(1_GiB);
  bench.events.manual = true;
  const AllocationId before = bench.allocate(4_MiB);
  bench.torch->record_stream(before, StreamId{2});
  const AllocationId during = bench.allocate(4_MiB);
  REQUIRE(bench.torch->begin_pool(graph, StreamId{1}));
  bench.torch->record_stream(during, StreamId{3});
  bench.free(before);
  bench.free(during);
  CHECK(bench.events.recorded.empty());
  bench.allocate(512_B, 1);
  CHECK(bench.torch->current(TorchMeasure::active) == 3);
  REQUIRE(bench.torch->end_pool(graph));
  bench.allocate(512_B);
  // An event on stream 2 only; the other block is free, its stream was recorded meanwhile.
  CHECK(bench.events.recorded == std::vector<StreamId>{StreamId{2}});
  CHECK(bench.torch->current(TorchMeasure::active) == 3);
  bench.events.complete(StreamId{2});
  bench.allocate(512_B);
  CHECK(bench.torch->current(TorchMeasure::active) == 3);
}

TEST_CASE("pools that are not what the call needs are refused in PyTorch's words") {
  TorchBench bench(1_GiB);
  CHECK(bench.torch->end_pool(graph).error().message ==
        "endAllocatePool: not currently recording to mempool_id");
  CHECK_FALSE(bench.torch->release_pool(graph).has_value());
  REQUIRE(bench.torch->begin_pool(graph, StreamId{0}));
  CHECK(bench.torch->begin_pool(graph, StreamId{1}).error().message ==
        "beginAllocateToPool: already recording to mempool_id");
  CHECK(bench.torch->end_pool(other).error().message ==
        "endAllocatePool: not currently recording to mempool_id");
  REQUIRE(bench.torch->end_pool(graph));
  REQUIRE(bench.torch->release_pool(graph));
  CHECK_FALSE(bench.torch->release_pool(graph).has_value());
}

}  // namespace memsim::sim
