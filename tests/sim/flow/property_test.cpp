// What holds in every network, with weights and caps.
#include <rapidcheck/catch.h>

#include <algorithm>
#include <array>
#include <vector>

#include "sim/core/random.hpp"
#include "sim/flow/flow_network.hpp"
#include "tests/sim/flow/flow_run.hpp"
#include "tests/support/catch.hpp"

namespace memsim::test {
namespace {

using namespace sim;  // NOLINT: a test of sim alone

struct Case {
  std::vector<std::int64_t> capacities;
  std::vector<Request> requests;

  FlowNetwork network() const {
    FlowNetwork made;
    for (const std::int64_t capacity : capacities) made.add_resource(Bandwidth(capacity));
    return made;
  }
};

// Draws with RapidCheck, so that failures shrink. Capacities are large enough for nobody to starve.
Case draw_case() {
  constexpr std::array<std::int64_t, 4> capacities{1'000, 1'000, 2'500, 77'777};
  Case drawn;
  const auto resources = *rc::gen::inRange<std::uint32_t>(1, 7);
  for (std::uint32_t i = 0; i < resources; ++i)
    drawn.capacities.push_back(capacities[*rc::gen::inRange<std::size_t>(0, capacities.size())]);
  const auto flows = *rc::gen::inRange<std::size_t>(1, 20);
  for (std::size_t i = 0; i < flows; ++i) {
    Request request;
    const auto mask = *rc::gen::inRange<std::uint32_t>(0, 1U << resources);
    for (std::uint32_t r = 0; r < resources; ++r)
      if ((mask >> r & 1) != 0)
        request.hops.push_back({ResourceId{r}, *rc::gen::inRange<std::int64_t>(1, 4)});
    const bool capped = request.hops.empty() || *rc::gen::inRange(0, 3) == 0;
    if (capped) request.cap = Bandwidth(*rc::gen::inRange<std::int64_t>(1, 900));
    request.amount = *rc::gen::inRange<std::int64_t>(1, 3'000);
    request.start = Time(0) + *rc::gen::inRange<std::int64_t>(0, 3) * 500_ms;
    request.latency = *rc::gen::inRange<std::int64_t>(0, 2) * 250_ms;
    drawn.requests.push_back(std::move(request));
  }
  return drawn;
}

using Flags = std::vector<std::uint8_t>;  // by request

// What can be seen of the network at one event: the rates of the flows that are active.
struct Seen {
  std::vector<std::int64_t> rates;  // by request; 0: not active
  std::vector<ResourceId> bottlenecks;
};

Seen look(const FlowNetwork& network, const std::vector<FlowId>& ids, const Flags& active) {
  Seen seen{std::vector<std::int64_t>(ids.size(), 0),
            std::vector<ResourceId>(ids.size(), no_resource)};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (active[i] == 0) continue;
    seen.rates[i] = network.rate(ids[i]).value();
    seen.bottlenecks[i] = network.bottleneck(ids[i]);
  }
  return seen;
}

// What the active flows do to one resource.
struct Load {
  std::int64_t used = 0;
  std::int64_t bound_weight = 0;  // of the flows that it limits
  std::int64_t highest = 0;       // rate
};

std::vector<Load> loads(const Case& drawn, const Seen& seen, const Flags& active) {
  std::vector<Load> loads(drawn.capacities.size());
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (active[i] == 0) continue;
    for (const Hop& hop : drawn.requests[i].hops) {
      Load& load = loads[static_cast<std::size_t>(hop.resource)];
      load.used += hop.weight * seen.rates[i];
      load.highest = std::max(load.highest, seen.rates[i]);
      if (seen.bottlenecks[i] == hop.resource) load.bound_weight += hop.weight;
    }
  }
  return loads;
}

void check_shares(const Case& drawn, const Seen& seen, const Flags& active) {
  const std::vector<Load> by_resource = loads(drawn, seen, active);
  for (std::size_t r = 0; r < by_resource.size(); ++r)
    RC_ASSERT(by_resource[r].used <= drawn.capacities[r]);
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (active[i] == 0) continue;
    const Request& request = drawn.requests[i];
    RC_ASSERT(seen.rates[i] <= request.cap.value());
    if (seen.bottlenecks[i] == no_resource) {
      RC_ASSERT(seen.rates[i] == request.cap.value());
      continue;
    }
    // Its bottleneck is one of its resources, full but for the rounding, and nobody is faster
    // there.
    RC_ASSERT(std::any_of(request.hops.begin(), request.hops.end(),
                          [&](const Hop& hop) { return hop.resource == seen.bottlenecks[i]; }));
    const auto bottleneck = static_cast<std::size_t>(seen.bottlenecks[i]);
    const Load& load = by_resource[bottleneck];
    RC_ASSERT(drawn.capacities[bottleneck] - load.used < load.bound_weight);
    RC_ASSERT(seen.rates[i] == load.highest);
  }
}

