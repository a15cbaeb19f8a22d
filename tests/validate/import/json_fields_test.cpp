#include "validate/import/json_fields.hpp"

#include <optional>

#include "scenarios/schema/json.hpp"
#include "tests/support/catch.hpp"

namespace memsim::validate {
namespace {

using scenarios::Diagnostic;
using scenarios::Diagnostics;

// Calls `read` with the fields of an object called "row"; returns what it told.
template <class Read>
std::vector<std::string> told(const std::string& text, Read read) {
  const scenarios::SourceFile file("x.json", text, scenarios::SourceRole::given, 0);
  Diagnostics diagnostics;
  const std::optional<scenarios::Node> tree = scenarios::parse_json(file, diagnostics);
  REQUIRE(tree.has_value());
  JsonFields fields(*tree, "row", diagnostics);
  read(fields);
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : diagnostics.sorted()) lines.push_back(diagnostic.sentence());
  return lines;
}

TEST_CASE("values of the wanted type are read; absent and null are the same") {
  CHECK(told(R"({"i":-7,"f":true,"t":"x","r":0.25,"n":null,"l":[1],"o":{}})", [](JsonFields& row) {
          CHECK(row.integer("i", -9) == -7);
          CHECK(row.flag("f") == true);
          CHECK(row.text("t") == "x");
          CHECK(row.millionths("r") == 250'000);
          CHECK(row.list("l")->items.size() == 1);
          CHECK(row.table("o") != nullptr);
          CHECK(row.find("n") == nullptr);
          CHECK_FALSE(row.integer("n", 0).has_value());
          CHECK_FALSE(row.text("none").has_value());
          CHECK(row.unknown().empty());
        }).empty());
}

TEST_CASE("values of another type are told with place and key") {
  const auto read = [](JsonFields& row) {
    CHECK_FALSE(row.integer("i", 0).has_value());
    CHECK_FALSE(row.flag("f").has_value());
    CHECK_FALSE(row.text("t").has_value());
    CHECK_FALSE(row.millionths("r").has_value());
    CHECK(row.list("l") == nullptr);
    CHECK(row.table("o") == nullptr);
  };
  CHECK(
      told("{\"i\":\"x\",\n\"f\":1,\"t\":[],\"r\":1.5,\n\"l\":{},\"o\":false}", read) ==
      std::vector<std::string>{"E106 x.json:1:6: row.i is the string \"x\"; expected an integer",
                               "E106 x.json:2:5: row.f is 1; expected true or false",
                               "E106 x.json:2:11: row.t is a list; expected a string",
                               "E106 x.json:2:18: row.r is 1.5; expected a number between 0 and 1",
                               "E106 x.json:3:5: row.l is an object; expected a list",
                               "E106 x.json:3:12: row.o is false; expected an object"});
}

TEST_CASE("integers have limits, and numbers with a fraction are none") {
  const auto read = [](JsonFields& row) {
    for (const char* const key : {"a", "b", "c", "d"}) CHECK_FALSE(row.integer(key, 1, 9));
    CHECK(row.integer("e", 1, 9) == 9);
  };
  CHECK(told(R"({"a":0,"b":10,"c":99999999999999999999,"d":1e0,"e":9})", read) ==
        std::vector<std::string>{
            "E124 x.json:1:6: row.a is 0; expected an integer from 1 to 9",
            "E124 x.json:1:12: row.b is 10; expected an integer from 1 to 9",
            "E124 x.json:1:19: row.c is 99999999999999999999; expected an integer from 1 to 9",
            "E106 x.json:1:44: row.d is 1e0; expected an integer"});
}

TEST_CASE("what is required is told when it is absent, what nobody asked for can be") {
  const auto read = [](JsonFields& row) {
    CHECK(row.require("a") != nullptr);
    CHECK(row.require("b") == nullptr);
    CHECK(row.require("n") == nullptr);
    REQUIRE(row.unknown().size() == 1);
    CHECK(row.unknown()[0]->key == "x");
    row.report_unknown(*row.unknown()[0], "y");
  };
  CHECK(told(R"({"a":1,"x":2,"n":null})", read) ==
        std::vector<std::string>{"E105 x.json:1:1: row.b is missing",
                                 "E104 x.json:1:8: row.x is not known; did you mean `y`?",
                                 "E105 x.json:1:18: row.n is missing"});
}

TEST_CASE("values in messages are short, however long they are") {
  scenarios::Node node;
  node.type = scenarios::NodeType::text;
  node.text = std::string(100, 'x');
  CHECK(describe(node) == "the string \"" + std::string(40, 'x') + "...\"");
  node.type = scenarios::NodeType::real;
  node.text = std::string(100, '7');
  CHECK(describe(node) == std::string(40, '7') + "...");
}

}  // namespace
}  // namespace memsim::validate
