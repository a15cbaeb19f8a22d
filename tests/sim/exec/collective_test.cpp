#include "sim/exec/executor.hpp"
#include "tests/sim/exec/script.hpp"
#include "tests/support/catch.hpp"

using namespace memsim::sim;
using namespace memsim::test;

namespace {

constexpr RunOptions with_spans{.record_spans = true};

// Two GPUs; each job runs a kernel of its own length, then a collective that moves `bytes` up.
struct Pair {
  Rig rig;
  Script scripts[2];
  Program programs[2];
  std::vector<Job> jobs;

  Pair() {
    rig.placement.communicators = {7};
    jobs.push_back({nullptr, rig.placement});
    Placement other = rig.add_gpu(2);
    other.communicators = {7};
    jobs.push_back({nullptr, other});
  }
  Run run() {
    for (std::size_t j = 0; j < 2; ++j) {
      programs[j] = scripts[j].program();
      jobs[j].program = &programs[j];
    }
    return rig.try_run(jobs, with_spans).value();
  }
};

}  // namespace

TEST_CASE("a collective starts when all members have reached it and ends with the slowest") {
  // System: job 0 computes for 100 ps, job 1 for 300 ps; then both reduce: job 0 moves 10 bytes
  // (100 ps), job 1 20 bytes (200 ps).
  // Expect: both start at 300 and end at 500.
  Pair pair;
  for (std::size_t j = 0; j < 2; ++j) {
    const auto kernel = pair.scripts[j].work("kernel", j == 0 ? 100 : 300);
    const auto reduce = pair.scripts[j].work("reduce", 0, {{link_up, j == 0 ? 10 : 20}});
    pair.scripts[j].thread().launch(0, kernel).collective(0, reduce).launch(0, kernel);
  }
  const Run run = pair.run();
  CHECK(story(run, 1, 0) == "latency 100, rendezvous 200, work 100, rendezvous 100, latency 100");
  CHECK(story(run, 1, 1) == "latency 300, work 200, latency 300");
  CHECK(run.jobs[0].end == at(600));
  CHECK(run.jobs[1].end == at(800));
  CHECK(run.end == at(800));
}

TEST_CASE("the n-th collective of one member meets the n-th of the others") {
  // System: job 0 has both collectives on different streams, reached at once; job 1 reaches its
  // first at 50 and its second 10 ps later (its own part of the first takes 10).
  Pair pair;
  pair.scripts[0].streams = 2;
  const auto first = pair.scripts[0].work("first", 20);
  const auto second = pair.scripts[0].work("second", 5);
  pair.scripts[0].thread().collective(0, first).collective(1, second);
  const auto kernel = pair.scripts[1].work("kernel", 50);
  const auto part = pair.scripts[1].work("part", 10);
  pair.scripts[1].thread().launch(0, kernel).collective(0, part).collective(0, part);
  const Run run = pair.run();
  CHECK(story(run, 1, 0) == "rendezvous 50, latency 20, finished 10");
  CHECK(story(run, 2, 0) == "rendezvous 70, latency 5, rendezvous 5");
  CHECK(story(run, 1, 1) == "latency 50, latency 10, rendezvous 10, latency 10");
}

TEST_CASE("a communicator with one member needs no other") {
  Script script;
  const auto reduce = script.work("reduce", 20);
  script.thread().collective(0, reduce).collective(0, reduce);
  Rig rig;
  rig.placement.communicators = {3};
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 1) == "latency 20, latency 20");
}

TEST_CASE("members that share a link slow each other down, and others do not") {
  // System: both jobs reduce over job 0's link up: 10 bytes each, so 200 ps instead of 100.
  Pair pair;
  pair.jobs[1].placement.routes[link_up] = pair.jobs[0].placement.routes[link_up];
  for (Script& script : pair.scripts) {
    const auto reduce = script.work("reduce", 0, {{link_up, 10}});
    script.thread().collective(0, reduce);
  }
  CHECK(pair.run().end == at(200));
}
