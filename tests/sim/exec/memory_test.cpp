// Memory inside a run: who owns it, when it is given back, what it costs, when it runs out.
#include "sim/exec/executor.hpp"
#include "tests/sim/exec/script.hpp"
#include "tests/support/catch.hpp"

using namespace memsim::sim;
using namespace memsim::test;

namespace {

constexpr RunOptions with_spans{.record_spans = true};
constexpr std::int64_t mib = 1024 * 1024;

DriverCosts costs() {
  DriverCosts costs;
  costs.malloc = ps(100);
  costs.free = ps(10);
  return costs;
}

}  // namespace

TEST_CASE("the ledger follows allocations, changes of owner and releases by phase") {
  // System: the driver's allocator rounds to 2 MiB. Phase "grow" allocates 2 and 4 MiB, phase
  // "shrink" makes the first one gradients and releases the second.
  Script script;
  script.slots = 2;
  script.phases = {"grow", "shrink"};
  script.thread().phase(0).allocate(0, 2 * mib).allocate(1, 3 * mib, 0, Category::activations);
  script.thread().phase(1).relabel(0, Category::gradients).release(1);
  Rig rig("driver");
  const Run run = rig.run(script.program());
  REQUIRE(run.jobs[0].phases.size() == 2);
  const PhaseMemory& grow = run.jobs[0].phases[0].memories[0];
  CHECK(grow.begin.live == Bytes(0));
  CHECK(grow.end.live == 6_MiB);
  CHECK(grow.peak_live.live == 6_MiB);
  CHECK(grow.end.by_category[static_cast<std::size_t>(Category::activations)] == 4_MiB);
  const PhaseMemory& shrink = run.jobs[0].phases[1].memories[0];
  CHECK(shrink.end.live == 2_MiB);
  CHECK(shrink.end.reserved == 2_MiB);
  CHECK(shrink.end.by_category[static_cast<std::size_t>(Category::gradients)] == 2_MiB);
  CHECK(run.jobs[0].memories[0].empty());
  REQUIRE(rig.allocator->usage().allocated == 2_MiB);
}

TEST_CASE("every change of a memory is kept when asked for") {
  Script script;
  script.slots = 1;
  script.work("w", 0);
  script.thread().allocate(0, 1, 0, Category::buffers).release(0);
  Rig rig("driver");
  const Run run = rig.run(script.program(), {.record_memory = true});
  const std::vector<LedgerEntry>& entries = run.jobs[0].memories[0];
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].category == Category::buffers);
  CHECK(entries[0].live_delta == 2_MiB);
  CHECK(entries[1].live_delta == Bytes(-2 * mib));
  CHECK(entries[1].reserved == Bytes(0));
}

TEST_CASE("driver calls cost the host, and a free waits for the device") {
  // System: cudaMalloc 100 ps, cudaFree 10 ps. A kernel of 500 ps is on the stream.
  // Expect: malloc until 100; the free waits for the kernel's end at 600, then takes 10.
  Script script;
  script.slots = 1;
  const auto kernel = script.work("kernel", 500);
  script.thread().allocate(0, 1).launch(0, kernel).release(0);
  Rig rig("driver");
  rig.placement.driver = costs();
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 0) == "driver 100, device 500, driver 10");
  CHECK(story(run, 1) == "host 100, latency 500, host 10");
}

TEST_CASE("a request of no bytes is nobody's and costs nothing") {
  Script script;
  script.slots = 1;
  script.streams = 2;
  script.thread().allocate(0, 0).use_on_stream(0, 1).relabel(0, Category::buffers).release(0);
  Rig rig("driver");
  rig.placement.driver = costs();
  CHECK(rig.run(script.program()).end == at(0));
}

TEST_CASE("cached memory is reused without the driver") {
  // System: the caching allocator takes 20 MiB for a request of 5 MiB, once.
  Script script;
  script.slots = 1;
  script.thread().loop(3).allocate(0, 5 * mib).release(0).end_loop();
  Rig rig;
  rig.placement.driver = costs();
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 0) == "driver 100");
  CHECK(rig.allocator->usage().reserved == 20_MiB);
}

