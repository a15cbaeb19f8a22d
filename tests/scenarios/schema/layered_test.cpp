// Values that depend on which layer stated what: a file, what it inherits, --set.
#include "scenarios/schema/layered.hpp"

#include "scenarios/schema/override.hpp"
#include "scenarios/schema/reader.hpp"
#include "scenarios/schema/toml.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

using namespace sim::literals;

struct Link {
  std::string kind;
  std::int64_t lanes = 0;
  sim::Bandwidth bandwidth;
  sim::Bandwidth total;
};

const Schema<Link>& schema() {
  static const Schema<Link> link =
      Schema<Link>("link")
          .field("kind", &Link::kind, {.help = "", .fallback = "", .ruled_by = "bandwidth"})
          .field("lanes", &Link::lanes, {.help = "", .fallback = "0"})
          .field("bandwidth", &Link::bandwidth,
                 {.help = "", .required = true, .example = "1 GB/s", .follows = "lanes"})
          .field(
              "total", &Link::total,
              {.help = "", .fallback = "0 B/s", .most = 1'000'000'000'000, .follows = "bandwidth"});
  return link;
}

// Files laid on top of each other, and overrides on top of them.
struct Reading {
  Sources sources;
  Diagnostics diagnostics;
  Settings settings;
  std::optional<Link> link;

  explicit Reading(const std::vector<std::string>& files,
                   const std::vector<std::string>& typed = {}) {
    Node tree;
    for (const std::string& text : files) {
      const SourceFile& file = sources.add("f", text, SourceRole::given);
      tree = merge(std::move(tree), parse_toml(file, diagnostics).value());
    }
    std::vector<Node> overrides;
    for (const std::string& text : typed) {
      overrides.push_back(parse_override(text, sources, diagnostics).value());
    }
    link = read(schema(), merge(std::move(tree), overrides), diagnostics, &settings);
  }

  [[nodiscard]] std::string setting(std::string_view path) const {
    for (const Setting& each : settings) {
      if (each.path == path) return each.value + " | " + origin(each) + " | " + each.comment;
    }
    return "";
  }
};

const std::string base =
    "kind = \"PCIe\"\nlanes = 16\nbandwidth = \"32 GB/s\"\ntotal = \"48 GB/s\"\n";

}  // namespace

TEST_CASE("a value follows the key it was stated for, in proportion") {
  const Reading reading({base}, {"lanes=8"});
  REQUIRE(reading.link.has_value());
  CHECK(reading.link->bandwidth == 16_GBps);
  CHECK(reading.setting("bandwidth") == "16 GB/s | follows lanes (--set) | 32 GB/s at lanes = 16");
  CHECK_FALSE(reading.diagnostics.has_errors());
  CHECK(reading.diagnostics.warnings() == 0);
}

TEST_CASE("what follows something that follows moves along") {
  const Reading reading({base}, {"lanes=4"});
  CHECK(reading.link->total == 12_GBps);
  CHECK(reading.setting("total") == "12 GB/s | follows lanes (--set) | 48 GB/s at lanes = 16");
  const Reading faster({base}, {"bandwidth=64 GB/s"});
  CHECK(faster.link->total == 96_GBps);
  CHECK(faster.setting("total") ==
        "96 GB/s | follows bandwidth (--set) | 48 GB/s at bandwidth = 32 GB/s");
}

TEST_CASE("what is stated beside the key is not moved, in whatever order it was typed") {
  for (const std::vector<std::string>& typed :
       {std::vector<std::string>{"lanes=8", "bandwidth=10 GB/s"},
        std::vector<std::string>{"bandwidth=10 GB/s", "lanes=8"}}) {
    const Reading reading({base}, typed);
    CHECK(reading.link->bandwidth == 10_GBps);
    CHECK(reading.setting("bandwidth") == "10 GB/s | --set | ");
  }
  CHECK(Reading({base, "lanes = 8\nbandwidth = \"11 GB/s\"\n"}).link->bandwidth == 11_GBps);
}

