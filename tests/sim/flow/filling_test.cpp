// After every event of random scenarios, rates and bottlenecks are those of filling from scratch.
#include <string>
#include <utility>
#include <vector>

#include "sim/core/random.hpp"
#include "sim/flow/flow_network.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/reference_sharing.hpp"

using namespace memsim::sim;  // NOLINT: a test of sim alone
using memsim::test::ReferenceDemand;
using memsim::test::ReferenceNetwork;

namespace {

// What a family of scenarios draws from. Short lists of values make ties and simultaneous events.
struct Family {
  std::string name;
  std::size_t resources;
  std::size_t starts;
  std::size_t most_hops;
  std::vector<std::int64_t> capacities;
  std::vector<std::int64_t> weights;
  std::vector<std::int64_t> caps;
  std::vector<std::int64_t> amounts;
  std::vector<Duration> latencies;
  std::vector<Duration> gaps;  // between starts
  std::size_t routes;          // 0: every flow has its own; else drawn from so many
};

constexpr std::int64_t no_cap = Bandwidth::max().value();

class Scenario {
 public:
  Scenario(const Family& family, std::uint64_t seed)
      : family_(family), random_(seed), reference_({}) {
    std::vector<std::int64_t> capacities;
    for (std::size_t i = 0; i < family.resources; ++i) {
      capacities.push_back(pick(family.capacities));
      network_.add_resource(Bandwidth(capacities.back()));
    }
    reference_ = ReferenceNetwork(capacities);
    for (std::size_t i = 0; i < family.routes; ++i) routes_.push_back(draw_demand());
  }

  // Runs to the end; throws with a sentence at the first difference.
  void run() {
    std::size_t left = family_.starts;
    Time next_start{};
    for (;;) {
      require(network_.next_event() == reference_.next_event(), "next event");
      const Time now = std::min(left > 0 ? next_start : Time::max(), network_.next_event());
      if (now == Time::max()) break;
      left -= std::min(left, collect(now));
      while (left > 0 && next_start == now) {
        start(now);
        --left;
        next_start = now + pick(family_.gaps);
      }
      network_.settle(now);
      reference_.settle(now);
      compare();
    }
  }

 private:
  template <class T>
  const T& pick(const std::vector<T>& values) {
    return values[random_.bounded(values.size())];
  }

  void require(bool same, const char* what) {
    if (!same) throw std::runtime_error(family_.name + ": different " + what);
  }

  ReferenceDemand draw_demand() {
    ReferenceDemand demand;
    demand.cap = pick(family_.caps);
    std::vector<std::uint32_t> numbers(family_.resources);
    for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    random_.shuffle(std::span(numbers));
    const std::size_t least = demand.cap == no_cap ? 1 : 0;
    const std::size_t hops = least + random_.bounded(family_.most_hops + 1 - least);
    for (std::size_t i = 0; i < hops; ++i)
      demand.hops.push_back({ResourceId{numbers[i]}, pick(family_.weights)});
    return demand;
  }

  void start(Time now) {
    const ReferenceDemand demand = routes_.empty() ? draw_demand() : pick(routes_);
    const std::int64_t amount = pick(family_.amounts);
    const Duration latency = pick(family_.latencies);
    const std::size_t number = reference_.start(now, demand, amount, latency);
    const FlowSpec spec{demand.hops, amount, latency, Bandwidth(demand.cap), number};
    ids_.push_back(network_.start(now, spec));
  }

  // Collects from both; every second completion starts a dependent flow at once. Returns how many.
  std::size_t collect(Time now) {
    std::size_t dependents = 0;
    std::vector<FlowNetwork::Completion> completed;
    while (network_.next_event() == now) {
      completed.clear();
      network_.collect(now, completed);
      const std::vector<std::size_t> expected = reference_.collect(now);
      require(completed.size() == expected.size(), "number of completions");
      for (std::size_t i = 0; i < expected.size(); ++i) {
        require(completed[i].tag == expected[i], "completed flow");
        require(completed[i].flow == ids_[expected[i]], "id of a completed flow");
      }
      for (std::size_t i = 0; i < completed.size(); ++i) {
        if (random_.bounded(2) == 0 || reference_.size() >= family_.starts) continue;
        start(now);
        ++dependents;
      }
    }
    return dependents;
  }

