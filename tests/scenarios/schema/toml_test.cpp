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
  const std::optional<Node> tree =
      parse_toml(sources.add("x.toml", text, SourceRole::given), diagnostics);
  CHECK((!tree || tree->incomplete));
  CHECK(diagnostics.has_errors());
  return diagnostics.text("");
}

// The places of the errors of a text.
std::vector<std::string> places(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  parse_toml(sources.add("x.toml", text, SourceRole::given), diagnostics);
  std::vector<std::string> found;
  for (const Diagnostic& d : diagnostics.sorted()) {
    const Span& at = d.location.span;
    found.push_back(d.code + " " + std::to_string(at.line) + ":" + std::to_string(at.column));
  }
  return found;
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
    const std::size_t caret = shown.find('^');
    const std::size_t label = shown.find_first_not_of("^ |\n", caret);
    return shown.substr(label, shown.find('\n', label) - label);
  };
  CHECK(cause("a = \"\"\"x\ny\n") == "the string that begins at 1:5 is not closed");
  CHECK(cause("a = [1, 2\nb = 3\n") == "the list that begins at 1:5 is not closed");
  CHECK(cause("a = { b = 1,\nc = 2 }\n") == "the table that begins at 1:5 is not closed");
  CHECK(cause("[a\nb = 1\n") == "the header that begins at 1:1 is not closed");
  CHECK(cause("a = [1 2]\n") == "a comma is missing");
  CHECK(cause("a = { b = 1, }\n") == "no comma after the last key of a table in braces");
  CHECK(cause("a = { b = 1, w\u00ed = 2 }\n") == "a key is followed by `=` and its value");
  CHECK(cause("a = HBM\n") == "a value is a number, true, false, a list, or text in quotes");
  CHECK(cause("a = 99999999999999999999\n") == "beyond what 64 bits can count");
  CHECK(cause("= 3\n") == "a line is a key with its value, or a [table]");
  CHECK(cause("a = \"x\x01y\"\n") == "a control character");
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

TEST_CASE("all lines that are no TOML are reported, and the others are read") {
  Sources sources;
  Diagnostics diagnostics;
  const SourceFile& file = sources.add(
      "x.toml", "a = HBM\nb = 1\nb = 2\n[t]\nc = \"x\nd = 3\nd.e = 4\n", SourceRole::given);
  const std::optional<Node> tree = parse_toml(file, diagnostics);
  REQUIRE(tree.has_value());
  CHECK(tree->incomplete);
  CHECK(tree->find("b")->integer == 1);
  CHECK(tree->find("t")->find("d")->integer == 3);
  CHECK(tree->find("a") == nullptr);
  CHECK(diagnostics.errors() == 4);
  CHECK(places("a = HBM\nb = 1\nb = 2\n[t]\nc = \"x\nd = 3\nd.e = 4\n") ==
        std::vector<std::string>{"E102 1:5", "E103 3:1", "E102 5:7", "E103 7:1"});
}

TEST_CASE("what follows from an error is not an error of its own") {
  // Without its header a table's keys would be those of another; without its first line a list or
  // text makes no sense.
  CHECK(places("a = 1\n[t]\nb = 1\n[t]\nb = 2\na = x\n") == std::vector<std::string>{"E103 4:2"});
  CHECK(places("[t\na = 1\nb = HBM\n") == std::vector<std::string>{"E102 1:3"});
  CHECK(places("a = [1,\n2\nb = 3\nc = HBM\n") == std::vector<std::string>{"E102 3:1"});
  CHECK(places("a = \"\"\"x\nb = HBM\n").size() == 1);
  CHECK(places("a = \"\xff\"\nb = HBM\n") == std::vector<std::string>{"E102 1:5"});
}

TEST_CASE("as many errors as are shown are looked for") {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "a" + std::to_string(i) + " = HBM\n";
  CHECK(places(text).size() == Diagnostics::shown_at_most);
}

TEST_CASE("keys go only so deep (E102)") {
  std::string key = "a";
  for (int i = 1; i < 64; ++i) key += ".a";
  CHECK(tree_of(key + " = 1.5\n").find("a") != nullptr);
  CHECK(tree_of("[" + key + "]\n").find("a") != nullptr);
  // 64 parts and dots, then the 65th part.
  CHECK(places("x = 1\n" + key + ".a = 1\n") == std::vector<std::string>{"E102 2:129"});
  CHECK(places("[" + key + ".a]\n") == std::vector<std::string>{"E102 1:130"});
  CHECK(places("x = { " + key + ".a = 1 }\n").size() == 1);
  CHECK(tree_of("x = \"" + std::string(1000, '.') + "\"\n# " + std::string(1000, '.') + "\n")
            .find("x") != nullptr);
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
  // Of keys with one name, the one in the same table.
  CHECK(fault("a.k = 1\nb.k = 1\na.k = 2\n").find("already given at 1:3") != std::string::npos);
  CHECK(fault("a.k = 1\nb.k = 1\na.k = 2\n").find("key `a.k` is given twice") != std::string::npos);
  // A value and a table of one name.
  CHECK(fault("a = 1\na.k.l = 2\n").find("key `a` is given twice") != std::string::npos);
  CHECK(fault("a = 1\na.k.l = 2\n").find("2:1") != std::string::npos);
  CHECK(fault("a = 1\na.k.l = 2\n").find("already given at 1:1") != std::string::npos);
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
