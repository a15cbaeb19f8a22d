// Cases whose completion times follow from a formula, evaluated in whole units per second.
#include <algorithm>
#include <vector>

#include "sim/flow/flow_network.hpp"
#include "tests/sim/flow/flow_run.hpp"
#include "tests/support/catch.hpp"

namespace memsim::test {
namespace {

using namespace sim;  // NOLINT: a test of sim alone

std::vector<Hop> over(std::initializer_list<ResourceId> resources) {
  std::vector<Hop> hops;
  for (const ResourceId resource : resources) hops.push_back({resource});
  return hops;
}

// What is left of `amount` after `time` at `rate`, and how long that takes at another rate.
Duration rest_at(std::int64_t amount, std::int64_t rate, Duration time, std::int64_t other_rate) {
  const Int128 left = static_cast<Int128>(amount) * picoseconds_per_second -
                      static_cast<Int128>(rate) * time.value();
  return Duration(narrow((left + other_rate - 1) / other_rate));
}

TEST_CASE("a flow alone takes its latency and amount / capacity") {
  FlowNetwork network;
  const ResourceId link = network.add_resource(Bandwidth(25'000'000'007));
  const auto ends = run_requests(network, {{Time(5), over({link}), 1'000'003, 700_ns}});
  CHECK(ends[0] == Time(5) + 700_ns + transfer_time(Bytes(1'000'003), Bandwidth(25'000'000'007)));
}

TEST_CASE("two flows on a link halve it until the shorter one ends") {
  const std::int64_t capacity = 1'000'003;
  const std::int64_t half = 500'001;  // floor(1000003 / 2)
  FlowNetwork network;
  const ResourceId link = network.add_resource(Bandwidth(capacity));
  const auto ends = run_requests(
      network, {{Time(0), over({link}), 123'456, {}}, {Time(0), over({link}), 777'777, {}}});
  const Duration shorter = transfer_time(Bytes(123'456), Bandwidth(half));
  CHECK(ends[0] == Time(0) + shorter);
  CHECK(ends[1] == Time(0) + shorter + rest_at(777'777, half, shorter, capacity));
}

TEST_CASE("a flow that joins slows down one that is under way") {
  const std::int64_t capacity = 999'999'999'999;
  FlowNetwork network;
  const ResourceId link = network.add_resource(Bandwidth(capacity));
  const Duration head_start = 3_us;
  const auto ends = run_requests(network, {{Time(0), over({link}), 5'000'000, {}},
                                           {Time(0) + head_start, over({link}), 5'000'000, {}}});
  const std::int64_t half = capacity / 2;
  const Duration first = head_start + rest_at(5'000'000, capacity, head_start, half);
  CHECK(ends[0] == Time(0) + first);
  CHECK(ends[1] == Time(0) + first + rest_at(5'000'000, half, first - head_start, capacity));
}

TEST_CASE("over links in tandem the narrowest sets the rate") {
  FlowNetwork network;
  const ResourceId wide = network.add_resource(64_GBps);
  const ResourceId narrow_link = network.add_resource(Bandwidth(11'000'000'001));
  const ResourceId middle = network.add_resource(32_GBps);
  const auto ends =
      run_requests(network, {{Time(0), over({wide, narrow_link, middle}), 1'000'000'000, 2_us}});
  CHECK(ends[0] == Time(0) + 2_us + transfer_time(Bytes(1'000'000'000), Bandwidth(11'000'000'001)));
}

TEST_CASE("in a parking lot the long flow gets the least share and the others what it leaves") {
  // Links of 900, 500, 700 B/s; one flow over all three, one more on each. The long flow gets
  // 500 / 2 = 250; the short ones 650, 250, 450. Of 1000 B each, the one on the first link ends at
  // 1000/650 s.
  FlowNetwork network;
  const ResourceId a = network.add_resource(900_Bps);
  const ResourceId b = network.add_resource(500_Bps);
  const ResourceId c = network.add_resource(700_Bps);
  const auto ends = run_requests(network, {{Time(0), over({c, a, b}), 1000, {}},
                                           {Time(0), over({a}), 1000, {}},
                                           {Time(0), over({b}), 1000, {}},
                                           {Time(0), over({c}), 1000, {}}});
  CHECK(ends[0] == Time(0) + 4_s);
  CHECK(ends[1] == Time(0) + transfer_time(1000_B, 650_Bps));
  CHECK(ends[2] == Time(0) + 4_s);
  CHECK(ends[3] == Time(0) + transfer_time(1000_B, 450_Bps));
}

TEST_CASE("a ring all-reduce takes 2 (n - 1) steps of latency and chunk / capacity") {
  const std::uint32_t ranks = 8;
  const std::int64_t chunk = 12'345'679;
  const Bandwidth capacity(23'000'000'011);
  const Duration latency = 1'300_ns;
  FlowNetwork network;
  std::vector<ResourceId> links;
  for (std::uint32_t i = 0; i < ranks; ++i) links.push_back(network.add_resource(capacity));
  Time now{};
  std::vector<FlowNetwork::Completion> completed;
  for (std::uint32_t step = 0; step < 2 * (ranks - 1); ++step) {
    for (const ResourceId link : links) {
      const std::vector<Hop> hops = over({link});
      network.start(now, {hops, chunk, latency, Bandwidth::max(), 0});
    }
    completed.clear();
    while (completed.size() < ranks) {
      network.settle(now);
      now = network.next_event();
      network.collect(now, completed);
    }
  }
  CHECK(now == Time(0) + 14 * (latency + transfer_time(Bytes(chunk), capacity)));
}

TEST_CASE("equal flows share a link evenly and end together") {
  const std::int64_t capacity = 100'000'000'003;
  FlowNetwork network;
  const ResourceId link = network.add_resource(Bandwidth(capacity));
  const std::vector<Request> requests(1000, {Time(0), over({link}), 1'000'000, {}});
  const auto ends = run_requests(network, requests);
  const Time together = Time(0) + transfer_time(Bytes(1'000'000), Bandwidth(capacity / 1000));
  CHECK(std::all_of(ends.begin(), ends.end(), [&](Time end) { return end == together; }));
}

TEST_CASE("a pageable copy crosses DDR three times") {
  // DDR of 100 GB/s under a copy of weight 3 and a stream of weight 1: 25 GB/s each, using 75 + 25.
  FlowNetwork network;
  const ResourceId ddr = network.add_resource(100_GBps);
  const ResourceId pcie = network.add_resource(26_GBps);
  const auto ends = run_requests(network, {{Time(0), {{ddr, 3}, {pcie, 1}}, 25'000'000'000, {}},
                                           {Time(0), {{ddr, 1}}, 25'000'000'000, {}}});
  CHECK(ends[0] == Time(0) + 1_s);
  CHECK(ends[1] == Time(0) + 1_s);
}

TEST_CASE("what a capped flow does not take goes to the others") {
  FlowNetwork network;
  const ResourceId link = network.add_resource(100_GBps);
  const auto ends = run_requests(network, {{Time(0), over({link}), 10'000'000'000, {}, 10_GBps},
                                           {Time(0), over({link}), 45'000'000'000, {}},
                                           {Time(0), over({link}), 45'000'000'000, {}}});
  CHECK(ends == std::vector<Time>(3, Time(0) + 1_s));
}

TEST_CASE("a flow with a cap and no hops moves at its cap") {
  FlowNetwork network;
  const auto ends = run_requests(network, {{Time(7), {}, 900, {}, 9_Bps}});
  CHECK(ends[0] == Time(7) + 100_s);
}

TEST_CASE("a kernel on its own takes its compute time, two at once take twice as long") {
  // Amounts on the SMs are picoseconds at full rate; the capacity is 10^12 of them per second.
  FlowNetwork network;
  const ResourceId sms = network.add_resource(Bandwidth(picoseconds_per_second));
  CHECK(run_requests(network, {{Time(0), over({sms}), 12'345, {}}})[0] == Time(12'345));
  const auto two = run_requests(
      network, {{Time(20'000), over({sms}), 4'000, {}}, {Time(20'000), over({sms}), 4'000, {}}});
  CHECK(two == std::vector<Time>(2, Time(28'000)));
}

TEST_CASE("a flow without an amount completes when its latency has passed") {
  FlowNetwork network;
  const ResourceId link = network.add_resource(1_Bps);
  const auto ends =
      run_requests(network, {{Time(3), over({link}), 0, 40_ps}, {Time(3), over({link}), 0, {}}});
  CHECK(ends == std::vector<Time>{Time(43), Time(3)});
}

TEST_CASE("five flows on three links follow the example worked out by hand") {
  // validate/data/flows/README.md, "tiny_3x5 by hand".
  FlowNetwork network;
  const ResourceId a = network.add_resource(1000_Bps);
  const ResourceId b = network.add_resource(2000_Bps);
  const ResourceId c = network.add_resource(3000_Bps);
  struct Interval {
    Time begin;
    std::vector<std::int64_t> rates;  // by flow; 0 while it is not active
  };
  const Time f3_ends = Time(2'166'666'666'667);
  const std::vector<Interval> expected{{Time(0), {500, 500, 0, 0, 0}},
                                       {Time(0) + 1_s, {500, 500, 1500, 0, 0}},
                                       {Time(0) + 1500_ms, {500, 500, 1500, 1500, 0}},
                                       {Time(0) + 2_s, {0, 500, 1000, 1500, 500}},
                                       {f3_ends, {0, 500, 1000, 0, 500}},
                                       {Time(0) + 3_s, {0, 1000, 1000, 0, 0}},
                                       {Time(0) + 3500_ms, {0, 0, 0, 0, 0}}};
  std::size_t next = 0;
  const auto check_rates = [&](Time now, const std::vector<FlowId>& ids) {
    REQUIRE(next < expected.size());
    CHECK(now == expected[next].begin);
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (expected[next].rates[i] > 0)
        CHECK(network.rate(ids[i]) == Bandwidth(expected[next].rates[i]));
    const auto active = std::count_if(expected[next].rates.begin(), expected[next].rates.end(),
                                      [](std::int64_t rate) { return rate > 0; });
    CHECK(network.active_flows() == static_cast<std::size_t>(active));
    ++next;
  };
  const auto ends = run_requests(network,
                                 {{Time(0), over({a}), 1000, {}},
                                  {Time(0), over({a, b}), 2000, {}},
                                  {Time(0) + 1_s, over({b, c}), 3000, {}},
                                  {Time(0) + 1500_ms, over({c}), 1000, {}},
                                  {Time(0) + 2_s, over({a, b, c}), 500, {}}},
                                 check_rates);
  CHECK(next == expected.size());
  CHECK(ends == std::vector<Time>{Time(0) + 2_s, Time(0) + 3500_ms, Time(0) + 3500_ms, f3_ends,
                                  Time(0) + 3_s});
}

}  // namespace
}  // namespace memsim::test
