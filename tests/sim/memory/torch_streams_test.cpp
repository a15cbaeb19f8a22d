// Blocks that several streams use.
#include <vector>

#include "sim/memory/torch_allocator.hpp"
#include "tests/sim/memory/stream_events.hpp"
#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

struct Bench {
  explicit Bench(Bytes capacity) : memory(capacity) { events.manual = true; }

  AllocationId allocate(Bytes size, std::uint32_t stream = 0) {
    const auto made = torch->allocate(size, StreamId{stream}, work);
    REQUIRE(made);
    torch->check_invariants();
    return *made;
  }
  void record(AllocationId id, std::uint32_t stream) { torch->record_stream(id, StreamId{stream}); }
  void free(AllocationId id) {
    torch->free(id, work);
    torch->check_invariants();
  }
  std::int64_t active() const { return torch->current(TorchMeasure::active_bytes); }
  std::int64_t allocated() const { return torch->current(TorchMeasure::allocated_bytes); }

  DeviceMemory memory;
  Driver driver{memory};
  TestEvents events;
  DriverWork work;
  std::unique_ptr<TorchAllocator> torch = make_torch_allocator(driver, events);
};

std::uint64_t digest_of(const Bench& bench) {
  Digest digest;
  bench.torch->add_state(digest);
  return digest.value();
}

}  // namespace

TEST_CASE("a block used on another stream is pending until that stream's event is done") {
  Bench bench(64_MiB);
  const AllocationId a = bench.allocate(1_MiB);
  bench.record(a, 1);
  bench.free(a);
  CHECK(bench.allocated() == 0);
  CHECK(bench.active() == 1 << 20);
  bench.allocate(512_B);  // looks at the events: not done
  CHECK(bench.active() == (1 << 20) + 512);
  bench.events.complete(StreamId{1});
  CHECK(bench.active() == (1 << 20) + 512);  // nobody has looked
  bench.allocate(512_B);
  CHECK(bench.active() == 1024);
}

TEST_CASE("recording a block on its own stream changes nothing") {
  Bench bench(64_MiB);
  const AllocationId a = bench.allocate(1_MiB, 2);
  bench.record(a, 2);
  bench.free(a);
  CHECK(bench.active() == 0);
  CHECK(bench.events.recorded.empty());
}

TEST_CASE("a block used on several streams waits for all of them, each recorded once") {
  Bench bench(64_MiB);
  const AllocationId a = bench.allocate(1_MiB);
  bench.record(a, 1);
  bench.record(a, 1);
  bench.record(a, 2);
  bench.free(a);
  CHECK(bench.events.recorded == std::vector<StreamId>{StreamId{1}, StreamId{2}});
  bench.events.complete(StreamId{2});
  bench.free(bench.allocate(512_B));
  CHECK(bench.active() == 1 << 20);
  bench.events.complete(StreamId{1});
  bench.free(bench.allocate(512_B));
  CHECK(bench.active() == 0);
}

TEST_CASE("an event that is not done does not hold back those of other streams") {
  Bench bench(64_MiB);
  const AllocationId a = bench.allocate(1_MiB);
  const AllocationId b = bench.allocate(2_MiB);
  bench.record(a, 1);
  bench.record(b, 2);
  bench.free(a);
  bench.free(b);
  bench.events.complete(StreamId{2});
  bench.free(bench.allocate(512_B));
  CHECK(bench.active() == 1 << 20);
}

TEST_CASE("giving the cache back waits for all outstanding events") {
  Bench bench(22_MiB);
  const AllocationId a = bench.allocate(20_MiB);
  bench.record(a, 1);
  bench.record(a, 3);
  bench.free(a);
  bench.allocate(10_MiB);  // the driver is full: wait, give back, try again
  CHECK(bench.events.waited.size() == 2);
  CHECK(bench.active() == 10 << 20);
  CHECK(bench.torch->calls().sync_all_streams == 1);
  CHECK(bench.memory.used() == 10_MiB);
}

TEST_CASE("the state tells whether an outstanding event is done, not which number it has") {
  Bench first(64_MiB);
  Bench second(64_MiB);
  // The second has used more events and more blocks before it comes to the same state.
  second.events.manual = false;
  const AllocationId warm = second.allocate(1_MiB);
  second.record(warm, 1);
  second.free(warm);
  second.free(second.allocate(4096_B));
  second.torch->empty_cache(second.work);
  second.events.manual = true;

  for (Bench* bench : {&first, &second}) {
    const AllocationId a = bench->allocate(1_MiB);
    bench->record(a, 1);
    const std::uint64_t used = digest_of(*bench);
    bench->free(a);
    CHECK(digest_of(*bench) != used);
  }
  CHECK(digest_of(first) == digest_of(second));
  first.events.complete(StreamId{1});
  CHECK(digest_of(first) != digest_of(second));
  second.events.complete(StreamId{1});
  CHECK(digest_of(first) == digest_of(second));
}

TEST_CASE("the state tells which streams use a block") {
  Bench first(64_MiB);
  Bench second(64_MiB);
  const AllocationId a = first.allocate(1_MiB);
  const AllocationId b = second.allocate(1_MiB);
  CHECK(digest_of(first) == digest_of(second));
  first.record(a, 1);
  second.record(b, 2);
  CHECK(digest_of(first) != digest_of(second));
  first.record(a, 2);
  second.record(b, 1);
  CHECK(digest_of(first) == digest_of(second));
}

TEST_CASE("the state of blocks is their places, not the order in which they came") {
  Bench first(64_MiB);
  Bench second(64_MiB);
  for (int i = 0; i < 3; ++i) first.allocate(512_B);
  const AllocationId a = second.allocate(512_B);
  second.allocate(512_B);
  second.free(a);
  second.allocate(512_B);
  second.allocate(512_B);
  CHECK(digest_of(first) == digest_of(second));
  // The same size at another place is another state.
  const AllocationId b = first.allocate(512_B);
  first.allocate(512_B);
  first.free(b);
  second.allocate(512_B);
  CHECK(digest_of(first) != digest_of(second));
}

}  // namespace memsim::sim
