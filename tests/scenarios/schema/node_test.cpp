#include "scenarios/schema/node.hpp"

#include "scenarios/schema/toml.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

Node tree_of(Sources& sources, const std::string& name, const std::string& text) {
  const SourceFile& file = sources.add(name, text, SourceRole::given);
  const std::optional<Node> tree = try_parse_toml(file, text);
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

TEST_CASE("a key with an index is laid on that item alone, or stays for the reader to refuse") {
  Sources sources;
  const Node base = tree_of(sources, "base", "[[g]]\nx = 1\n[[g]]\nx = 2\n");
  const Node over = tree_of(sources, "over", "[\"g[1]\"]\nx = 9\n[\"g[2]\"]\nx = 7\n");
  const Node merged = merge(base, over);
  REQUIRE(merged.find("g")->items.size() == 2);
  CHECK(merged.find("g")->items[0].find("x")->integer == 1);
  CHECK(merged.find("g")->items[1].find("x")->integer == 9);
  CHECK(merged.find("g[1]") == nullptr);
  CHECK(merged.find("g[2]") != nullptr);
}

TEST_CASE("of texts laid one after the other the later one wins, indexed or not") {
  Sources sources;
  const Node base = tree_of(sources, "base", "[[g]]\nx = 1\n[[g]]\nx = 2\n");
  const std::vector<Node> over{
      tree_of(sources, "a", "[g]\nx = 3\n"), tree_of(sources, "b", "[\"g[0]\"]\nx = 4\n"),
      tree_of(sources, "c", "[g]\nx = 5\n"), tree_of(sources, "d", "[\"g[1]\"]\nx = 6\n")};
  const Node merged = merge(base, over);
  CHECK(merged.find("g")->items[0].find("x")->integer == 5);
  CHECK(merged.find("g")->items[1].find("x")->integer == 6);
}

TEST_CASE("item keys are a name and a plain index in brackets") {
  CHECK(item_key("gpu[12]")->list == "gpu");
  CHECK(item_key("gpu[12]")->index == 12);
  for (const char* key : {"gpu", "gpu[]", "gpu[x]", "gpu[-1]", "gpu[1", "gpu1]", "[1]", "gpu[1]x",
                          "gpu[99999999999999999999]"}) {
    INFO(key);
    CHECK_FALSE(item_key(key).has_value());
  }
}

TEST_CASE("a value knows its layer and what it replaced") {
  Sources sources;
  const Node base = tree_of(sources, "base", "x = 1\ny = 1\n");
  const Node middle = tree_of(sources, "middle", "x = 2\n");
  const std::vector<Node> typed{tree_of(sources, "a", "x = 3\n"), tree_of(sources, "b", "y = 4\n")};
  const Node merged = merge(merge(base, middle), typed);
  const Node& x = *merged.find("x");
  CHECK(x.layer == 2);
  REQUIRE(x.replaced != nullptr);
  CHECK(x.replaced->integer == 2);
  CHECK(x.replaced->layer == 1);
  CHECK(x.replaced->replaced->integer == 1);
  CHECK(x.replaced->replaced->layer == 0);
  CHECK(merged.find("y")->layer == 2);  // typed together: one layer
  CHECK(merged.find("y")->replaced->layer == 0);
}

TEST_CASE("a tree of layers laid on a lower one keeps its order") {
  Sources sources;
  const Node part = tree_of(sources, "part", "x = 1\n");
  const Node placed =
      merge(tree_of(sources, "system", "x = 2\ny = 2\n"), tree_of(sources, "typed", "x = 3\n"));
  const Node merged = merge(part, placed);
  const Node& x = *merged.find("x");
  CHECK(x.integer == 3);
  CHECK(x.layer == 2);
  CHECK(x.replaced->integer == 2);
  CHECK(x.replaced->layer == 1);
  CHECK(x.replaced->replaced->integer == 1);
  CHECK(x.replaced->replaced->layer == 0);
  CHECK(merged.find("y")->layer == 1);
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
