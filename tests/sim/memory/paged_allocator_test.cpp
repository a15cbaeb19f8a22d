// Blocks of one size on sequences short enough to follow by hand.
#include "sim/memory/paged_allocator.hpp"

#include <utility>

#include "tests/sim/memory/allocator_bench.hpp"

namespace memsim::sim {
namespace {

constexpr std::uint64_t base = 0x7f0000000000;

struct Bench : AllocatorBench {
  explicit Bench(Bytes capacity, std::string_view options = "")
      : AllocatorBench("paged", options, capacity) {
    events.manual = true;
  }

  std::vector<std::int64_t> blocks(AllocationId id) const {
    std::vector<std::int64_t> numbers;
    for (const BlockRun& run : dynamic_cast<const PagedAllocator&>(*allocator).blocks(id))
      for (std::int64_t i = 0; i < run.count; ++i) numbers.push_back(run.first + i * run.step);
    return numbers;
  }
};

using Numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("a paged request takes whole blocks, and block 0 serves nobody") {
  Bench bench(64_MiB, "block_kb:64,blocks:9");
  CHECK(bench.reserved() == 2_MiB);  // 576 KiB in pages of the driver
  const AllocationId a = bench.allocate(65_KiB);
  CHECK(bench.blocks(a) == Numbers{1, 2});
  CHECK(bench.allocator->block_size(a) == 128_KiB);
  CHECK(bench.allocator->address(a) == base + 65536);
  CHECK(bench.allocator->usage().requested == 65_KiB);  // the rest is lost within blocks
  CHECK(bench.allocated() == 128_KiB);
  const AllocationId b = bench.allocate(384_KiB);
  CHECK(bench.blocks(b) == Numbers{3, 4, 5, 6, 7, 8});
  const OutOfMemory cause = bench.fail(1_B);
  CHECK(cause.message == "out of KV blocks: 0 of 8 are free");
  CHECK_FALSE(bench.work.synchronized);
}

TEST_CASE("free blocks wait in a queue; those of a request join it last block first") {
  Bench bench(64_MiB, "block_kb:64,blocks:9");
  const AllocationId a = bench.allocate(192_KiB);  // 1 2 3
  const AllocationId b = bench.allocate(128_KiB);  // 4 5
  bench.free(a);                                   // queue: 6 7 8 3 2 1
  bench.free(b);                                   // ... 5 4
  const AllocationId c = bench.allocate(320_KiB);
  CHECK(bench.blocks(c) == Numbers{6, 7, 8, 3, 2});
  const AllocationId d = bench.allocate(128_KiB);
  CHECK(bench.blocks(d) == Numbers{1, 5});
  CHECK(bench.allocator->address(d) == base + 65536);
  bench.free(c);  // queue: 4 2 3 8 7 6
  CHECK(bench.blocks(bench.allocate(256_KiB)) == Numbers{4, 2, 3, 8});
}

TEST_CASE("blocks that are no neighbours serve a request: no fragmentation outside of blocks") {
  Bench bench(64_MiB, "block_kb:64,blocks:9");
  std::vector<AllocationId> ids;
  for (int i = 0; i < 8; ++i) ids.push_back(bench.allocate(64_KiB));
  for (std::size_t i = 0; i < 8; i += 2) bench.free(ids[i]);
  const OutOfMemory cause = bench.fail(257_KiB);
  CHECK(cause.largest_free_block == 256_KiB);
  CHECK(bench.blocks(bench.allocate(256_KiB)) == Numbers{1, 3, 5, 7});
}

TEST_CASE("without a number of blocks the pool is a share of the device, less what others have") {
  // 90 % of 100 MiB are 92160 KiB: 1440 blocks. With 10 MiB taken by others 1280.
  Bench bench(100_MiB);
  CHECK(bench.fail(100_MiB).message == "out of KV blocks: 1439 of 1439 are free");
  CHECK(bench.reserved() == 90_MiB);
  DeviceMemory memory(100_MiB, 10_MiB);
  Driver driver(memory);
  TestEvents events;
  const auto paged = make_paged_allocator(driver, events, {});
  CHECK(paged->usage().reserved == 80_MiB);
  CHECK(Bench(100_MiB, "share_percent:50,block_kb:1024").reserved() == 50_MiB);
}

TEST_CASE("a pool that the device cannot hold serves nothing, and says so") {
  Bench bench(1_MiB, "blocks:100");
  CHECK(bench.reserved() == 0_B);
  CHECK(bench.fail(1_B).message ==
        "out of KV blocks: 0 of 0 are free; the device cannot hold a pool of 100");
  // 100 % of 3 MiB: the driver gives whole pages of 2 MiB, 32 blocks.
  CHECK(Bench(3_MiB, "share_percent:100").fail(3_MiB).message ==
        "out of KV blocks: 31 of 31 are free");
  // 2^62 bytes are 2^46 blocks of 64 KiB, and addresses end at 2^57.
  CHECK(
      Bench(Bytes(std::int64_t{1} << 62), "share_percent:100").fail(1_B).message ==
      "out of KV blocks: 0 of 0 are free; the device cannot hold a pool of 70368744177664: it has "
      "not as many addresses, so `blocks` must be set");
}

TEST_CASE("who takes blocks that another stream may be using waits for that stream") {
  Bench bench(64_MiB, "block_kb:64,blocks:3");
  const AllocationId a = bench.allocate(64_KiB, 1);
  bench.record(a, 2);
  const AllocationId b = bench.allocate(64_KiB, 1);
  bench.free(b);
  CHECK(bench.blocks(bench.allocate(64_KiB, 1)) == Numbers{2});
  CHECK(bench.events.waited.empty());  // in stream order
  bench.free(a);
  bench.fail(128_KiB, 1);
  CHECK(bench.events.waited.empty());  // a request that fails waits for nobody
  CHECK(bench.blocks(bench.allocate(64_KiB, 3)) == Numbers{1});
  CHECK(bench.events.waited == std::vector<StreamId>{StreamId{1}, StreamId{2}});
}

}  // namespace memsim::sim
