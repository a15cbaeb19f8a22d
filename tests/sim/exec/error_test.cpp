// Runs that cannot go on, and jobs that cannot be run.
#include "sim/exec/executor.hpp"
#include "tests/sim/exec/script.hpp"
#include "tests/support/catch.hpp"

using namespace memsim::sim;
using namespace memsim::test;

namespace {

std::string error_of(Rig& rig, const Script& script, const RunOptions& options = {}) {
  const Program program = script.program();
  const Result<Run> run = rig.try_run({{&program, rig.placement}}, options);
  return run ? "" : run.error().message;
}

}  // namespace

TEST_CASE("a deadlock names every queue that waits, and for what") {
  // System: thread 0 waits for a semaphore that is posted too little, thread 1 for stream 1, which
  // waits for an event behind a collective whose other member never comes.
  Script script;
  script.streams = 2;
  script.events = 1;
  script.semaphores = 1;
  const auto pause = script.work("pause", 10);
  const auto reduce = script.work("reduce", 10);
  script.thread(0).post(0, 1).await(0, 3);
  script.thread(1).host_work(pause).collective(0, reduce).record(0, 0).wait(1, 0);
  script.thread(1).synchronize_stream(1);
  Rig rig;
  rig.placement.communicators = {5};
  Script other;
  other.thread();
  Placement placement = rig.add_gpu(2);
  placement.communicators = {5};
  const Program first = script.program();
  const Program second = other.program();
  const Result<Run> run = rig.try_run({{&first, rig.placement}, {&second, placement}}, {});
  REQUIRE_FALSE(run);
  CHECK(run.error().message ==
        "deadlock at 10 ps: nothing can go on"
        "; job 0, thread 0 waits for semaphore 0, which has 1 of the 3 it needs"
        "; job 0, thread 1 waits for stream 1"
        "; job 0, stream 0 waits at a collective of communicator 5 for job 1"
        "; job 0, stream 1 waits for an event of stream 0");
}

TEST_CASE("a work that gets no bandwidth is a deadlock, and so is who waits for its engine") {
  // System: a resource of 1 byte per second and a flow that needs 2 per byte: its rate is 0.
  Script script;
  script.streams = 2;
  const auto copy = script.work("copy", 0, {{0, 10}}, 0);
  script.thread().launch(0, copy).launch(1, copy);
  Rig rig;
  const ResourceId thin = rig.network.add_resource(Bandwidth(1));
  rig.placement.routes = {{.name = "thin", .hops = {{thin, 2}}, .latency = {}}};
  CHECK(error_of(rig, script) ==
        "deadlock at 0 ps: nothing can go on"
        "; job 0, stream 0 runs work 0, which never ends: no bandwidth on thin"
        "; job 0, stream 1 waits for copy engine 0");
}

TEST_CASE("a run is stopped after max_events") {
  Script script;
  const auto kernel = script.work("kernel", 10);
  script.thread().loop(1000).launch(0, kernel).end_loop();
  Rig rig;
  // The loop, then a call, a launch and an end of iteration each time: no time has passed.
  CHECK(error_of(rig, script, {.skip_periods = false, .max_events = 31}) ==
        "the run was stopped after 31 events (max_events) at 0 ps");
  // Launches of 100 ps: the kernel launched until 100 ends at 110, the next one at 210. Ten events
  // are the loop, three times call and launch, two ends of iterations and the end of a kernel.
  Rig again;
  again.placement.driver.launch = ps(100);
  CHECK(error_of(again, script, {.skip_periods = false, .max_events = 10}) ==
        "the run was stopped after 10 events (max_events) at 210 ps");
}

TEST_CASE("a slot that threads use in the wrong order stops the run") {
  Script script;
  script.slots = 1;
  const auto pause = script.work("tensor", 10);
  script.thread(0).host_work(pause).allocate(0, 1);
  script.thread(1).release(0);
  Rig rig;
  CHECK(error_of(rig, script) ==
        "job 0, thread 1, instruction 0: uses a slot that is not live (tensor)");
  Script twice;
  twice.slots = 1;
  twice.work("tensor", 10);
  twice.thread(0).allocate(0, 1);
  twice.thread(1).allocate(0, 1);
  Rig another;
  CHECK(error_of(another, twice) ==
        "job 0, thread 1, instruction 0: allocates a slot that is live (tensor)");
}

TEST_CASE("a job needs a program, and a placement that has what the program names") {
  Rig rig;
  CHECK(rig.try_run({Job{}}, {}).error().message == "job 0 has no program");
  Script script;
  script.slots = 1;
  script.phases = {"p"};
  const auto copy = script.work("copy", 0, {{link_up, 1}}, 1);
  script.thread().allocate(0, 1).collective(0, script.work("reduce", 1)).launch(0, copy);
  CHECK(error_of(rig, script) ==
        "job 0: block 0, operation 1 names a communicator that the placement does not have");
  rig.placement.communicators = {1, 2, 1};
  CHECK(error_of(rig, script) == "job 0 is a member of one communicator twice");
  rig.placement.communicators = {1};
  Rig broken;
  broken.placement.communicators = {1};
  broken.placement.engines.pop_back();
  CHECK(error_of(broken, script) ==
        "job 0: work 0 needs a copy engine that the placement does not have");
  broken.placement.engines = {0, 1};
  broken.placement.routes.resize(2);
  CHECK(error_of(broken, script) ==
        "job 0: work 0 demands a route that the placement does not have");
  broken.placement.routes = rig.placement.routes;
  broken.placement.memories.clear();
  CHECK(error_of(broken, script) ==
        "job 0: block 0, operation 0 names a memory that the placement does not have");
  broken.placement.memories = {nullptr};
  CHECK(error_of(broken, script) == "job 0 has a memory without an allocator");
  broken.placement.memories = rig.placement.memories;
  broken.placement.driver.queue_depth = 0;
  CHECK(error_of(broken, script) == "job 0 has a launch queue of depth 0");
  broken.placement.driver.queue_depth = 1;
  broken.placement.driver.free = ps(-1);
  CHECK(error_of(broken, script) == "job 0 has driver calls that cost less than nothing");
  broken.placement.driver.free = ps(0);
  broken.placement.routes[1].latency = ps(-1);
  CHECK(error_of(broken, script) == "job 0 has a route with a negative latency (HBM)");
  broken.placement.routes[1] = {.name = "free", .hops = {}, .latency = {}};
  CHECK(error_of(broken, script) == "job 0 has a route without limits (free)");
  broken.placement.routes[1].cap = Bandwidth(0);
  CHECK(error_of(broken, script) == "job 0 has a route with a cap of 0 (free)");
}

TEST_CASE("a stream clock belongs to one job") {
  Script script;
  script.thread();
  const Program program = script.program();
  Rig rig;
  const Job job{&program, rig.placement};
  CHECK(rig.try_run({job, job}, {}).error().message == "job 1 has the stream clock of another job");
}

TEST_CASE("a program that contradicts itself is not run") {
  Script script;
  script.thread().end_loop();
  Rig rig;
  CHECK(error_of(rig, script) == "job 0: thread 0, instruction 0 ends a loop that was not begun");
}

TEST_CASE("no jobs take no time") {
  Rig rig;
  const Run run = rig.try_run({}, {}).value();
  CHECK(run.end == at(0));
  CHECK(run.jobs.empty());
}
