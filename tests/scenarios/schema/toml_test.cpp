#include "scenarios/schema/toml.hpp"

#include "scenarios/schema/syntax_error.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

Node tree_of(const std::string& text) {
  static Sources sources;
  Diagnostics diagnostics;
  const std::optional<Node> tree =
      parse_toml(sources.add("x.toml", text, SourceRole::given), diagnostics);
  REQUIRE(tree.has_value());
  return *tree;
}

// The diagnostics of a text that is not TOML.
std::string fault(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  CHECK_FALSE(parse_toml(sources.add("x.toml", text, SourceRole::given), diagnostics).has_value());
  return diagnostics.text("");
}

}  // namespace

TEST_CASE("a TOML text becomes a tree in the order of the file, with places and written numbers") {
  const Node tree = tree_of(
      "z = 'text'\n"
      "a.b = 0.9_30\n"
      "[t]\n"
      "flag = true\n"
      "list = [1, 0x10]\n"
      "day = 2026-01-02\n"
      "[[items]]\n"
      "i = 1\n"
      "[[items]]\n"
      "i = 2\n");
  REQUIRE(tree.entries.size() == 4);
  CHECK(tree.entries[0].key == "z");
  CHECK(tree.entries[1].key == "a");
  CHECK(tree.find("z")->text == "text");
  CHECK(tree.find("z")->location.span == Span{1, 5, 11});
  CHECK(tree.find("a")->find("b")->type == NodeType::real);
  CHECK(tree.find("a")->find("b")->text == "0.930");
  const Node& table = *tree.find("t");
  CHECK(table.location.span == Span{3, 1, 4});
  CHECK(table.find("flag")->flag);
  CHECK(table.find("list")->items.at(1).integer == 16);
  CHECK(table.find("list")->items.at(1).text == "0x10");
  CHECK(table.find("day")->type == NodeType::date);
  CHECK(tree.find("items")->items.at(1).find("i")->integer == 2);
  CHECK(tree.key_location("z").span == Span{1, 1, 2});
  CHECK(tree.find("nothing") == nullptr);
  CHECK(tree.key_location("nothing") == tree.location);
  CHECK(tree.value_location("nothing") == tree.location);
}

TEST_CASE("values that span lines are marked to the end of their first line") {
  const Node tree = tree_of("a = [\n  1,\n]\n");
  CHECK(tree.find("a")->location.span == Span{1, 5, 6});
}

TEST_CASE("syntax errors name their likely cause (E102)") {
  CHECK(fault("a = \"x\nb = 1\n") ==
        "error[E102]: this is not TOML\n"
        "  --> x.toml:1:7\n"
        "   |\n"
        " 1 | a = \"x\n"
        "   |       ^ the string that begins at 1:5 is not closed\n"
        "\n"
        "1 error\n");
  const auto cause = [](const std::string& text) {
    const std::string shown = fault(text);
    const std::size_t caret = shown.find("^ ");
    return shown.substr(caret + 2, shown.find('\n', caret) - caret - 2);
  };
  CHECK(cause("a = \"\"\"x\ny\n") == "the string that begins at 1:5 is not closed");
  CHECK(cause("a = [1, 2\nb = 3\n") == "the list that begins at 1:5 is not closed");
  CHECK(cause("a = { b = 1,\nc = 2 }\n") == "the table that begins at 1:5 is not closed");
  CHECK(cause("[a\nb = 1\n") == "the list that begins at 1:1 is not closed");
  CHECK(cause("a = 80 GB\n") == "text behind the value: a quantity needs quotes, as in \"80 GB\"");
  CHECK(cause("a =\n") == "the value is missing");
  CHECK(cause("a 1\n") == "a key is followed by `=` and its value");
  CHECK(cause("a.=1\n") == "a key is made of letters, digits, `_` and `-`");
  CHECK(cause("a = True\n") == "TOML writes true and false");
  CHECK(cause("a = Falsch\n") == "TOML writes true and false");
  CHECK(cause("a = 01\n") == "a number does not begin with 0");
  CHECK(cause("a = 1 # \xff\n") == "a byte that is not UTF-8");
  CHECK(cause("a = 1__0\n").find("underscore") != std::string::npos);  // in toml++'s words
}

TEST_CASE("a key given twice is reported with both places (E103)") {
  CHECK(fault("a = 1\n\n  a = 2\n") ==
        "error[E103]: key `a` is given twice\n"
        "  --> x.toml:3:3\n"
        "   |\n"
        " 3 |   a = 2\n"
        "   |   ^ already given at 1:1\n"
        "   |\n"
        "help: keep one of them\n"
        "\n"
        "1 error\n");
  CHECK(fault("[t]\nx = 1\n[u]\nx = 1\nx = 2\n").find("5:1") != std::string::npos);
  CHECK(fault("[t]\nx = 1\n[u]\nx = 1\nx = 2\n").find("already given at 4:1") != std::string::npos);
  CHECK(fault("[mem]\nx = 1\n[mem]\ny = 2\n").find("key `mem` is given twice") !=
        std::string::npos);
  CHECK(fault("[mem]\nx = 1\n[mem]\ny = 2\n").find("already given at 1:2") != std::string::npos);
  // Twice on one line: the first place is not in what stands before.
  CHECK(fault("a = { b = 1, b = 2 }\n").find("x.toml:1:14") != std::string::npos);
  CHECK(fault("a = { b = 1, b = 2 }\n").find("^ already given\n") != std::string::npos);
}

TEST_CASE("what is open is found past comments, escapes and closed constructs") {
  const auto opener = [](std::string_view text) { return open_at(text, 99, 1).opener; };
  CHECK(opener("a = 1") == 0);
  CHECK(opener("a = [1] # [") == 0);
  CHECK(opener("a = \"\\\"\" ") == 0);
  CHECK(opener("a = '\\' ") == 0);
  CHECK(opener("a = \"\"\" \" \"\" ") == '"');
  CHECK(opener("a = ''' ' ") == '\'');
  CHECK(opener("a = '''x'''") == 0);
  CHECK(opener("a = [ {b = 1}, ") == '[');
  CHECK(opener("a = [ {b = 1, ") == '{');
  CHECK(opener("] } = ") == 0);
  CHECK(open_at("a = '\u00e9\u00e9", 1, 9).span == Span{1, 5, 6});
}

}  // namespace memsim::scenarios
