// Leaving out periods changes nothing but the effort.
#include "sim/exec/executor.hpp"
#include "tests/sim/exec/random_jobs.hpp"
#include "tests/sim/exec/script.hpp"
#include "tests/support/catch.hpp"

using namespace memsim::sim;
using namespace memsim::test;

namespace {

constexpr RunOptions skipping{};
constexpr RunOptions walking{.skip_periods = false};
constexpr std::int64_t mib = 1024 * 1024;

// Runs the script both ways on fresh machines; gives the skipping run after comparing.
Run run_both_ways(const Script& script, const DriverCosts& costs = {}) {
  Rig walked_rig;
  walked_rig.placement.driver = costs;
  const Run walked = walked_rig.run(script.program(), walking);
  Rig rig;
  rig.placement.driver = costs;
  Run skipped = rig.run(script.program(), skipping);
  CHECK(skipped.digest == walked.digest);
  CHECK(skipped.end == walked.end);
  CHECK(walked.skipped_periods == 0);
  return skipped;
}

}  // namespace

TEST_CASE("a loop whose iterations are alike is run a few times only") {
  // System: 1,000,000 iterations of a launch (10 ps) and a synchronised kernel (100 ps).
  Script script;
  const auto kernel = script.work("kernel", 100);
  script.thread().loop(1'000'000).launch(0, kernel).synchronize().end_loop();
  Rig rig;
  rig.placement.driver.launch = ps(10);
  const Run run = rig.run(script.program(), skipping);
  CHECK(run.end == at(110'000'000));
  CHECK(run.events < 50);
  CHECK(run.jobs[0].phases[0].queues[1].reason(Reason::latency) == ps(100'000'000));
  CHECK(run.jobs[0].phases[0].queues[0].reason(Reason::launch) == ps(10'000'000));
}