  void compare() {
    std::size_t active = 0;
    for (std::size_t i = 0; i < reference_.size(); ++i) {
      if (reference_.done(i)) continue;
      require(network_.rate(ids_[i]) == Bandwidth(reference_.share(i).rate), "rate");
      require(network_.bottleneck(ids_[i]) == reference_.share(i).bottleneck, "bottleneck");
      if (reference_.active(i)) ++active;
    }
    require(network_.active_flows() == active, "number of active flows");
  }

  const Family& family_;
  Random random_;
  FlowNetwork network_;
  ReferenceNetwork reference_;
  std::vector<ReferenceDemand> routes_;
  std::vector<FlowId> ids_;
};

void run_family(const Family& family, std::uint64_t scenarios) {
  for (std::uint64_t seed = 0; seed < scenarios; ++seed) {
    INFO(family.name << ", seed " << seed);
    REQUIRE_NOTHROW(Scenario(family, seed).run());
  }
}

}  // namespace

TEST_CASE("small fabrics of equal capacities share as filling from scratch") {
  run_family({"equal capacities",
              4,
              24,
              3,
              {1000},
              {1},
              {no_cap},
              {500, 1000, 3000},
              {Duration(0)},
              {Duration(0), Duration(0), 500_ms},
              0},
             3000);
}

TEST_CASE("weights, caps, latencies and flows without an amount share as filling from scratch") {
  run_family({"weights and caps",
              5,
              24,
              4,
              {7, 60, 100, 101, 250},
              {1, 1, 2, 3},
              {no_cap, no_cap, 5, 20, 33},
              {0, 1, 90, 400, 1000},
              {Duration(0), Duration(0), 1_s, 3_ms},
              {Duration(0), 1_s, 700_ms},
              0},
             3000);
}

TEST_CASE("flows that share few routes are bundled and share as filling from scratch") {
  run_family({"few routes",
              4,
              40,
              3,
              {30, 100, 100},
              {1, 2},
              {no_cap, no_cap, 11},
              {1, 50, 200},
              {Duration(0), 1_s},
              {Duration(0), Duration(0), 400_ms},
              5},
             2000);
}

TEST_CASE("capacities below the number of flows leave flows standing still") {
  run_family({"tiny capacities",
              3,
              16,
              2,
              {1, 2, 3, 5},
              {1, 4},
              {no_cap, 1, 2},
              {1, 2, 3},
              {Duration(0)},
              {Duration(0), 1_s},
              0},
             2000);
}

TEST_CASE("large capacities and amounts share as filling from scratch") {
  run_family({"large",
              6,
              24,
              4,
              {9'999'999'999'999, 10'000'000'000'000, 3'333'333'333'333},
              {1, 7, 1000},
              {no_cap, 4'000'000'000'000},
              {1'000'000'000'000'000, 999'999'999'999'989},
              {Duration(0), 1_us},
              {Duration(0), 1_s},
              0},
             500);
}

TEST_CASE("larger fabrics share as filling from scratch") {
  run_family({"fabric of equal links",
              24,
              160,
              4,
              {1000},
              {1},
              {no_cap},
              {500, 1000, 3000, 10000},
              {Duration(0), 1_ms},
              {Duration(0), Duration(0), 20_ms},
              0},
             15);
  run_family({"fabric of different links",
              30,
              200,
              5,
              {997, 1000, 1500, 4000, 100'000},
              {1, 1, 3},
              {no_cap, no_cap, 50},
              {500, 1000, 3000, 10000},
              {Duration(0), 1_ms},
              {Duration(0), 10_ms, 3_ms},
              0},
             15);
  run_family({"many flows on few routes",
              10,
              400,
              4,
              {10'000, 25'000},
              {1, 2},
              {no_cap, 900},
              {500, 1000, 3000, 10000},
              {Duration(0), 1_ms},
              {Duration(0), 2_ms},
              12},
             8);
}
