#include "sim/flow/max_min.hpp"

#include <vector>

#include "sim/core/random.hpp"
#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

// Solves one bundle after the other on the given capacities.
struct Fixture {
  explicit Fixture(const std::vector<std::int64_t>& capacities) {
    for (const std::int64_t capacity : capacities) solver.add_resource(Bandwidth(capacity));
  }
  BundleId join(const std::vector<Hop>& hops, Bandwidth cap = Bandwidth::max()) {
    const BundleId bundle = table.acquire(hops, cap, solver.resources());
    solver.join(bundle);
    return bundle;
  }
  void leave(BundleId bundle) {
    solver.leave(bundle);
    table.release(bundle);
  }
  void solve() {
    solver.solve();
    solver.check();
  }

  BundleTable table;
  MaxMin solver{table};
};

std::vector<Hop> over(std::initializer_list<std::uint32_t> resources) {
  std::vector<Hop> hops;
  for (const std::uint32_t resource : resources) hops.push_back({ResourceId{resource}});
  return hops;
}

TEST_CASE("keys order by level, then by resource, then come caps and what binds nobody") {
  CHECK(FillKey(4, 9) < FillKey(5, 0));
  CHECK(FillKey(5, 0) < FillKey(5, 1));
  CHECK(FillKey(5, 1) < FillKey(5, FillKey::no_number));
  CHECK(FillKey(5, FillKey::no_number) < FillKey::none());
  CHECK(FillKey::lowest() < FillKey(0, 0));
  CHECK(FillKey(Bandwidth::max().value(), 7).level() == Bandwidth::max().value());
  CHECK(FillKey(3, 7).resource() == 7);
}

TEST_CASE("the two lowest keys are kept up to date as far as two keys can tell") {
  TwoLowest lowest;
  for (const FillKey key : {FillKey(30, 3), FillKey(10, 1), FillKey(20, 2)}) lowest.add(key);
  CHECK(lowest == TwoLowest{FillKey(10, 1), FillKey(20, 2)});
  CHECK(lowest.without(1) == FillKey(20, 2));
  CHECK(lowest.without(2) == FillKey(10, 1));

  SECTION("the first moves below the second") {
    CHECK(lowest.change(1, FillKey(19, 1)));
    CHECK(lowest == TwoLowest{FillKey(19, 1), FillKey(20, 2)});
  }
  SECTION("the first moves above the second: a third may lie between") {
    CHECK_FALSE(lowest.change(1, FillKey(25, 1)));
  }
  SECTION("the second falls below the first") {
    CHECK(lowest.change(2, FillKey(5, 2)));
    CHECK(lowest == TwoLowest{FillKey(5, 2), FillKey(10, 1)});
  }
  SECTION("the second rises: a third may lie below") {
    CHECK_FALSE(lowest.change(2, FillKey(25, 2)));
  }
  SECTION("a third falls between or below") {
    CHECK(lowest.change(3, FillKey(15, 3)));
    CHECK(lowest == TwoLowest{FillKey(10, 1), FillKey(15, 3)});
    CHECK(lowest.change(2, FillKey(1, 2)));
    CHECK(lowest == TwoLowest{FillKey(1, 2), FillKey(10, 1)});
  }
  SECTION("a third that stays above changes nothing") {
    CHECK(lowest.change(3, FillKey(40, 3)));
    CHECK(lowest == TwoLowest{FillKey(10, 1), FillKey(20, 2)});
  }
}

TEST_CASE("the sums of a filling give the level as long as the division of members stands") {
  // Capacity 100, resource 0: a member of load 2 frozen at level 10, free members of load 4, of
  // which one can go up to level 30 elsewhere. (100 - 20) / 4 = 20.
  Filling filling{.key = FillKey(20, 0)};
  filling.add(FillKey(10, 1), 2);
  filling.add(FillKey::none(), 3);
  filling.add(FillKey(30, 2), 1);
  REQUIRE(filling.derive(100, 6, 0));
  CHECK(filling.key == FillKey(20, 0));

  SECTION("what happens above the level does not matter") {
    CHECK_FALSE(filling.change(FillKey(30, 2), FillKey(25, 2), 1));
    REQUIRE(filling.derive(100, 6, 0));
    CHECK(filling.key == FillKey(20, 0));
  }
  SECTION("a frozen member that takes less leaves more: (100 - 8) / 4") {
    CHECK(filling.change(FillKey(10, 1), FillKey(4, 1), 2));
    REQUIRE(filling.derive(100, 6, 0));
    CHECK(filling.key == FillKey(23, 0));
  }
  SECTION("a free member that freezes: (100 - 20 - 5) / 3") {
    CHECK(filling.change(FillKey(30, 2), FillKey(5, 2), 1));
    REQUIRE(filling.derive(100, 6, 0));
    CHECK(filling.key == FillKey(25, 0));
  }
  SECTION("a level that passes a free member needs a look at all: (100 - 20) / 4 > 15") {
    CHECK(filling.change(FillKey(30, 2), FillKey(20, 1), 1) == false);
    CHECK(filling.change(FillKey(10, 1), FillKey(1, 1), 2));
    CHECK_FALSE(filling.derive(100, 6, 0));
  }
  SECTION("a level too near to a frozen one needs a look at all: (100 - 36) / 4 < 18") {
    CHECK(filling.change(FillKey(10, 1), FillKey(18, 1), 2));
    CHECK_FALSE(filling.derive(100, 6, 0));
  }
  SECTION("without free members the resource binds nobody if there is room for one unit more") {
    CHECK(filling.change(FillKey::none(), FillKey(11, 3), 3));
    CHECK(filling.change(FillKey(30, 2), FillKey(12, 2), 1));
    REQUIRE(filling.derive(71, 6, 0));
    CHECK(filling.key == FillKey::none());
    CHECK(filling.lowest_free == FillKey::none());
    CHECK_FALSE(filling.derive(70, 6, 0));
  }
}

