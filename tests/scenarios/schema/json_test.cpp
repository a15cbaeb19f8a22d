#include "scenarios/schema/json.hpp"

#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

struct Reading {
  explicit Reading(const std::string& text) : file("x.json", text, SourceRole::given, 0) {
    tree = parse_json(file, diagnostics);
  }
  // The only diagnostic.
  std::string fault() const {
    CHECK_FALSE(tree.has_value());
    REQUIRE(diagnostics.sorted().size() == 1);
    return diagnostics.sorted()[0].sentence();
  }

  SourceFile file;
  Diagnostics diagnostics;
  std::optional<Node> tree;
};

std::string fault(const std::string& text) { return Reading(text).fault(); }

}  // namespace

TEST_CASE("a JSON text becomes a tree in the order of the file, with the place of every value") {
  const Reading reading(
      "\xEF\xBB\xBF{\"z\" : \"\u00e9\\n\\\"\",\n \"a\": [1, -2.50 ,{}],\n"
      "  \"f\":true,\"n\":null, \"big\":18446744073709551615}");
  REQUIRE(reading.tree.has_value());
  const Node& root = *reading.tree;
  REQUIRE(root.entries.size() == 5);
  CHECK(root.entries[0].key == "z");
  CHECK(root.find("z")->type == NodeType::text);
  CHECK(root.find("z")->text == "\u00e9\n\"");
  CHECK(root.key_location("z").span == Span{1, 3, 6});
  CHECK(root.value_location("z").span == Span{1, 9, 16});
  const Node& list = *root.find("a");
  CHECK(list.type == NodeType::list);
  CHECK(list.location.text() == "x.json:2:7");
  REQUIRE(list.items.size() == 3);
  CHECK(list.items[0].integer == 1);
  CHECK(list.items[1].type == NodeType::real);
  CHECK(list.items[1].text == "-2.50");
  CHECK(list.items[1].location.span == Span{2, 11, 16});
  CHECK(list.items[2].type == NodeType::table);
  CHECK(list.items[2].location.span == Span{2, 18, 19});
  CHECK(root.find("f")->flag);
  CHECK(root.value_location("f").span == Span{3, 7, 11});
  CHECK(root.find("n")->type == NodeType::null);
  CHECK(root.find("big")->type == NodeType::real);
  CHECK(root.find("big")->text == "18446744073709551615");
}

TEST_CASE("a text that is one value needs no object") {
  CHECK(Reading("7").tree->integer == 7);
  CHECK(Reading(" \"x\" ").tree->text == "x");
  CHECK(Reading("[[1],[2]]").tree->items[1].items[0].integer == 2);
}

TEST_CASE("one line of a file of lines is read with its own place") {
  const SourceFile file("x.jsonl", "{\"a\":1}\n{\"a\":}\n{\"a\":3}", SourceRole::given, 0);
  Diagnostics diagnostics;
  CHECK(parse_json_line(file, 3, diagnostics)->value_location("a").text() == "x.jsonl:3:6");
  CHECK_FALSE(diagnostics.has_errors());
  CHECK_FALSE(parse_json_line(file, 2, diagnostics).has_value());
  CHECK_THAT(diagnostics.sorted()[0].sentence(),
             Catch::StartsWith("E112 x.jsonl:2:6: this is not JSON; unexpected '}'"));
}

TEST_CASE("syntax errors name their place and likely cause (E112)") {
  CHECK(fault("{\"a\":[1,\n2") ==
        "E112 x.json:2:2: this is not JSON; the list that begins at 1:6 is not closed");
  CHECK(fault("{\"a\":{") ==
        "E112 x.json:1:7: this is not JSON; the object that begins at 1:6 is not closed");
  CHECK(fault("{\"a\":1,}") ==
        "E112 x.json:1:8: this is not JSON; unexpected '}'; expected string literal");
  CHECK_THAT(fault("{\"a\":\"x\n\"}"), Catch::StartsWith("E112 x.json:1:8: this is not JSON; "
                                                         "invalid string: control character"));
  CHECK_THAT(fault("{\"a\":\"\xFF\"}"), Catch::StartsWith("E112 x.json:1:7: this is not JSON; "
                                                          "invalid string: ill-formed UTF-8"));
  CHECK(fault("[1e999]") == "E112 x.json:1:6: this is not JSON; a number beyond all bounds");
  CHECK_THAT(fault("{} x"), Catch::StartsWith("E112 x.json:1:4: "));
  CHECK_THAT(fault(""), Catch::StartsWith("E112 x.json:1:1: "));
  CHECK_THAT(fault("[NaN]"), Catch::StartsWith("E112 x.json:1:2: "));
}

TEST_CASE("nesting has a limit") {
  CHECK(Reading(std::string(64, '[') + std::string(64, ']')).tree.has_value());
  CHECK(fault(std::string(100'000, '[')) ==
        "E112 x.json:1:65: this JSON is nested too deeply; expected at most 64 levels");
}

TEST_CASE("all keys that are given twice are told, with both places (E103)") {
  const Reading reading("{\"a\":1,\"b\":{\"c\":1,\"c\":2},\n\"a\":3,\"a\":4}");
  CHECK_FALSE(reading.tree.has_value());
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : reading.diagnostics.sorted())
    lines.push_back(diagnostic.sentence());
  CHECK(lines ==
        std::vector<std::string>{
            "E103 x.json:1:19: key `c` is given twice; already given at 1:13; keep one of them",
            "E103 x.json:2:1: key `a` is given twice; already given at 1:2; keep one of them",
            "E103 x.json:2:7: key `a` is given twice; already given at 2:1; keep one of them"});
}

}  // namespace memsim::scenarios
