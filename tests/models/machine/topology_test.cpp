#include "models/machine/topology.hpp"

#include "sim/core/check.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

using sim::Duration;

Connection both_ways(std::uint32_t from, std::uint32_t to, std::int64_t cost) {
  return {from, to, Duration(cost), Duration(cost)};
}

std::vector<std::uint32_t> numbers(const Path& path) {
  std::vector<std::uint32_t> result;
  for (const Crossing& crossing : path.crossings) result.push_back(crossing.connection);
  return result;
}

using Numbers = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("the cheapest way may have more crossings than the shortest") {
  // 0 -9- 3, 0 -2- 1 -2- 2 -2- 3
  const std::vector<Connection> connections{both_ways(0, 3, 9), both_ways(0, 1, 2),
                                            both_ways(1, 2, 2), both_ways(2, 3, 2)};
  const Path path = cheapest_path({true, true, true, true}, connections, 0, 3);
  CHECK(path.cost == Duration(6));
  CHECK(numbers(path) == Numbers{1, 2, 3});
}

TEST_CASE("of equal ways the one with the lowest-numbered connections is taken") {
  // Two ways from 0 to 3, both of cost 4, and two equal connections at the end of the first.
  const std::vector<Connection> connections{both_ways(0, 2, 2), both_ways(0, 1, 2),
                                            both_ways(1, 3, 2), both_ways(2, 3, 2),
                                            both_ways(2, 3, 2)};
  CHECK(numbers(cheapest_path({true, true, true, true}, connections, 0, 3)) == Numbers{0, 3});
  CHECK(numbers(cheapest_path({true, true, true, true}, connections, 3, 0)) == Numbers{2, 1});
}

TEST_CASE("a crossing tells its direction and pays the cost of that direction") {
  const std::vector<Connection> connections{{0, 1, Duration(3), Duration(7)},
                                            {2, 1, Duration(1), Duration(2)}};
  const Path there = cheapest_path({true, true, true}, connections, 0, 2);
  CHECK(there.cost == Duration(3 + 2));
  CHECK(there.crossings.at(0).forward);
  CHECK_FALSE(there.crossings.at(1).forward);
  const Path back = cheapest_path({true, true, true}, connections, 2, 0);
  CHECK(back.cost == Duration(1 + 7));
}

TEST_CASE("nodes that forward nothing are only ends of ways") {
  const std::vector<Connection> connections{both_ways(0, 1, 1), both_ways(1, 2, 1)};
  CHECK(cheapest_path({true, false, true}, connections, 0, 2).crossings.empty());
  CHECK(numbers(cheapest_path({true, false, true}, connections, 0, 1)) == Numbers{0});
  CHECK(numbers(cheapest_path({false, true, false}, connections, 0, 2)) == Numbers{0, 1});
}

TEST_CASE("no way, no crossings") {
  CHECK(cheapest_path({true, true, true}, {both_ways(0, 1, 1)}, 0, 2).crossings.empty());
}

TEST_CASE("a way needs two different nodes that exist") {
  CHECK_THROWS_AS(cheapest_path({true, true}, {both_ways(0, 1, 1)}, 1, 1), sim::InternalError);
  CHECK_THROWS_AS(cheapest_path({true, true}, {both_ways(0, 1, 1)}, 0, 2), sim::InternalError);
}

}  // namespace memsim::models