TEST_CASE("frozen members that would use more than all need a look at all, however much more") {
  const std::int64_t heavy = std::int64_t{1} << 50;
  Filling filling;
  filling.add(FillKey(std::int64_t{1} << 20, 1), heavy);
  filling.add(FillKey::none(), 1);
  CHECK_FALSE(filling.derive(std::int64_t{1} << 62, heavy + 1, 0));
}

TEST_CASE("a solve reports the bundles with another bottleneck and the resources looked at") {
  Fixture fixture({100, 80});
  const BundleId both = fixture.join(over({0, 1}));
  fixture.solve();
  CHECK(fixture.solver.bottleneck(both) == FillKey(80, 1));
  CHECK(fixture.solver.moved_bundles().size() == 1);

  // 100 / 2 = 50 < 80: the first resource takes over.
  const BundleId first = fixture.join(over({0}));
  fixture.solve();
  CHECK(fixture.solver.bottleneck(both) == FillKey(50, 0));
  CHECK(fixture.solver.bottleneck(first) == FillKey(50, 0));
  CHECK(fixture.solver.key(1) == FillKey::none());
  CHECK(fixture.solver.moved_bundles().size() == 2);

  // One more flow of the same bundle lowers the level and moves nobody.
  fixture.join(over({0}));
  fixture.solve();
  CHECK(fixture.solver.bottleneck(first) == FillKey(33, 0));
  CHECK(fixture.solver.moved_bundles().empty());
  CHECK(fixture.solver.changed_resources().size() == 1);
}

TEST_CASE("a cap beyond all capacities binds nobody, however many flows have it") {
  Fixture fixture({100, 100});
  const Bandwidth cap(Bandwidth::max().value() - 1);
  const BundleId one = fixture.join(over({0, 1}), cap);
  for (int i = 0; i < 4; ++i) fixture.join(over({0, 1}), cap);
  fixture.join(over({1}));
  fixture.solve();
  CHECK(fixture.solver.bottleneck(one) == FillKey(16, 1));
}

TEST_CASE("every invariant holds after every solve, whatever joins and leaves at once") {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    std::vector<std::int64_t> capacities(2 + random.bounded(8));
    const std::uint64_t spread = seed % 3 == 0 ? 1 : 500;
    for (std::int64_t& capacity : capacities)
      capacity = static_cast<std::int64_t>(100 + random.bounded(spread));
    Fixture fixture(capacities);
    std::vector<BundleId> active;
    for (int step = 0; step < 60; ++step) {
      for (std::uint64_t changes = random.bounded(4); changes > 0; --changes) {
        if (!active.empty() && random.bounded(2) == 0) {
          std::swap(active[random.bounded(active.size())], active.back());
          fixture.leave(active.back());
          active.pop_back();
          continue;
        }
        std::vector<Hop> hops;
        for (std::uint32_t i = 0; i < capacities.size(); ++i)
          if (random.bounded(3) == 0)
            hops.push_back({ResourceId{i}, static_cast<std::int64_t>(1 + random.bounded(3))});
        const bool capped = hops.empty() || random.bounded(4) == 0;
        const auto cap = static_cast<std::int64_t>(1 + random.bounded(60));
        active.push_back(fixture.join(hops, capped ? Bandwidth(cap) : Bandwidth::max()));
      }
      INFO("seed " << seed << ", step " << step);
      REQUIRE_NOTHROW(fixture.solve());
    }
  }
}

}  // namespace
}  // namespace memsim::sim
