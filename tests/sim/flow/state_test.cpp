// The contract of the network around its rates: digests of the state, shifts, ids, misuse.
#include <rapidcheck/catch.h>

#include <vector>

#include "sim/flow/flow_network.hpp"
#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

using Completions = std::vector<FlowNetwork::Completion>;

std::uint64_t digest_of(const FlowNetwork& network, Time now) {
  Digest digest;
  network.add_state(digest, now);
  return digest.value();
}

// Settles, goes to the next event and collects there.
Time step(FlowNetwork& network, Time now, Completions& completed) {
  network.settle(now);
  const Time next = network.next_event();
  completed.clear();
  network.collect(next, completed);
  return next;
}

TEST_CASE("the same flows in the same state have the same digest, whatever happened before") {
  const auto build = [](FlowNetwork& network, Time begin, bool with_history) {
    const ResourceId a = network.add_resource(1000_Bps);
    const ResourceId b = network.add_resource(700_Bps);
    const std::vector<Hop> both{{a, 2}, {b, 1}};
    const std::vector<Hop> one{{b, 1}};
    if (with_history) {
      Completions completed;
      network.start(Time(0), {one, 70, {}, Bandwidth::max(), 9});
      network.start(Time(0), {both, 35, {}, Bandwidth::max(), 8});
      const Time middle = step(network, Time(0), completed);
      network.settle(step(network, middle, completed));
    }
    network.start(begin, {both, 100, {}, Bandwidth::max(), 1});
    network.start(begin, {one, 100, 3_s, Bandwidth::max(), 2});
    network.settle(begin);
  };
  FlowNetwork fresh;
  FlowNetwork used;
  build(fresh, Time(0), false);
  build(used, Time(0) + 50_s, true);
  CHECK(digest_of(fresh, Time(0) + 100_ms) == digest_of(used, Time(0) + 50_s + 100_ms));
  CHECK(digest_of(fresh, Time(0) + 100_ms) != digest_of(used, Time(0) + 50_s + 101_ms));
}

TEST_CASE("tag, route, cap, amount and waiting time all count in the digest") {
  const auto digest = [](std::uint64_t tag, std::int64_t weight, Bandwidth cap, std::int64_t amount,
                         Duration latency) {
    FlowNetwork network;
    const std::vector<Hop> hops{{network.add_resource(1000_Bps), weight}};
    network.start(Time(0), {hops, amount, latency, cap, tag});
    network.settle(Time(0));
    return digest_of(network, Time(0));
  };
  const std::uint64_t plain = digest(1, 1, 50_Bps, 10, 0_ps);
  CHECK(digest(1, 1, 50_Bps, 10, 0_ps) == plain);
  CHECK(digest(2, 1, 50_Bps, 10, 0_ps) != plain);
  CHECK(digest(1, 2, 50_Bps, 10, 0_ps) != plain);
  CHECK(digest(1, 1, 51_Bps, 10, 0_ps) != plain);
  CHECK(digest(1, 1, 50_Bps, 11, 0_ps) != plain);
  CHECK(digest(1, 1, 50_Bps, 10, 1_ps) != plain);
}

TEST_CASE("the digest follows the order of starts, not the ids") {
  // The second flow of `reused` gets the id of a flow that ended before.
  const auto run = [](bool reuse) {
    FlowNetwork network;
    const std::vector<Hop> hops{{network.add_resource(10_Bps)}};
    Completions completed;
    if (reuse) network.start(Time(0), {hops, 0, {}, Bandwidth::max(), 7});
    const FlowId first = network.start(Time(0), {hops, 100, {}, Bandwidth::max(), 1});
    network.collect(Time(0), completed);
    const FlowId second = network.start(Time(0), {hops, 100, {}, Bandwidth::max(), 2});
    network.settle(Time(0));
    CHECK((second < first) == reuse);
    return digest_of(network, Time(0));
  };
  CHECK(run(true) == run(false));
}

TEST_CASE("completions of one instant come in the order of their starts, not of their ids") {
  FlowNetwork network;
  const std::vector<Hop> hops{{network.add_resource(10_Bps)}};
  Completions completed;
  network.start(Time(0), {hops, 0, {}, Bandwidth::max(), 7});
  network.start(Time(0), {hops, 100, {}, Bandwidth::max(), 1});
  network.collect(Time(0), completed);
  network.start(Time(0), {hops, 100, {}, Bandwidth::max(), 2});
  network.start(Time(0), {hops, 0, 20_s, Bandwidth::max(), 3});
  CHECK(step(network, Time(0), completed) == Time(0) + 20_s);
  REQUIRE(completed.size() == 3);
  CHECK(completed[0].tag == 1);
  CHECK(completed[1].tag == 2);
  CHECK(completed[2].tag == 3);
}

