#include "scenarios/schema/node.hpp"

#include "scenarios/schema/toml.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

Node tree_of(Sources& sources, const std::string& name, const std::string& text) {
  const std::optional<Node> tree = try_parse_toml(sources.add(name, text, SourceRole::given));
  REQUIRE(tree.has_value());
  return *tree;
}

}  // namespace

TEST_CASE("merging goes key by key, and each value keeps its place") {
  Sources sources;
  const Node base = tree_of(sources, "base", "a = 1\n[t]\nx = 1\ny = 2\n");
  const Node over = tree_of(sources, "over", "b = 3\n[t]\ny = 4\nz = 5\n");
  const Node merged = merge(base, over);
  CHECK(merged.find("a")->integer == 1);
  CHECK(merged.find("b")->integer == 3);
  const Node& table = *merged.find("t");
  CHECK(table.find("x")->integer == 1);
  CHECK(table.find("y")->integer == 4);
  CHECK(table.find("z")->integer == 5);
  CHECK(table.find("x")->location.file->name() == "base");
  CHECK(table.find("y")->location.file->name() == "over");
  CHECK(table.key_location("y").file->name() == "over");
  CHECK(table.location.file->name() == "base");
}

TEST_CASE("lists and values of another type are replaced whole") {
  Sources sources;
  const Node base = tree_of(sources, "base", "l = [1, 2]\ns = 1\n[t]\nx = 1\n");
  const Node over = tree_of(sources, "over", "l = [3]\nt = 7\n[s]\ny = 2\n");
  const Node merged = merge(base, over);
  CHECK(merged.find("l")->items.size() == 1);
  CHECK(merged.find("t")->integer == 7);
  CHECK(merged.find("s")->find("y")->integer == 2);
}

TEST_CASE("a table over a list of tables is laid on each of them") {
  Sources sources;
  const Node base = tree_of(sources, "base", "[[g]]\nx = 1\n[[g]]\nx = 2\n");
  const Node over = tree_of(sources, "over", "[g]\nx = 9\n");
  const Node merged = merge(base, over);
  REQUIRE(merged.find("g")->items.size() == 2);
  CHECK(merged.find("g")->items[0].find("x")->integer == 9);
  CHECK(merged.find("g")->items[1].find("x")->integer == 9);
}

TEST_CASE("types have names for sentences") {
  CHECK(name(NodeType::table) == "table");
  CHECK(name(NodeType::list) == "list");
  CHECK(name(NodeType::text) == "string");
  CHECK(name(NodeType::integer) == "integer");
  CHECK(name(NodeType::real) == "number");
  CHECK(name(NodeType::flag) == "true or false");
  CHECK(name(NodeType::date) == "date");
  CHECK(name(NodeType::null) == "null");
}

}  // namespace memsim::scenarios