TEST_CASE("a host that runs ahead is held back by the launch queue, and then repeats itself") {
  // System: 100,000 iterations of three kernels of 100 ps, launches of 10 ps, a queue of 64.
  // Expect: the first launch, then the kernels back to back.
  Script script;
  const auto kernel = script.work("kernel", 0, {{hbm, 100}, {compute, 70}});
  script.thread().loop(100'000).launch(0, kernel).launch(0, kernel).launch(0, kernel).end_loop();
  Rig rig;
  rig.placement.driver.launch = ps(10);
  rig.placement.driver.queue_depth = 64;
  const Run run = rig.run(script.program(), skipping);
  CHECK(run.end == at(10 + 300'000 * 100));
  CHECK(run.events < 3'000);
  CHECK(run.jobs[0].phases[0].queues[1].by_route[hbm] == ps(300'000 * 100));
}

TEST_CASE("loops inside loops are left out at both levels") {
  Script script;
  script.slots = 2;
  script.phases = {"outer", "inner"};
  const auto kernel = script.work("kernel", 100);
  script.thread().phase(0).loop(300).phase(0).allocate(0, 5 * mib).launch(0, kernel);
  script.thread().loop(200).phase(1).allocate(1, 3 * mib).launch(0, kernel).release(1).end_loop();
  script.thread().phase(0).release(0).end_loop();
  const Run run = run_both_ways(script);
  CHECK(run.end == at(300 * 201 * 100));
  CHECK(run.jobs[0].phases[1].count == 300 * 200);
  CHECK(run.events < 20'000);  // of some 480,000
}

TEST_CASE("a loop that fills memory does not repeat itself until it is full") {
  // System: each iteration allocates what an earlier one released, of growing cache.
  Script script;
  script.slots = 8;
  const auto kernel = script.work("kernel", 40);
  for (std::uint32_t i = 0; i < 8; ++i) {
    script.thread().allocate(i, (static_cast<std::int64_t>(i) + 1) * 3 * mib);
  }
  script.thread().loop(50);
  for (std::uint32_t i = 0; i < 8; ++i) {
    script.thread().release(i).launch(0, kernel).allocate(i, (8 - i % 3) * 3 * mib);
  }
  script.thread().end_loop();
  DriverCosts costs;
  costs.malloc = ps(7);
  costs.free = ps(3);
  costs.queue_depth = 16;
  const Run run = run_both_ways(script, costs);
  CHECK(run.skipped_periods > 30);
}

TEST_CASE("threads at different speeds repeat with their common period") {
  // System: thread 0 loops every 30 ps, thread 1 every 50; the state recurs every 150.
  Script script;
  const auto thirty = script.work("thirty", 30);
  const auto fifty = script.work("fifty", 50);
  script.thread(0).loop(500).host_work(thirty).end_loop();
  script.thread(1).loop(400).host_work(fifty).end_loop();
  const Run run = run_both_ways(script);
  CHECK(run.end == at(20'000));
  CHECK(run.events < 700);
}

TEST_CASE("how long a thread is still inside a call is part of the state") {
  // System: thread 0 loops every 30 ps, thread 1 launches for 50 ps a piece.
  Script script;
  const auto thirty = script.work("thirty", 30);
  const auto nothing = script.work("nothing", 0);
  script.thread(0).loop(500).host_work(thirty).end_loop();
  script.thread(1).loop(400).launch(0, nothing).end_loop();
  DriverCosts costs;
  costs.launch = ps(50);
  const Run run = run_both_ways(script, costs);
  CHECK(run.end == at(20'000));
  CHECK(run.jobs[0].phases[0].queues[1].reason(Reason::launch) == ps(20'000));
}

TEST_CASE("spans that are open all the time grow with the periods that are left out") {
  // System: thread 1 waits for all 1000 iterations of thread 0, thread 2 ends at once, stream 1
  // waits for an event behind the last kernel of stream 0.
  Script script;
  script.streams = 2;
  script.events = 2;
  script.semaphores = 1;
  const auto kernel = script.work("kernel", 20);
  script.thread(0).loop(1000).launch(0, kernel).record(0, 0).synchronize_event(0).end_loop();
  script.thread(0).post(0);
  script.thread(1).await(0).launch(1, kernel);
  script.thread(2).record(1, 1);
  const Run run = run_both_ways(script);
  CHECK(run.end == at(20'020));
  CHECK(run.skipped_periods > 900);
  CHECK(run.jobs[0].phases[0].queues[1].reason(Reason::semaphore) == ps(20'000));
  CHECK(run.jobs[0].phases[0].queues[2].reason(Reason::finished) == ps(20'020));
  CHECK(run.jobs[0].phases[0].queues[4].reason(Reason::host) == ps(20'000));
}

TEST_CASE("an inner loop that recurs with other iterations left is not a period") {
  // System: thread 0 goes through inner loops of 10 ps a piece, and moves 10 bytes between them;
  // thread 1 moves 10 bytes every `beat` ps. The same state comes back in other places of the inner
  // loop, where it will end earlier or later and meet the other thread at other times.
  for (std::int64_t beat = 15; beat <= 95; beat += 5) {
    for (std::uint32_t inner = 3; inner <= 14; ++inner) {
      Script script;
      const auto ten = script.work("ten", 10);
      const auto between = script.work("between", 0, {{hbm, 10}});
      const auto other = script.work("other", beat - 10, {{hbm, 10}});
      script.thread(0).loop(60).host_work(between).loop(inner).host_work(ten).end_loop();
      script.thread(0).end_loop();
      script.thread(1).loop(200).host_work(other).end_loop();
      run_both_ways(script);
    }
  }
}

TEST_CASE("what transfers in progress still have to move is part of the state") {
  // System: every 170 ps the host starts a kernel at 70 that moves 75 bytes twice at once (150 ps),
  // so that it is in progress at the end of the iteration. A kernel of twice 5 bytes runs from 80
  // on and leaves the first one a quarter instead of half of the HBM for 20 ps, so it takes 160.
  // All else is alike at the ends of the first and the second iteration.
  Script script;
  script.streams = 2;
  const auto kernel = script.work("kernel", 0, {{hbm, 75}, {hbm, 75}});
  const auto other = script.work("other", 80, {{hbm, 5}, {hbm, 5}});
  const auto seventy = script.work("seventy", 70);
  const auto hundred = script.work("hundred", 100);
  script.thread().launch(1, other);
  script.thread().loop(1000).host_work(seventy).launch(0, kernel).host_work(hundred).end_loop();
  const Run run = run_both_ways(script);
  CHECK(run.jobs[0].phases[0].queues[1].reason(Reason::work) == ps(160 + 999 * 150));
  CHECK(run.skipped_periods > 900);
}

namespace {

// Bytes never change, but the driver is called at every `n`-th request, up to the `last` one.
class MoodyAllocator final : public Allocator {
 public:
  MoodyAllocator(std::int64_t n, std::int64_t last) : n_(n), last_(last) {}

  tl::expected<AllocationId, OutOfMemory> allocate(Bytes, StreamId, DriverWork& work) override {
    if (requests_ < last_ && ++requests_ % n_ == 0) ++work.mallocs;
    return AllocationId{0};
  }
  void free(AllocationId, DriverWork&) override {}
  void record_stream(AllocationId, StreamId) override {}
  void empty_cache(DriverWork&) override {}
  [[nodiscard]] Bytes block_size(AllocationId) const override { return Bytes(512); }
  [[nodiscard]] std::uint64_t address(AllocationId) const override { return 0; }
  [[nodiscard]] AllocatorUsage usage() const override { return {}; }
  void add_state(Digest& digest) const override { digest.add(requests_); }
  void check_invariants() const override {}

 private:
  std::int64_t n_;
  std::int64_t last_;
  std::int64_t requests_ = 0;
};

}  // namespace

TEST_CASE("what an allocator will do next is part of the state") {
  // System: 100,000 iterations with one request each; every 7th calls the driver (100 ps) as long
  // as there are fewer than 500. Expect: 71 calls, and few iterations walked.
  Script script;
  script.slots = 1;
  const auto kernel = script.work("kernel", 10);
  script.thread().loop(100'000).allocate(0, 1).host_work(kernel).release(0).end_loop();
  MoodyAllocator allocator(7, 500);
  Rig rig;
  rig.placement.memories = {&allocator};
  rig.placement.driver.malloc = ps(100);
  const Run run = rig.run(script.program(), {.max_events = 50'000});
  CHECK(run.end == at(100'000 * 10 + 71 * 100));
}

TEST_CASE("recorded spans are all there; recorded changes of memory appear once per period") {
  Script script;
  script.slots = 1;
  const auto kernel = script.work("kernel", 20);
  script.thread().loop(100).allocate(0, 1).launch(0, kernel).release(0).synchronize().end_loop();
  Rig all;
  const Run spans = all.run(script.program(), {.record_spans = true});
  CHECK(spans.skipped_periods == 0);
  CHECK(spans_of(spans, 1).size() == 100);
  Rig once;
  const Run memory = once.run(script.program(), {.record_memory = true});
  CHECK(memory.skipped_periods > 90);
  const std::size_t walked = 100 - static_cast<std::size_t>(memory.skipped_periods);
  CHECK(memory.jobs[0].memories[0].size() == 2 * walked);
}

TEST_CASE("random jobs come out the same with and without leaving out periods") {
  int skips = 0;
  int skips_of_several_jobs = 0;
  int overflows = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    RandomJobs jobs(seed, {});
    const std::string walked = jobs.run(walking);
    INFO("seed " << seed);
    CHECK(jobs.run(skipping) == walked);
    REQUIRE(jobs.result());
    if (jobs.result()->skipped_periods > 0) ++(jobs.jobs() > 1 ? skips_of_several_jobs : skips);
    if (jobs.result()->out_of_memory) ++overflows;
  }
  // The comparison means something only if these things happened often.
  CHECK(skips > 50);
  CHECK(skips_of_several_jobs > 20);
  CHECK(overflows > 50);
}

TEST_CASE("two runs of the same jobs are the same in every field, spans included") {
  for (std::uint64_t seed = 1000; seed < 1040; ++seed) {
    RandomJobs jobs(seed, {});
    const RunOptions options{.record_spans = true, .record_memory = true};
    CHECK(jobs.run(options) == jobs.run(options));
  }
}