TEST_CASE("a cache that is emptied waits for the device and pays for each segment") {
  // System: requests of 12 MiB have segments of their own; a kernel of 1000 ps.
  // Expect: mallocs until 200, wait until 1200, two frees.
  Script script;
  script.slots = 2;
  const auto kernel = script.work("kernel", 1000);
  script.thread().allocate(0, 12 * mib).allocate(1, 12 * mib).launch(0, kernel);
  script.thread().release(0).release(1).empty_cache();
  Rig rig;
  rig.placement.driver = costs();
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 0) == "driver 100, driver 100, device 1000, driver 20");
  CHECK(run.jobs[0].phases[0].memories[0].end.reserved == Bytes(0));
}

TEST_CASE("memory used on another stream comes back when that stream has passed its use") {
  // System: slot 0 (20 MiB) is used by a kernel of 300 ps on stream 1 and released at once; the
  // host asks again after 100 ps (too early: a second segment, malloc 100 ps) and after 200 more
  // (at 500, the kernel is long over: the cache has it).
  Script script;
  script.slots = 3;
  script.streams = 2;
  const auto kernel = script.work("kernel", 300);
  const auto pause = script.work("pause", 100);
  script.thread().allocate(0, 20 * mib).launch(1, kernel).use_on_stream(0, 1).release(0);
  script.thread().host_work(pause).allocate(1, 20 * mib);
  script.thread().host_work(pause).host_work(pause).allocate(2, 20 * mib);
  Rig rig;
  rig.placement.driver = costs();
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 0) == "driver 100, latency 100, driver 100, latency 100, latency 100");
  CHECK(rig.allocator->usage().reserved == 40_MiB);
}

TEST_CASE("a request that fits only after a flush waits for the device, pays and succeeds") {
  // System: 64 MiB of memory. 40 MiB are allocated and released: cached. A kernel of 1000 ps runs.
  // A request of 30 MiB needs a segment of its own: one failed malloc, a flush (wait for the
  // kernel, one free), a malloc. Expect: 100 for the first malloc; wait until 1100; then
  // 100 + 10 + 100.
  Script script;
  script.slots = 2;
  const auto kernel = script.work("kernel", 1000);
  script.thread().allocate(0, 40 * mib).launch(0, kernel).release(0).allocate(1, 50 * mib);
  Rig rig("torch", 64_MiB);
  rig.placement.driver = costs();
  const Run run = rig.run(script.program(), with_spans);
  CHECK_FALSE(run.out_of_memory);
  CHECK(story(run, 0) == "driver 100, device 1000, driver 210");
  CHECK(run.end == at(1310));
}

TEST_CASE("out of memory ends the run when the allocator has given up, and says where") {
  // System: 64 MiB, of which 40 are live and 10 cached; a kernel of 1000 ps. The request of 50 MiB
  // fails after a flush: two failed mallocs and one free, after the kernel.
  Script script;
  script.slots = 3;
  script.phases = {"fill", "overflow"};
  const auto kernel = script.work("kernel", 1000);
  script.thread().phase(0).allocate(0, 40 * mib).allocate(1, 10 * mib).launch(0, kernel);
  script.thread().phase(1).release(1).allocate(2, 50 * mib).release(2).launch(0, kernel);
  Rig rig("torch", 64_MiB);
  rig.placement.driver = costs();
  const Run run = rig.run(script.program(), with_spans);
  REQUIRE(run.out_of_memory);
  const MemoryOutcome& outcome = *run.out_of_memory;
  CHECK(outcome.job == 0);
  CHECK(outcome.thread == 0);
  CHECK(outcome.memory == 0);
  CHECK(outcome.phase == 1);
  CHECK(outcome.cause.requested == 50_MiB);
  CHECK(outcome.cause.free == 24_MiB);
  CHECK(outcome.cause.allocated == 40_MiB);
  CHECK_FALSE(outcome.cause.fragmented());
  CHECK(story(run, 0) == "driver 100, driver 100, device 1000, driver 210");
  CHECK(outcome.time == at(1410));
  CHECK(run.end == at(1410));
  CHECK(run.jobs[0].phases[1].memories[0].end.reserved == 40_MiB);
}

