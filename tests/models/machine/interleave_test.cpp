#include "models/machine/interleave.hpp"

#include <vector>

#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

constexpr NodeRef numa(std::uint32_t index) { return {NodeKind::numa, index}; }

TEST_CASE("one node is an interleave of one share") {
  const Interleave only = numa(3);
  CHECK(only.node() == numa(3));
  CHECK(only.total() == 1);
  CHECK(Interleave(NodeRef{NodeKind::gpu, 1}).node().kind == NodeKind::gpu);
}

TEST_CASE("weights lose their common divisor, nodes are sorted and named once") {
  const Interleave mixed(std::vector<NodeShare>{{numa(4), 2}, {numa(0), 4}, {numa(4), 2}});
  CHECK(mixed.shares() == std::vector<NodeShare>{{numa(0), 1}, {numa(4), 1}});
  CHECK(mixed.total() == 2);
  CHECK(Interleave(std::vector<NodeShare>{{numa(2), 7}}).total() == 1);
}

}  // namespace
}  // namespace memsim::models