TEST_CASE("a shift moves everything that is pending, and nothing else changes") {
  rc::prop("shifted run", [](std::uint16_t at, std::uint32_t by) {
    const auto run = [&](bool shifted) {
      FlowNetwork network;
      const ResourceId link = network.add_resource(1000_Bps);
      const std::vector<Hop> hops{{link}};
      network.start(Time(0), {hops, 300, {}, Bandwidth::max(), 1});
      network.start(Time(0), {hops, 500, 200_ms, Bandwidth::max(), 2});
      network.start(Time(0), {hops, 500, 900_ms, 100_Bps, 3});
      network.settle(Time(0));
      std::vector<Duration> ends;
      const Time pause = Time(0) + Duration(at) * 1'000'000;
      Completions completed;
      Time now{};
      while (network.next_event() <= pause) now = step(network, now, completed);
      network.settle(now);
      Duration moved{};
      if (shifted) {
        moved = Duration(by);
        const std::uint64_t digest = digest_of(network, pause);
        network.shift(moved);
        RC_ASSERT(digest_of(network, pause + moved) == digest);
        now += moved;
      }
      while (network.next_event() != Time::max()) {
        now = step(network, now, completed);
        ends.push_back(now - Time(0) - moved);
        network.settle(now);
      }
      return ends;
    };
    RC_ASSERT(run(true) == run(false));
  });
}

TEST_CASE("a flow that cannot end before the end of time has no event") {
  FlowNetwork network;
  const std::vector<Hop> slow{{network.add_resource(1_Bps)}};
  const FlowId flow = network.start(Time(0), {slow, 1'000'000'000'000'000, {}});
  network.settle(Time(0));
  CHECK(network.rate(flow) == 1_Bps);
  CHECK(network.next_event() == Time::max());
}

TEST_CASE("flows that get less than one unit per second stand still until there is room") {
  FlowNetwork network;
  const std::vector<Hop> hops{{network.add_resource(1_Bps)}};
  const std::vector<Hop> heavy{{hops[0].resource, 2}};
  const FlowId flow = network.start(Time(0), {hops, 5, {}});
  const FlowId other = network.start(Time(0), {heavy, 5, {}});
  network.settle(Time(0));
  CHECK(network.rate(flow) == 0_Bps);
  CHECK(network.rate(other) == 0_Bps);
  CHECK(network.bottleneck(flow) == hops[0].resource);
  CHECK(network.active_flows() == 2);
  CHECK(network.next_event() == Time::max());
}

TEST_CASE("a flow that is not active yet has neither rate nor bottleneck") {
  FlowNetwork network;
  const std::vector<Hop> hops{{network.add_resource(1_Bps)}};
  const FlowId flow = network.start(Time(0), {hops, 5, 1_s});
  network.settle(Time(0));
  CHECK(network.rate(flow) == 0_Bps);
  CHECK(network.bottleneck(flow) == no_resource);
  CHECK(network.active_flows() == 0);
  CHECK(network.next_event() == Time(0) + 1_s);
}

TEST_CASE("a network can be moved") {
  FlowNetwork network;
  const std::vector<Hop> hops{{network.add_resource(5_Bps)}};
  network.start(Time(0), {hops, 5, {}});
  network.settle(Time(0));
  FlowNetwork moved = std::move(network);
  CHECK(moved.next_event() == Time(0) + 1_s);
  CHECK(moved.capacity(hops[0].resource) == 5_Bps);
}

TEST_CASE("misuse is a broken invariant") {
  FlowNetwork network;
  CHECK_THROWS_AS(network.add_resource(0_Bps), InternalError);
  const ResourceId link = network.add_resource(10_Bps);
  const std::vector<Hop> hops{{link}};
  Completions completed;

  SECTION("requests that mean nothing") {
    const std::vector<Hop> unknown{{ResourceId{7}}};
    const std::vector<Hop> weightless{{link, 0}};
    const std::vector<Hop> twice{{link}, {link, 2}};
    CHECK_THROWS_AS(network.start(Time(0), {hops, -1}), InternalError);
    CHECK_THROWS_AS(network.start(Time(0), {hops, 1, Duration(-1)}), InternalError);
    CHECK_THROWS_AS(network.start(Time(0), {hops, 1, {}, 0_Bps}), InternalError);
    CHECK_THROWS_AS(network.start(Time(0), {{}, 1}), InternalError);
    CHECK_THROWS_AS(network.start(Time(0), {unknown, 1}), InternalError);
    CHECK_THROWS_AS(network.start(Time(0), {weightless, 1}), InternalError);
    CHECK_THROWS_AS(network.start(Time(0), {twice, 1}), InternalError);
  }
  SECTION("time that goes back, past an event, or on without settling") {
    network.start(Time(0) + 1_s, {hops, 10});
    CHECK_THROWS_AS(network.collect(Time(0) + 2_s, completed), InternalError);
    network.settle(Time(0) + 1_s);
    CHECK_THROWS_AS(network.collect(Time(0), completed), InternalError);
    CHECK_THROWS_AS(network.collect(Time(0) + 3_s, completed), InternalError);
    network.collect(Time(0) + 2_s, completed);
    CHECK(completed.size() == 1);
    CHECK_THROWS_AS(network.shift(1_s), InternalError);
    Digest digest;
    CHECK_THROWS_AS(network.add_state(digest, Time(0) + 2_s), InternalError);
    network.settle(Time(0) + 2_s);
    CHECK_THROWS_AS(network.shift(Duration(-1)), InternalError);
  }
  SECTION("flows that were collected") {
    const FlowId flow = network.start(Time(0), {hops, 0});
    network.collect(Time(0), completed);
    CHECK_THROWS_AS(network.rate(flow), InternalError);
    CHECK_THROWS_AS(network.bottleneck(flow), InternalError);
  }
}

}  // namespace
}  // namespace memsim::sim
