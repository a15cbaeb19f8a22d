#include "scenarios/schema/reader.hpp"

#include "scenarios/schema/toml.hpp"
#include "sim/core/check.hpp"
#include "tests/scenarios/schema/example_schema.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

using namespace sim::literals;

struct Reading {
  std::optional<Example> example;
  Settings settings;
  std::string diagnostics;
};

Reading read_text(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  Reading reading;
  const std::optional<Node> tree =
      parse_toml(sources.add("x.toml", text, SourceRole::given), diagnostics);
  REQUIRE(tree.has_value());
  reading.example = read(example_schema(), *tree, diagnostics, &reading.settings);
  CHECK(reading.example.has_value() != diagnostics.has_errors());
  reading.diagnostics = diagnostics.text("");
  for (Setting& setting : reading.settings) setting.comment += origin(setting);
  return reading;
}

// The diagnostics of one faulty line in a file that is right otherwise.
std::string fault(const std::string& line) {
  return read_text("capacity = \"80 GB\"\n" + line + "\n").diagnostics;
}

// The message and the label of that fault, without the excerpt.
std::string short_fault(const std::string& line) {
  Sources sources;
  Diagnostics diagnostics;
  const auto tree =
      parse_toml(sources.add("x.toml", "capacity = \"80 GB\"\n" + line + "\n", SourceRole::given),
                 diagnostics);
  read(example_schema(), *tree, diagnostics);
  REQUIRE_FALSE(diagnostics.sorted().empty());
  const Diagnostic found = diagnostics.sorted().front();
  const std::string kind = found.severity() == Severity::error ? "error" : "warning";
  return kind + "[" + found.code + "]: " + found.message + "| " + found.label;
}

}  // namespace

