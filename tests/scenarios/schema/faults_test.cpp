#include "scenarios/schema/faults.hpp"

#include "scenarios/schema/reader.hpp"
#include "scenarios/schema/toml.hpp"
#include "tests/scenarios/schema/example_schema.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {

TEST_CASE("a fault hides its value and what is below it, not what is beside it") {
  Faults faults;
  CHECK(faults.empty());
  CHECK_FALSE(faults.hide("gpu"));
  faults.add("gpu[1].memory");
  CHECK_FALSE(faults.empty());
  CHECK(faults.hide("gpu[1].memory"));
  CHECK(faults.hide("gpu[1].memory.capacity"));
  CHECK_FALSE(faults.hide("gpu[1].memory_kind"));
  CHECK_FALSE(faults.hide("gpu[11].memory"));
  CHECK_FALSE(faults.hide("gpu[1].id"));
}

TEST_CASE("a fault in an entry hides the list only where all of it is asked for") {
  Faults faults;
  faults.add("gpu[1].count");
  CHECK_FALSE(faults.hide("gpu"));
  CHECK(faults.hide("gpu[*]"));
  faults.add("link");
  CHECK(faults.hide("link"));
  CHECK(faults.hide("link[0].from"));
}

TEST_CASE("a check looks whenever its keys were read, whatever else is wrong") {
  Sources sources;
  const auto codes = [&](const std::string& text) {
    Diagnostics diagnostics;
    const SourceFile& file = sources.add("x.toml", text, SourceRole::given);
    const auto tree = parse_toml(file, diagnostics);
    REQUIRE(tree.has_value());
    const auto example = read_partly(example_schema(), *tree, diagnostics);
    CHECK_FALSE(example.good);
    std::vector<std::string> result;
    for (const Diagnostic& each : diagnostics.sorted()) result.push_back(each.code);
    return result;
  };
  using Codes = std::vector<std::string>;
  const std::string both = "capacity = \"80 GB\"\nusable = \"90 GB\"\n";
  CHECK(codes(both) == Codes{"E135"});
  CHECK(codes(both + "foo = 1\n") == Codes{"E135", "E104"});
  CHECK(codes(both + "lanes = 99\n") == Codes{"E135", "E124"});
  // 90 GB would be too much, but of what is not known.
  CHECK(codes("capacity = 80\nusable = \"90 GB\"\n") == Codes{"E121"});
  // Nor where another key was meant to be one of them.
  CHECK(codes(both + "usabel = \"70 GB\"\n") == Codes{"E104"});
}

}  // namespace memsim::scenarios
