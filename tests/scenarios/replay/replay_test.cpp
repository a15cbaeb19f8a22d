#include "scenarios/replay/replay.hpp"

#include "scenarios/replay/memory_trace.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

using namespace sim::literals;
using Kind = MemoryOp::Kind;

// Operations on a device, allocations numbered in the order of their making.
class Recording {
 public:
  std::uint32_t allocate(sim::Bytes bytes, std::uint32_t stream = 0) {
    trace.ops.push_back({Kind::allocate, trace.allocations, sim::StreamId{stream}, bytes});
    return trace.allocations++;
  }
  void free(std::uint32_t allocation) { trace.ops.push_back({Kind::free, allocation, {}, {}}); }
  void use(std::uint32_t allocation, std::uint32_t stream) {
    trace.ops.push_back({Kind::use, allocation, sim::StreamId{stream}, {}});
  }
  void done(std::uint32_t stream) {
    trace.ops.push_back({Kind::stream_done, 0, sim::StreamId{stream}, {}});
  }
  void empty_cache() { trace.ops.push_back({}); }

  MemoryTrace trace;
};

}  // namespace

TEST_CASE("a replay tells the peaks, what is idle at the highest reserve, and the driver's calls") {
  Recording recording;
  const auto a = recording.allocate(30_MiB);
  const auto b = recording.allocate(40_MiB);
  recording.free(a);
  recording.allocate(50_MiB);  // 30 MiB are too small: a third segment
  recording.free(b);
  const ReplayRun run = replay(recording.trace, {"torch", ""}, 1_GiB);
  CHECK(run.peak_requested == 90_MiB);
  CHECK(run.peak_allocated == 90_MiB);
  CHECK(run.peak.operation == 4);
  CHECK(run.peak.usage.reserved == 120_MiB);
  CHECK(run.peak.idle() == 30_MiB);
  CHECK(run.end.operation == 5);
  CHECK(run.end.usage.allocated == 50_MiB);
  CHECK(run.work.mallocs == 3);
  CHECK(run.work.frees == 0);
  CHECK(run.flushes == 0);
  CHECK(run.failures == 0);

  // In one stretch of pages of 20 MiB: 80 for the first two; the third takes the last 10 MiB free
  // and two pages more. The hole of 30 MiB at its beginning stays idle.
  const ReplayRun expandable =
      replay(recording.trace, {"torch", "expandable_segments:True"}, 1_GiB);
  CHECK(expandable.peak.usage.reserved == 120_MiB);
  CHECK(expandable.work.mallocs == 0);
  CHECK(expandable.work.maps == 6);
  const ReplayRun driver = replay(recording.trace, {"driver", ""}, 1_GiB);
  CHECK(driver.peak.usage.reserved == 90_MiB);
  CHECK(driver.work.frees == 2);
}

TEST_CASE("a full device costs a flush, or the request") {
  Recording recording;
  const auto a = recording.allocate(60_MiB);
  recording.free(a);
  const auto b = recording.allocate(80_MiB);  // only without the cached 60 MiB
  const auto c = recording.allocate(40_MiB);  // not at all
  recording.free(c);
  recording.free(b);
  const ReplayRun run = replay(recording.trace, {"torch", ""}, 100_MiB);
  CHECK(run.flushes == 1);
  CHECK(run.failures == 1);
  REQUIRE(run.first_failure.has_value());
  CHECK(run.first_failure->operation == 4);
  CHECK(run.first_failure->cause.requested == 40_MiB);
  CHECK_FALSE(run.first_failure->cause.fragmented());
  CHECK(run.end.usage.allocated == 0_B);
}

TEST_CASE("streams hold blocks until the recording says that they are done") {
  Recording recording;
  recording.trace.streams_end_at_once = false;
  const auto a = recording.allocate(30_MiB);
  recording.use(a, 1);
  recording.free(a);
  recording.allocate(30_MiB);  // the first block still waits
  recording.done(1);
  recording.allocate(30_MiB);  // now it serves
  CHECK(replay(recording.trace, {"torch", ""}, 1_GiB).peak.usage.reserved == 60_MiB);
  recording.trace.streams_end_at_once = true;
  CHECK(replay(recording.trace, {"torch", ""}, 1_GiB).peak.usage.reserved == 60_MiB);
  recording.empty_cache();
  CHECK(replay(recording.trace, {"torch", ""}, 1_GiB).end.usage.reserved == 60_MiB);
}

TEST_CASE("the timeline holds the highest reserve of each stretch of operations") {
  Recording recording;
  for (int i = 0; i < 100; ++i) {
    const auto block = recording.allocate(2_MiB * (i + 1));
    recording.free(block);
    recording.empty_cache();
  }
  const ReplayRun run = replay(recording.trace, {"driver", ""}, 1_GiB);
  // 300 operations in stretches of 5; the highest of the first is its fourth: 4 MiB.
  REQUIRE(run.timeline.size() == 60);
  CHECK(run.timeline.front().operation == 4);
  CHECK(run.timeline.front().usage.reserved == 4_MiB);
  CHECK(run.timeline.back().usage.reserved == 200_MiB);
  CHECK(run.peak.usage.reserved == 200_MiB);
}

TEST_CASE("a recording without operations is replayed to nothing") {
  const ReplayRun run = replay({}, {"torch", ""}, no_limit);
  CHECK(run.timeline.empty());
  CHECK(run.peak.operation == 0);
  CHECK(run.end.usage.reserved == 0_B);
}

}  // namespace memsim::scenarios