TEST_CASE("what is in progress when memory runs out is cut off there") {
  // System: stream 0 runs 1000 bytes of HBM beside 500 of compute, stream 1 waits for an event
  // behind it, stream 2 waits for engine 0, which stream 3 holds; thread 1 waits for a semaphore,
  // thread 2 works for 5000 ps. Thread 0 overflows at 700 (one failed malloc).
  // Expect: every queue is tiled up to 700; stream 0 is bound by the demand that is not met yet.
  Script script;
  script.slots = 1;
  script.streams = 5;
  script.events = 1;
  script.semaphores = 1;
  const auto kernel = script.work("kernel", 100, {{compute, 500}, {hbm, 1000}});
  const auto copy = script.work("copy", 1000, {}, 0);
  const auto pause = script.work("pause", 600);
  const auto sleep = script.work("sleep", 5000);
  script.thread(0).launch(0, kernel).record(0, 0).wait(1, 0).launch(3, copy).launch(2, copy);
  script.thread(0).host_work(pause).allocate(0, 2 * mib).release(0);
  script.thread(1).await(0);
  script.thread(2).host_work(sleep);
  Rig rig("driver", 1_MiB);
  rig.placement.driver = costs();
  const Run run = rig.run(script.program(), with_spans);
  REQUIRE(run.out_of_memory);
  CHECK(run.end == at(700));
  CHECK(story(run, 0) == "latency 600, driver 100");
  CHECK(story(run, 1) == "semaphore 700");
  CHECK(story(run, 2) == "latency 700");
  CHECK(story(run, 3) == "latency 100, work 600");
  CHECK(spans_of(run, 3).back().route == hbm);
  CHECK(story(run, 4) == "event 700");
  CHECK(story(run, 5) == "engine 700");
  CHECK(story(run, 6) == "latency 700");
  CHECK(story(run, 7) == "host 700");
}

TEST_CASE("a collective that waits for a member which runs out of memory is cut off, too") {
  Script patient;
  const auto reduce = patient.work("reduce", 10);
  patient.thread().collective(0, reduce);
  Script full;
  full.slots = 1;
  const auto pause = full.work("pause", 300);
  full.thread().host_work(pause).allocate(0, 2 * mib).collective(0, pause);
  Rig rig("driver", 1_MiB);
  rig.placement.communicators = {4};
  Placement other = rig.add_gpu(2);
  other.communicators = {4};
  const Program first = patient.program();
  const Program second = full.program();
  const Run run = rig.try_run({{&first, other}, {&second, rig.placement}}, with_spans).value();
  REQUIRE(run.out_of_memory);
  CHECK(story(run, 1, 0) == "rendezvous 300");
  CHECK(run.jobs[0].end == at(300));
}

TEST_CASE("a demand that is met at the very instant of the cut is met") {
  // System: a kernel alone: 500 of compute, 1000 of HBM. The overflow comes at 500.
  Script script;
  script.slots = 1;
  const auto kernel = script.work("kernel", 0, {{compute, 500}, {hbm, 1000}});
  const auto pause = script.work("pause", 400);
  script.thread().launch(0, kernel).host_work(pause).allocate(0, 2 * mib);
  Rig rig("driver", 1_MiB);
  rig.placement.driver = costs();
  const Run run = rig.run(script.program(), with_spans);
  REQUIRE(run.out_of_memory);
  CHECK(story(run, 1) == "work 500");
  CHECK(spans_of(run, 1).back().route == hbm);
}