TEST_CASE("every type of field is read") {
  const Reading reading = read_text(
      "name = 'n'\n"
      "capacity = '80 GB'\n"
      "usable = '79 GB'\n"
      "link_bw = '200 Gb/s'\n"
      "latency = '2.5 us'\n"
      "peak = '624 TOP/s'\n"
      "lanes = 8\n"
      "ecc = false\n"
      "colour = 'green'\n"
      "total = '50 GB/s'\n"
      "achieved = { up = 0.93, down = 1 }\n"
      "[[box]]\n"
      "id = 'a'\n"
      "[[box]]\n"
      "id = 'b'\n"
      "count = 3\n");
  CHECK(reading.diagnostics.empty());
  REQUIRE(reading.example.has_value());
  const Example& example = *reading.example;
  CHECK(example.name == "n");
  CHECK(example.capacity == 80_GB);
  CHECK(example.usable == 79_GB);
  CHECK(example.link_bw == 25_GBps);
  CHECK(example.latency == 2500_ns);
  CHECK(example.peak.value() == 624'000'000'000'000);
  CHECK(example.lanes == 8);
  CHECK_FALSE(example.ecc);
  CHECK(example.colour == Colour::green);
  CHECK(example.total == 50_GBps);
  CHECK(example.achieved.up == models::Fraction(930'000));
  CHECK(example.achieved.down == models::Fraction(1'000'000));
  REQUIRE(example.boxes.size() == 2);
  CHECK(example.boxes[0].id == "a");
  CHECK(example.boxes[0].count == 1);
  CHECK(example.boxes[1].count == 3);
}

TEST_CASE("absent keys take their fallback, another key's value, or stay empty") {
  const Reading reading = read_text("capacity = \"80 GB\"\n");
  REQUIRE(reading.example.has_value());
  const Example& example = *reading.example;
  CHECK(example.usable == 80_GB);
  CHECK(example.link_bw == 25_GBps);
  CHECK(example.latency == 1_us);
  CHECK(example.lanes == 16);
  CHECK(example.ecc);
  CHECK(example.colour == Colour::red);
  CHECK_FALSE(example.total.has_value());
  CHECK(example.achieved.up == models::Fraction(500'000));
  CHECK(example.achieved.down == models::Fraction(250'000));
  CHECK(example.boxes.empty());
}

TEST_CASE("a scalar in place of a table sets the keys of its shorthand") {
  const Reading reading = read_text("capacity = \"80 GB\"\nachieved = 0.8\n");
  REQUIRE(reading.example.has_value());
  CHECK(reading.example->achieved.up == models::Fraction(800'000));
  CHECK(reading.example->achieved.down == models::Fraction(800'000));
}

TEST_CASE("every value is listed with its origin, defaults included") {
  const Reading reading = read_text("capacity = \"80 GB\"  # data sheet\nlanes = 4\n");
  const auto find = [&](std::string_view path) {
    for (const Setting& setting : reading.settings) {
      if (setting.path == path) return setting.value + " | " + setting.comment;
    }
    return std::string("not listed");
  };
  CHECK(find("capacity") == "80 GB | data sheetx.toml:1");
  CHECK(find("usable") == "same as capacity | default");
  CHECK(find("lanes") == "4 | x.toml:2");
  CHECK(find("achieved.up") == "0.5 | default");
  CHECK(find("total") == "not listed");
  CHECK(reading.settings.front().help == "its name");
}

TEST_CASE("an unknown key is an error that names the nearest one (E104)") {
  CHECK(fault("memory_gib = 80") ==
        "error[E104]: unknown key `memory_gib`\n"
        "  --> x.toml:2:1\n"
        "   |\n"
        " 2 | memory_gib = 80\n"
        "   | ^^^^^^^^^^ not a key of an example file\n"
        "   |\n"
        "help: did you mean `capacity`? quantities are strings with a unit: capacity =\n"
        "      \"80 GB\"\n"
        "\n"
        "1 error\n");
  CHECK(fault("lane = 8").find("help: did you mean `lanes`?\n") != std::string::npos);
  CHECK(fault("up = 1").find("help: did you mean `achieved.up`?\n") != std::string::npos);
  CHECK(fault("achieved.left = 1").find("^ not a key of [achieved]\n") != std::string::npos);
  CHECK(fault("achieved.left = 1").find("help: keys of [achieved]: up, down\n") !=
        std::string::npos);
  CHECK(fault("[[box]]\nid='a'\nmass = 1").find("^ not a key of [[box]]\n") != std::string::npos);
}

TEST_CASE("a missing key is an error that says what to add (E105)") {
  CHECK(read_text("name = \"n\"\n").diagnostics ==
        "error[E105]: `capacity` is missing\n"
        "  --> x.toml:1:1\n"
        "   |\n"
        " 1 | name = \"n\"\n"
        "   | ^\n"
        "   |\n"
        "help: add capacity = \"80 GB\": memory as sold\n"
        "\n"
        "1 error\n");
  CHECK(
      fault("[[box]]\ncount = 2").find("error[E105]: `box[0].id` is missing\n  --> x.toml:2:1\n") ==
      0);
}

TEST_CASE("a wrong type is an error that says what was found (E106)") {
  CHECK(fault("lanes = \"8\"") ==
        "error[E106]: `lanes` has the wrong type\n"
        "  --> x.toml:2:9\n"
        "   |\n"
        " 2 | lanes = \"8\"\n"
        "   |         ^^^ expected an integer, found string \"8\": remove the quotes\n"
        "\n"
        "1 error\n");
  const auto label = [](const std::string& line) {
    const std::string text = short_fault(line);
    CHECK(text.starts_with("error[E106]: "));
    return text.substr(text.find('|') + 2);
  };
  CHECK(label("lanes = 8.5") == "expected an integer, found number");
  CHECK(label("lanes = \"eight\"") == "expected an integer, found string \"eight\"");
  CHECK(label("lanes = [8]") == "expected an integer, found list");
  CHECK(label("name = 8") == "expected a string, found integer: put it in quotes");
  CHECK(label("name = { a = 1 }") == "expected a string, found table");
  CHECK(label("ecc = \"true\"") ==
        "expected true or false, found string \"true\": remove the quotes");
  CHECK(label("ecc = 1") == "expected true or false, found integer");
  CHECK(label("colour = 1") == "expected a string, found integer: put it in quotes");
  CHECK(label("achieved.up = \"0.5\"") ==
        "expected a number, found string \"0.5\": remove the quotes");
  CHECK(label("achieved.up = true") == "expected a number, found true or false");
  CHECK(label("link_bw = [1]") == "expected a bandwidth string, found list");
  CHECK(label("latency = 2026-01-01") == "expected a time string, found date");
  CHECK(label("box = 1") == "expected a list of tables, found integer");
  CHECK(label("box = [1]") == "expected a table, found integer");
  CHECK(label("achieved = [1]") == "expected a table, found list");
}

TEST_CASE("an unknown word is an error that lists the known ones (E107)") {
  CHECK(short_fault("colour = \"gren\"") ==
        "error[E107]: `colour = \"gren\"` is not known| did you mean \"green\"? expected one of "
        "red, green");
  CHECK(short_fault("colour = \"blue\"") ==
        "error[E107]: `colour = \"blue\"` is not known| expected one of red, green");
}

TEST_CASE("a number without a unit is an error that shows fitting ones (E121)") {
  CHECK(fault("link_bw = 32") ==
        "error[E121]: `link_bw = 32` has no unit\n"
        "  --> x.toml:2:11\n"
        "   |\n"
        " 2 | link_bw = 32\n"
        "   |           ^^ expected a bandwidth string such as \"32 GB/s\" or \"256 Gb/s\"\n"
        "\n"
        "1 error\n");
  CHECK(short_fault("usable = \"79\"") ==
        "error[E121]: `usable = \"79\"` has no unit| expected a size string such as \"79 GB\" or "
        "\"79 GiB\"");
  CHECK(short_fault("latency = 0.5") ==
        "error[E121]: `latency = 0.5` has no unit| expected a time string such as \"0.5 us\" or "
        "\"0.5 ns\"");
  CHECK(short_fault("peak = 312") ==
        "error[E121]: `peak = 312` has no unit| expected a rate string such as \"312 TFLOP/s\"");
}

TEST_CASE("an unknown unit is an error that names the likely one (E122)") {
  CHECK(short_fault("link_bw = \"25 Gbps\"") ==
        "error[E122]: unknown unit `Gbps`| did you mean `Gb/s`?");
  CHECK(short_fault("link_bw = \"25 apples\"") ==
        "error[E122]: unknown unit `apples`| expected a bandwidth string such as \"25 GB/s\" or "
        "\"200 Gb/s\"");
  CHECK(short_fault("link_bw = \"fast\"") ==
        "error[E122]: `link_bw = \"fast\"` is not a quantity| expected a bandwidth string such as "
        "\"25 GB/s\" or \"200 Gb/s\"");
}

TEST_CASE("a unit of another dimension is an error that says which it is (E123)") {
  CHECK(
      short_fault("link_bw = \"25 GB\"") ==
      "error[E123]: `link_bw = \"25 GB\"` is an amount of memory| expected a bandwidth string such "
      "as \"25 GB/s\" or \"200 Gb/s\"");
  CHECK(short_fault("usable = \"1 us\"") ==
        "error[E123]: `usable = \"1 us\"` is a time| expected a size string such as \"1 GB\" or "
        "\"1 GiB\"");
}

TEST_CASE("a value out of range is an error that shows the range (E124)") {
  CHECK(short_fault("lanes = 33") == "error[E124]: `lanes = 33` is out of range| expected 1 to 32");
  CHECK(short_fault("achieved.up = 1.5") ==
        "error[E124]: `up = 1.5` is out of range| expected 0.001 to 1");
  CHECK(short_fault("achieved.up = 0") ==
        "error[E124]: `up = 0` is out of range| expected 0.001 to 1");
  CHECK(short_fault("achieved.up = inf") ==
        "error[E124]: `up = inf` is out of range| expected a plain decimal number");
  CHECK(short_fault("latency = \"-1 us\"") ==
        "error[E124]: `latency = \"-1 us\"` is out of range| expected at least 0 ps");
  CHECK(short_fault("latency = \"1e30 s\"") ==
        "error[E124]: `latency = \"1e30 s\"` is out of range| beyond what 64 bits can count");
  CHECK(read_text("capacity = \"1 MB\"\n").diagnostics.find("^ expected 1 GB to 1 TB\n") !=
        std::string::npos);
}

TEST_CASE("a check runs on values that were read, whatever is wrong with others") {
  CHECK(fault("usable = \"81 GB\"").starts_with("error[E135]: more usable than there is\n"));
  const std::string both = fault("usable = \"81 GB\"\nlanes = 0");
  CHECK(both.starts_with("error[E135]"));
  CHECK(both.find("error[E124]") != std::string::npos);
}

TEST_CASE("all independent errors of a file are reported in one reading, by position") {
  const std::string text = read_text(
                               "memory = 80\n"
                               "lanes = \"8\"\n"
                               "link_bw = 32\n"
                               "colour = 'blue'\n"
                               "achieved = { up = 2, left = 1 }\n"
                               "[[box]]\n"
                               "count = 99\n")
                               .diagnostics;
  std::vector<std::string> codes;
  for (std::size_t at = text.find("error["); at != std::string::npos;
       at = text.find("error[", at + 1)) {
    codes.push_back(text.substr(at + 6, 4));
  }
  CHECK(codes == std::vector<std::string>{"E104", "E105", "E106", "E121", "E107", "E124", "E104",
                                          "E105", "E124"});
}

TEST_CASE("in a table of which a part could not be loaded, absent keys are no fault") {
  Sources sources;
  Diagnostics diagnostics;
  std::optional<Node> tree =
      parse_toml(sources.add("x.toml", "lanes = 99\n", SourceRole::given), diagnostics);
  tree->incomplete = true;
  CHECK_FALSE(read(example_schema(), *tree, diagnostics).has_value());
  CHECK(diagnostics.errors() == 1);
  CHECK(diagnostics.sorted()[0].code == "E124");
}

TEST_CASE("suggestions replace the marked text") {
  const auto suggestion = [](const std::string& line) {
    Sources sources;
    Diagnostics diagnostics;
    const auto tree = parse_toml(
        sources.add("x.toml", "capacity = '80 GB'\n" + line, SourceRole::given), diagnostics);
    read(example_schema(), *tree, diagnostics);
    REQUIRE(diagnostics.errors() == 1);
    return diagnostics.sorted()[0].suggestion;
  };
  CHECK(suggestion("lane = 8") == "lanes");
  CHECK(suggestion("up = 1") == "achieved.up");
  CHECK(suggestion("lanes = \"8\"") == "8");
  CHECK(suggestion("name = 8") == "\"8\"");
  CHECK(suggestion("link_bw = \"25 Gbps\"") == "\"25 Gb/s\"");
  CHECK(suggestion("colour = \"gren\"") == "\"green\"");
  CHECK(suggestion("link_bw = 32").empty());
}

TEST_CASE("descriptions that contradict themselves are defects") {
  CHECK_THROWS_AS(Schema<Box>("box")
                      .field("id", &Box::id, {.help = "once"})
                      .field("id", &Box::id, {.help = "twice"}),
                  sim::InternalError);
  const Schema<Box> refuses =
      Schema<Box>("box").field("count", &Box::count, {.help = "", .fallback = "0", .least = 1});
  Diagnostics diagnostics;
  CHECK_THROWS_AS(read(refuses, Node{}, diagnostics), sim::InternalError);
}

TEST_CASE("a kind can include the keys and checks of another") {
  struct Placed {
    std::string place;
    Example example;
  };
  const Schema<Placed> schema =
      Schema<Placed>("place")
          .field("place", &Placed::place, {.help = "where", .required = true, .example = "left"})
          .include(&Placed::example, example_schema());
  Sources sources;
  Diagnostics diagnostics;
  const auto tree =
      parse_toml(sources.add("x.toml", "place='p'\ncapacity='80 GB'\nachieved=1\nbox=[{id='a'}]\n",
                             SourceRole::given),
                 diagnostics);
  const std::optional<Placed> placed = read(schema, *tree, diagnostics);
  REQUIRE(placed.has_value());
  CHECK(placed->place == "p");
  CHECK(placed->example.capacity == 80_GB);
  CHECK(placed->example.achieved.up == models::Fraction(1'000'000));
  CHECK(placed->example.boxes.at(0).id == "a");
  const auto wrong = parse_toml(
      sources.add("y.toml", "place='p'\ncapacity='80 GB'\nusable='90 GB'\n", SourceRole::given),
      diagnostics);
  CHECK_FALSE(read(schema, *wrong, diagnostics).has_value());
  CHECK(diagnostics.sorted()[0].code == "E135");
}

}  // namespace memsim::scenarios
