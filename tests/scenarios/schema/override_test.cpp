#include "scenarios/schema/override.hpp"

#include "scenarios/schema/reader.hpp"
#include "scenarios/schema/toml.hpp"
#include "tests/scenarios/schema/example_schema.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

using namespace sim::literals;

std::optional<Node> override_of(const std::string& text) {
  static Sources sources;
  Diagnostics diagnostics;
  return parse_override(text, sources, diagnostics);
}

}  // namespace

TEST_CASE("an override is a tree with one key; TOML values keep their type") {
  CHECK(override_of("a.b.c=8")->find("a")->find("b")->find("c")->type == NodeType::integer);
  CHECK(override_of("a = 0.5")->find("a")->type == NodeType::real);
  CHECK(override_of("a=true")->find("a")->flag);
  CHECK(override_of("a=\"80 GB\"")->find("a")->text == "80 GB");
  CHECK(override_of("a=[1, 2]")->find("a")->items.size() == 2);
  CHECK(override_of("a={b=1}")->find("a")->find("b")->integer == 1);
}

TEST_CASE("quotes around strings may be left out") {
  const std::optional<Node> tree = override_of("gpu.memory.usable = 30 GiB ");
  REQUIRE(tree.has_value());
  const Node* value = tree->find("gpu")->find("memory")->find("usable");
  REQUIRE(value != nullptr);
  CHECK(value->type == NodeType::text);
  CHECK(value->text == "30 GiB");
  CHECK(value->location.span == Span{1, 21, 27});
  CHECK(tree->find("gpu")->key_location("memory").span == Span{1, 5, 11});
  CHECK(override_of("precision=bf16")->find("precision")->text == "bf16");
}

TEST_CASE("what is no key=value is an error that shows one (E150)") {
  Sources sources;
  Diagnostics diagnostics;
  CHECK_FALSE(parse_override("capacity", sources, diagnostics).has_value());
  CHECK(diagnostics.text("nothing was simulated") ==
        "error[E150]: this is no `key=value`\n"
        "  --> --set:1:1\n"
        "   |\n"
        " 1 | capacity\n"
        "   | ^^^^^^^^ expected a key, `=` and a value\n"
        "   |\n"
        "help: for example: --set gpu.memory.usable=\"30 GiB\"\n"
        "\n"
        "1 error; nothing was simulated\n");
  for (const char* text : {"", "=1", " =1", "a=", "a= ", "a..b=1", ".a=1", "a b=1", "a.=1", "a[]=1",
                           "a[x]=1", "a[0=1", "a[0]b=1", "[0]=1", "\u00e9=1", "a'b=1", "\"a\"=1"}) {
    INFO(text);
    CHECK_FALSE(override_of(text).has_value());
  }
}

TEST_CASE("a part of the key may be an item of a list, as paths are printed") {
  const std::optional<Node> tree = override_of("gpu[0].memory.usable=20 GiB");
  REQUIRE(tree.has_value());
  CHECK(tree->find("gpu[0]")->find("memory")->find("usable")->text == "20 GiB");
  CHECK(tree->key_location("gpu[0]").span == Span{1, 1, 7});
  CHECK(tree->find("gpu[0]")->find("memory")->find("usable")->location.span == Span{1, 22, 28});
  CHECK(override_of("a[1]=0.5")->find("a[1]")->type == NodeType::real);
}

TEST_CASE("what is wrong with an override is marked where it is (E150)") {
  const auto mark = [](const std::string& text) {
    Sources sources;
    Diagnostics diagnostics;
    parse_override(text, sources, diagnostics);
    REQUIRE(diagnostics.errors() == 1);
    const Diagnostic found = diagnostics.sorted()[0];
    CHECK(found.code == "E150");
    return std::string(text_at(found.location)) + ": " + found.label;
  };
  CHECK(mark("a.b c.d=1") == "b c: expected letters, digits, `_` and `-` between dots");
  CHECK(mark("a.b[].c=1") == "b[]: expected an index: NAME[0]");
  CHECK(mark("a.b = ") == "a.b = : expected a value behind `=`");
  CHECK(mark("a=1\nb=2") == "a=1: expected one line");
  CHECK(mark("=1") == "=1: expected a key before `=`");
  std::string deep = "a";
  for (int i = 0; i < 32; ++i) deep += ".a";
  CHECK(mark(deep + "=1") == "a: a key has at most 32 parts");
}

TEST_CASE("an override is one key, whatever its value looks like") {
  CHECK(override_of("a=[1")->find("a")->text == "[1");
  CHECK(override_of("a=\"x")->find("a")->text == "\"x");
  CHECK(override_of("a=b=c")->find("a")->text == "b=c");
  CHECK(override_of("a=x # y")->find("a")->text == "x # y");
  CHECK(override_of("a=\u00e9\u00b5")->find("a")->location.span == Span{1, 3, 5});
}

TEST_CASE("an override replaces the file's value, and errors point at the command line") {
  Sources sources;
  Diagnostics diagnostics;
  const auto file = parse_toml(
      sources.add("x.toml", "capacity = \"80 GB\"\nlanes = 4\n", SourceRole::given), diagnostics);
  const auto good = parse_override("lanes=8", sources, diagnostics);
  Settings settings;
  const auto example = read(example_schema(), merge(*file, *good), diagnostics, &settings);
  REQUIRE(example.has_value());
  CHECK(example->lanes == 8);
  CHECK(example->capacity == 80_GB);
  for (const Setting& setting : settings) {
    if (setting.path == "lanes") CHECK(origin(setting) == "--set");
  }

  const auto wrong = parse_override("link_bw=32", sources, diagnostics);
  CHECK_FALSE(read(example_schema(), merge(*file, *wrong), diagnostics).has_value());
  CHECK(diagnostics.text("") ==
        "error[E121]: `link_bw = 32` has no unit\n"
        "  --> --set:1:9\n"
        "   |\n"
        " 1 | link_bw=32\n"
        "   |         ^^ expected a bandwidth string such as \"32 GB/s\" or \"256 Gb/s\"\n"
        "\n"
        "1 error\n");
}

}  // namespace memsim::scenarios