TEST_CASE("a driver pool with a threshold gives memory back when the host has waited, at a cost") {
  // System: cudaMalloc 100 ps, cudaFree 10 ps. The block is freed in stream order behind a kernel
  // of 500 ps. Expect: the kernel from 100 to 600; whatever the host waits with, it waits until
  // 600, and the pool of 32 MiB then goes back in 10.
  for (int wait = 0; wait < 3; ++wait) {
    for (const bool gives_back : {false, true}) {
      Script script;
      script.slots = 1;
      script.events = 1;
      const auto kernel = script.work("kernel", 500);
      ThreadScript& thread = script.thread();
      thread.allocate(0, mib).launch(0, kernel).release(0).record(0, 0);
      if (wait == 0) thread.synchronize();
      if (wait == 1) thread.synchronize_stream(0);
      if (wait == 2) thread.synchronize_event(0);
      Rig rig("async", 1_GiB, gives_back ? "release_threshold_mb:0" : "");
      rig.placement.driver = costs();
      const Run run = rig.run(script.program(), with_spans);
      CHECK(run.end == at(gives_back ? 610 : 600));
      CHECK(story(run, 0) ==
            (gives_back ? "driver 100, device 500, driver 10" : "driver 100, device 500"));
      CHECK(rig.allocator->usage().reserved == (gives_back ? Bytes(0) : 32_MiB));
      CHECK(run.jobs[0].phases[0].memories[0].end.reserved == rig.allocator->usage().reserved);
    }
  }
}

TEST_CASE("slots of a block's own live where it was called") {
  // System: two threads run the same block at the same time; each has its own temporary of 2 MiB
  // for 100 ps. Expect: 4 MiB at once, nothing at the end.
  Script script;
  const auto pause = script.work("pause", 100);
  script.thread(0);
  script.thread(1);
  Program program = script.program();
  Block& block = program.blocks.emplace_back();
  block.slots = 1;
  block.ops = {{.code = OpCode::allocate, .amount = 2 * mib},
               {.code = OpCode::host_work, .target = pause},
               {.code = OpCode::release}};
  for (Thread& thread : program.threads) thread.instructions = {{Step::call}, {Step::call}};
  Rig rig("driver");
  const Run run = rig.run(program);
  CHECK(run.end == at(200));
  const PhaseMemory& memory = run.jobs[0].phases[0].memories[0];
  CHECK(memory.peak_live.live == 4_MiB);
  CHECK(memory.end.live == Bytes(0));
}

TEST_CASE("a job that ended before another one ran out of memory keeps its end") {
  Script small;
  const auto kernel = small.work("kernel", 50);
  small.thread().launch(0, kernel);
  Script big;
  big.slots = 1;
  const auto pause = big.work("pause", 600);
  big.thread().host_work(pause).allocate(0, 2 * mib);
  Rig rig("driver", 1_MiB);
  const Program first = small.program();
  const Program second = big.program();
  Placement other = rig.add_gpu(2);
  const Run run = rig.try_run({{&first, other}, {&second, rig.placement}}, with_spans).value();
  REQUIRE(run.out_of_memory);
  CHECK(run.out_of_memory->job == 1);
  CHECK(run.jobs[0].end == at(50));
  CHECK(run.jobs[1].end == at(600));
}

TEST_CASE("a flush that only waits for events waits for those") {
  // System: stream 1 has used the block for 300 ps, stream 0 runs 1000 ps. 20 MiB of 30 are taken
  // by the block; nothing else is cached, so the flush frees no segment before the event, and the
  // block's segment after it: the device is drained.
  Script script;
  script.slots = 2;
  script.streams = 2;
  const auto use = script.work("use", 300);
  const auto other = script.work("other", 1000);
  script.thread().allocate(0, 20 * mib).launch(0, other).launch(1, use).use_on_stream(0, 1);
  script.thread().release(0).allocate(1, 30 * mib);
  Rig rig("torch", 30_MiB);
  rig.placement.driver = costs();
  const Run run = rig.run(script.program(), with_spans);
  CHECK_FALSE(run.out_of_memory);
  CHECK(story(run, 0) == "driver 100, device 1000, driver 210");
}