TEST_CASE("a value that only replaces its own stays as it is") {
  CHECK(Reading({base}, {"bandwidth=10 GB/s"}).link->bandwidth == 10_GBps);
  CHECK(Reading({base, "bandwidth = \"10 GB/s\"\n"}).link->bandwidth == 10_GBps);
}

TEST_CASE("files move values as overrides do, from the layer that stated them") {
  const Reading heir({base, "lanes = 8\n"});
  CHECK(heir.link->bandwidth == 16_GBps);
  CHECK(heir.setting("bandwidth") == "16 GB/s | follows lanes (f:1) | 32 GB/s at lanes = 16");
  // 20 GB/s was stated on top of 16 lanes, so 4 lanes are a quarter of it.
  CHECK(Reading({base, "bandwidth = \"20 GB/s\"\n"}, {"lanes=4"}).link->bandwidth == 5_GBps);
  // 20 GB/s was stated with 8 lanes.
  CHECK(Reading({base, "lanes = 8\nbandwidth = \"20 GB/s\"\n"}, {"lanes=4"}).link->bandwidth ==
        10_GBps);
  CHECK(Reading({base, "lanes = 8\n", "lanes = 4\n"}).link->bandwidth == 8_GBps);
}

TEST_CASE("a key that was not stated before moves nothing") {
  const Reading reading({"bandwidth = \"32 GB/s\"\n"}, {"lanes=8"});
  CHECK(reading.link->bandwidth == 32_GBps);
  CHECK(Reading({"lanes = 0\nbandwidth = \"32 GB/s\"\n"}, {"lanes=8"}).link->bandwidth == 32_GBps);
}

TEST_CASE("a value that follows out of its range is an error at what moved it (E124)") {
  const Reading reading({base}, {"bandwidth=32 TB/s"});
  CHECK_FALSE(reading.link.has_value());
  CHECK(reading.diagnostics.text("") ==
        "error[E124]: `total` follows `bandwidth` out of its range\n"
        "  --> --set:1:11\n"
        "   |\n"
        " 1 | bandwidth=32 TB/s\n"
        "   |           ^^^^^^^ expected 0 B/s to 1 TB/s\n"
        "   |\n"
        "note: 48 GB/s at bandwidth = 32 GB/s\n"
        "help: set `total` as well\n"
        "\n"
        "1 error\n");
}

TEST_CASE("replacing a key that another one makes ineffective is a warning (W136)") {
  const Reading reading({base}, {"kind=CXL"});
  REQUIRE(reading.link.has_value());
  CHECK(reading.diagnostics.text("") ==
        "warning[W136]: `kind = \"CXL\"` changes nothing\n"
        "  --> --set:1:6\n"
        "   |\n"
        " 1 | kind=CXL\n"
        "   |      ^^^ `bandwidth` rules, and stays 32 GB/s\n"
        "   |\n"
        "help: set `bandwidth` as well\n"
        "\n"
        "1 warning\n");
  CHECK(Reading({base}, {"kind=PCIe"}).diagnostics.warnings() == 0);
  CHECK(Reading({base}, {"kind=CXL", "bandwidth=9 GB/s"}).diagnostics.warnings() == 0);
  CHECK(Reading({base}).diagnostics.warnings() == 0);
}

TEST_CASE("a value is known as it was under any number of layers") {
  Sources sources;
  Diagnostics diagnostics;
  const auto tree = [&](const std::string& text) {
    return parse_toml(sources.add("f", text, SourceRole::given), diagnostics).value();
  };
  const Node top = merge(merge(tree("a = 1\n"), tree("b = 2\n")), tree("a = 3\nb = 4\n"));
  const Node* a = top.find("a");
  const Node* b = top.find("b");
  CHECK(as_of(a, 2)->text == "3");
  CHECK(as_of(a, 1)->text == "1");
  CHECK(as_of(a, 0)->text == "1");
  CHECK(as_of(b, 1)->text == "2");
  CHECK(as_of(b, 0) == nullptr);
  CHECK(as_of(nullptr, 7) == nullptr);
}

}  // namespace memsim::scenarios
