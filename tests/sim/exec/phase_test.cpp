// Which phase time counts for, and that all of it counts for one.
#include "sim/exec/executor.hpp"
#include "tests/sim/exec/random_jobs.hpp"
#include "tests/sim/exec/script.hpp"
#include "tests/support/catch.hpp"

using namespace memsim::sim;
using namespace memsim::test;

namespace {

Duration reason(const Run& run, std::size_t phase, std::size_t queue, Reason why) {
  return run.jobs[0].phases[phase].queues[queue].reason(why);
}

}  // namespace

TEST_CASE("a phase lasts as long as the compute stream works for it, not as its launches take") {
  // System: forward launches a kernel of 1000 ps in 10, backward one of 2000 ps in 10; then the
  // host waits.
  Script script;
  script.phases = {"forward", "backward"};
  const auto forward = script.work("forward", 1000);
  const auto backward = script.work("backward", 2000);
  script.thread().phase(0).launch(0, forward).phase(1).launch(0, backward).synchronize();
  Rig rig;
  rig.placement.driver.launch = ps(10);
  const Run run = rig.run(script.program());
  REQUIRE(run.jobs[0].phases.size() == 2);
  CHECK(run.jobs[0].phases[0].time == ps(1010));
  CHECK(run.jobs[0].phases[1].time == ps(2000));
  CHECK(run.jobs[0].phases[0].queues[0].total() == ps(10));
  CHECK(reason(run, 1, 0, Reason::device) == ps(2990));
}

TEST_CASE("while the compute stream is empty, time counts for what the host is doing") {
  // System: the host loads for 500 ps, prepares for 200 and launches 10 ps of work, saves for 300.
  Script script;
  script.phases = {"load", "step", "save"};
  const auto load = script.work("load", 500);
  const auto prepare = script.work("prepare", 200);
  const auto kernel = script.work("kernel", 10);
  const auto save = script.work("save", 300);
  script.thread().phase(0).host_work(load).phase(1).host_work(prepare).launch(0, kernel);
  script.thread().phase(2).host_work(save);
  Rig rig;
  const Run run = rig.run(script.program());
  CHECK(run.jobs[0].phases[0].time == ps(500));
  CHECK(run.jobs[0].phases[1].time == ps(210));
  CHECK(run.jobs[0].phases[2].time == ps(290));
  CHECK(reason(run, 1, 1, Reason::host) == ps(200));
  CHECK(run.end == at(1000));
}

TEST_CASE("a phase that is entered again adds to its first record") {
  Script script;
  script.phases = {"a", "b"};
  const auto kernel = script.work("kernel", 10);
  script.thread().phase(1).launch(0, kernel);
  script.thread().loop(2).phase(0).launch(0, kernel).phase(1).launch(0, kernel).end_loop();
  script.thread().phase(0).launch(0, kernel);
  Rig rig;
  const Run run = rig.run(script.program());
  REQUIRE(run.jobs[0].phases.size() == 2);
  CHECK(run.jobs[0].phases[0].phase == 1);
  CHECK(run.jobs[0].phases[0].count == 3);
  CHECK(run.jobs[0].phases[0].time == ps(30));
  CHECK(run.jobs[0].phases[1].phase == 0);
  CHECK(run.jobs[0].phases[1].count == 3);
}

TEST_CASE("a program without phases is in one") {
  Script script;
  const auto kernel = script.work("kernel", 10);
  script.thread().launch(0, kernel);
  Rig rig;
  const Run run = rig.run(script.program());
  REQUIRE(run.jobs[0].phases.size() == 1);
  CHECK(run.jobs[0].phases[0].count == 0);
  CHECK(run.jobs[0].phases[0].time == ps(10));
}

TEST_CASE("phases of other threads count their own time but not the job's") {
  // System: thread 1 spends 70 ps in a phase of its own while thread 0 works for 100.
  Script script;
  script.phases = {"main", "loader"};
  const auto work = script.work("work", 100);
  const auto load = script.work("load", 70);
  script.thread(0).phase(0).host_work(work);
  script.thread(1).phase(1).host_work(load);
  Rig rig;
  const Run run = rig.run(script.program());
  REQUIRE(run.jobs[0].phases.size() == 2);
  CHECK(run.jobs[0].phases[0].time == ps(100));
  CHECK(run.jobs[0].phases[1].count == 0);
  CHECK(run.jobs[0].phases[1].time == ps(0));
  CHECK(reason(run, 1, 1, Reason::latency) == ps(70));
  CHECK(reason(run, 1, 1, Reason::finished) == ps(30));
  CHECK(run.jobs[0].phases[1].memories[0].phase == 1);
}

TEST_CASE("time of a phase is told by the route that bound its works") {
  Script script;
  const auto bound_by_hbm = script.work("a", 5, {{hbm, 100}, {compute, 30}});
  const auto bound_by_compute = script.work("b", 5, {{hbm, 10}, {compute, 40}});
  script.thread().launch(0, bound_by_hbm).launch(0, bound_by_compute);
  Rig rig;
  const Run run = rig.run(script.program());
  const QueueTime& stream = run.jobs[0].phases[0].queues[1];
  CHECK(stream.by_route[hbm] == ps(100));
  CHECK(stream.by_route[compute] == ps(40));
  CHECK(stream.reason(Reason::work) == ps(140));
  CHECK(stream.reason(Reason::latency) == ps(10));
}

TEST_CASE("every queue of every job is tiled, and the times of its phases add up to its end") {
  for (std::uint64_t seed = 2000; seed < 2100; ++seed) {
    RandomJobs jobs(seed, {});
    static_cast<void>(jobs.run({.record_spans = true}));
    REQUIRE(jobs.result());
    const Run& run = *jobs.result();
    INFO("seed " << seed);
    Duration from_spans;
    Duration from_sums;
    Duration alive;
    for (std::uint32_t j = 0; j < run.jobs.size(); ++j) {
      const JobRun& job = run.jobs[j];
      const std::size_t queues = job.phases.front().queues.size();
      const std::size_t streams = jobs.program(j).streams;
      Duration phases;
      for (const PhaseRun& phase : job.phases) {
        phases += phase.time;
        CHECK(phase.time == phase.queues[queues - streams].total());
        for (const QueueTime& queue : phase.queues) {
          from_sums += queue.total();
          Duration routes;
          for (const Duration time : queue.by_route) routes += time;
          CHECK(routes == queue.reason(Reason::work));
        }
      }
      CHECK(phases == job.end - at(0));
      for (std::uint32_t queue = 0; queue < queues; ++queue) {
        Time end = at(0);
        for (const Span& span : spans_of(run, queue, j)) {
          CHECK(span.begin == end);
          CHECK(span.end > span.begin);
          end = span.end;
          from_spans += span.end - span.begin;
        }
        CHECK(end == job.end);
        alive += job.end - at(0);
      }
    }
    CHECK(from_spans == alive);
    CHECK(from_sums == alive);
  }
}

TEST_CASE("reasons have names") {
  CHECK(name(Reason::work) == "work");
  CHECK(name(Reason::finished) == "finished");
}