TEST_CASE("no resource is overused, every flow has a full bottleneck, and all work is done") {
  rc::prop("max-min fair and conserving", [] {
    const Case drawn = draw_case();
    const std::size_t count = drawn.requests.size();
    FlowNetwork network = drawn.network();
    // First run: when does each flow end? Second run: what happens in between.
    FlowNetwork first = drawn.network();
    const std::vector<Time> ends = run_requests(first, drawn.requests);
    std::vector<Int128> moved(count, 0);
    Seen before{std::vector<std::int64_t>(count, 0), {}};
    Time last{};
    run_requests(network, drawn.requests, [&](Time now, const std::vector<FlowId>& ids) {
      Flags active(count);
      for (std::size_t i = 0; i < count; ++i) {
        moved[i] += static_cast<Int128>(before.rates[i]) * (now - last).value();
        const Request& request = drawn.requests[i];
        active[i] = request.start + request.latency <= now && now < ends[i] ? 1 : 0;
      }
      before = look(network, ids, active);
      last = now;
      check_shares(drawn, before, active);
    });
    for (std::size_t i = 0; i < count; ++i) {
      RC_ASSERT(ends[i] < Time::max());
      const Int128 work = static_cast<Int128>(drawn.requests[i].amount) * picoseconds_per_second;
      // Rounding up to a picosecond adds less than one picosecond at a rate below 77,778.
      RC_ASSERT(moved[i] >= work);
      RC_ASSERT(moved[i] < work + 77'778);
    }
  });
}

TEST_CASE("neither the order of requests nor the order of hops changes a completion") {
  rc::prop("permuted inputs", [] {
    const Case drawn = draw_case();
    FlowNetwork network = drawn.network();
    const std::vector<Time> ends = run_requests(network, drawn.requests);
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    std::vector<std::size_t> order(drawn.requests.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    random.shuffle(std::span(order));
    std::vector<Request> permuted;
    for (const std::size_t i : order) {
      permuted.push_back(drawn.requests[i]);
      random.shuffle(std::span(permuted.back().hops));
    }
    FlowNetwork other = drawn.network();
    const std::vector<Time> other_ends = run_requests(other, permuted);
    for (std::size_t i = 0; i < order.size(); ++i) RC_ASSERT(other_ends[i] == ends[order[i]]);
  });
}

TEST_CASE("equal flows end together, whether they share a bundle or not") {
  rc::prop("twins", [] {
    Case drawn = draw_case();
    const std::size_t count = drawn.requests.size();
    for (std::size_t i = 0; i < count; ++i) {
      drawn.requests.push_back(drawn.requests[i]);
      std::reverse(drawn.requests.back().hops.begin(), drawn.requests.back().hops.end());
      drawn.requests.push_back(drawn.requests[i]);
    }
    FlowNetwork network = drawn.network();
    const std::vector<Time> ends = run_requests(network, drawn.requests);
    for (std::size_t i = 0; i < count; ++i) {
      RC_ASSERT(ends[i] == ends[count + 2 * i]);
      RC_ASSERT(ends[i] == ends[count + 2 * i + 1]);
    }
  });
}

TEST_CASE("a cap does the same as a private resource of higher number than all others") {
  rc::prop("private links", [] {
    const Case drawn = draw_case();
    Case with_links = drawn;
    for (Request& request : with_links.requests) {
      if (request.cap == Bandwidth::max()) continue;
      const auto number = static_cast<std::uint32_t>(with_links.capacities.size());
      with_links.capacities.push_back(request.cap.value());
      request.hops.push_back({ResourceId{number}});
      request.cap = Bandwidth::max();
    }
    FlowNetwork capped = drawn.network();
    FlowNetwork linked = with_links.network();
    RC_ASSERT(run_requests(capped, drawn.requests) == run_requests(linked, with_links.requests));
  });
}

}  // namespace
}  // namespace memsim::test
