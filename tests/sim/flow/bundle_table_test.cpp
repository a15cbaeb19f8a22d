#include "sim/flow/bundle_table.hpp"

#include <algorithm>
#include <vector>

#include "sim/core/digest.hpp"
#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

constexpr std::size_t any_resource = 1'000'000;

TEST_CASE("equal hops and caps are one bundle, any difference makes another") {
  BundleTable table;
  const std::vector<Hop> hops{{ResourceId{3}, 2}, {ResourceId{5}, 1}};
  const BundleId bundle = table.acquire(hops, 10_Bps, any_resource);
  CHECK(table.acquire(hops, 10_Bps, any_resource) == bundle);
  CHECK(table.acquire(hops, 11_Bps, any_resource) != bundle);
  CHECK(table.acquire(std::vector<Hop>{{ResourceId{3}, 2}}, 10_Bps, any_resource) != bundle);
  CHECK(table.acquire(std::vector<Hop>{{ResourceId{3}, 2}, {ResourceId{5}, 2}}, 10_Bps,
                      any_resource) != bundle);
  CHECK(table.acquire(std::vector<Hop>{{ResourceId{3}, 2}, {ResourceId{6}, 1}}, 10_Bps,
                      any_resource) != bundle);
  CHECK(table.cap(bundle) == 10_Bps);
  REQUIRE(table.hops(bundle).size() == 2);
  CHECK(table.hops(bundle)[0].resource == 3);
  CHECK(table.hops(bundle)[0].weight == 2);
  CHECK(&table.hop(table.first_hop(bundle) + 1) == &table.hops(bundle)[1]);
}

TEST_CASE("bundles with the same fingerprint are told apart") {
  // A word enters the digest by exclusive or, so a second weight can make up for a first one.
  const auto after = [](std::int64_t first_weight) {
    return Digest()
        .add(Bandwidth::max())
        .add(std::uint32_t{0})
        .add(first_weight)
        .add(std::uint32_t{1})
        .value();
  };
  std::int64_t first = 2;
  const auto makes_up = [&] { return static_cast<std::int64_t>(after(1) ^ after(first) ^ 1U); };
  while (makes_up() <= 0) ++first;
  BundleTable table;
  const std::vector<Hop> hops{{ResourceId{0}, 1}, {ResourceId{1}, 1}};
  const std::vector<Hop> others{{ResourceId{0}, first}, {ResourceId{1}, makes_up()}};
  const BundleId bundle = table.acquire(hops, Bandwidth::max(), any_resource);
  const BundleId other = table.acquire(others, Bandwidth::max(), any_resource);
  REQUIRE(table.fingerprint(bundle) == table.fingerprint(other));
  CHECK(bundle != other);
  CHECK(table.acquire(hops, Bandwidth::max(), any_resource) == bundle);
  CHECK(table.acquire(others, Bandwidth::max(), any_resource) == other);
}

TEST_CASE("bundles without users make room, those with users keep their number") {
  BundleTable table;
  const auto hops = [](std::uint32_t i) {
    std::vector<Hop> made{{ResourceId{i}, 1}};
    if (i % 3 == 0) made.push_back({ResourceId{i + 1}, 1});
    return made;
  };
  std::vector<BundleId> kept;
  for (std::uint32_t i = 0; i < 100; ++i)
    kept.push_back(table.acquire(hops(i), 7_Bps, any_resource));
  for (std::uint32_t i = 100; i < 100'000; ++i)
    table.release(table.acquire(hops(i), 7_Bps, any_resource));
  for (std::uint32_t i = 0; i < 100; ++i)
    CHECK(table.acquire(hops(i), 7_Bps, any_resource) == kept[i]);
  CHECK(table.size() < 4 * 2 * kept.size());
}

TEST_CASE("a bundle that is used again and again keeps its number") {
  BundleTable table;
  const std::vector<Hop> hops{{ResourceId{1}, 1}};
  const BundleId bundle = table.acquire(hops, Bandwidth::max(), any_resource);
  table.release(bundle);
  for (int i = 0; i < 1000; ++i) {
    CHECK(table.acquire(hops, Bandwidth::max(), any_resource) == bundle);
    table.release(bundle);
  }
}

}  // namespace
}  // namespace memsim::sim
