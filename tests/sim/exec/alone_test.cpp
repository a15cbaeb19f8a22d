// A work that runs alone is timed without the network. That must not be seen in any result.
#include "sim/core/random.hpp"
#include "sim/exec/executor.hpp"
#include "tests/sim/exec/script.hpp"
#include "tests/support/catch.hpp"

using namespace memsim::sim;
using namespace memsim::test;

namespace {

constexpr RunOptions with_spans{.record_spans = true};

// Random kernels and copies on three streams, with pauses that let the machine run empty.
Script random_script(std::uint64_t seed) {
  Random random(seed);
  const auto amount = [&] { return static_cast<std::int64_t>(random.bounded(300)); };
  Script script;
  script.streams = 3;
  script.events = 1;
  for (int i = 0; i < 40; ++i) {
    std::vector<Demand> demands;
    // Routes up and down cross the HBM as well, so some works share with themselves.
    for (std::uint32_t route = compute; route <= link_down; ++route) {
      if (random.bounded(3) == 0) demands.push_back({route, amount()});
    }
    const auto work = script.work("w", amount() / 4, demands);
    const auto stream = static_cast<std::uint32_t>(random.bounded(3));
    switch (random.bounded(6)) {
      case 0:
        script.thread().host_work(work);
        break;
      case 1:
        script.thread().synchronize();
        break;
      case 2:
        script.thread().record(stream, 0).wait((stream + 1) % 3, 0);
        break;
      default:
        script.thread().launch(stream, work);
        break;
    }
  }
  return script;
}

void make_odd(Rig& rig) {
  rig.placement.driver.launch = ps(23);
  rig.placement.routes[hbm].latency = ps(5);
  rig.placement.routes[link_up].cap = Bandwidth(77'777'777'777);
  rig.placement.routes[link_down].hops[1].weight = 3;
}

}  // namespace

TEST_CASE("works that run alone end as they would in the network") {
  // System: random works, once as they are, once beside a second job whose host keeps a flow of its
  // own resource in the network all the time, so that nothing ever runs alone.
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Program program = random_script(seed).program();
    Rig alone;
    make_odd(alone);
    const Run fast = alone.run(program, with_spans);

    Rig beside;
    make_odd(beside);
    const ResourceId own = beside.network.add_resource(Bandwidth(1'000'000'000'000));
    Script neighbour;
    const auto forever = neighbour.work("forever", 0, {{0, 10'000'000}});
    neighbour.thread().host_work(forever);
    const Program other = neighbour.program();
    Placement elsewhere;
    elsewhere.routes = {{.name = "own", .hops = {{own}}, .latency = {}}};
    // The neighbour comes first, so that its flow is there from the start.
    const Run slow =
        beside.try_run({{&other, elsewhere}, {&program, beside.placement}}, with_spans).value();
    INFO("seed " << seed);
    REQUIRE(slow.jobs[1].end == fast.jobs[0].end);
    for (std::uint32_t queue = 0; queue < 4; ++queue) {
      std::vector<Span> expected = spans_of(slow, queue, 1);
      for (Span& span : expected) span.job = 0;
      CHECK(spans_of(fast, queue, 0) == expected);
    }
  }
}

TEST_CASE("a work alone with its own demands on one resource shares it among them") {
  // System: two demands of 100 bytes on the HBM, one of them over the link: the link gives 0.1
  // byte/ps, the HBM leaves 0.9 to the other: met at 112 (111.1 rounded up), the link's at 1000.
  Script script;
  const auto work = script.work("w", 0, {{hbm, 100}, {link_up, 100}});
  script.thread().launch(0, work).launch(0, work);
  Rig rig;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 1) == "work 1000, work 1000");
  CHECK(spans_of(run, 1).front().route == link_up);
}

TEST_CASE("a work of no length ends at once, alone or not") {
  Script script;
  script.streams = 2;
  const auto nothing = script.work("nothing", 0, {{hbm, 0}, {compute, 0}});
  const auto some = script.work("some", 0, {{hbm, 10}});
  script.thread().launch(0, nothing).launch(1, nothing).launch(0, some).launch(1, nothing);
  Rig rig;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(run.end == at(10));
  CHECK(story(run, 1) == "work 10");
  CHECK(story(run, 2) == "finished 10");
}
