#include "validate/import/flow_scenario.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace memsim::validate {
namespace {

using namespace sim::literals;

const std::string two_links =
    R"("links":[{"bandwidth_Bps":1000,"latency_ns":3},{"bandwidth_Bps":2e3,"latency_ns":0}])";

std::string with_flows(const std::string& flows) {
  return "{" + two_links + ",\"flows\":[" + flows + "]}";
}

std::optional<FlowScenario> parse(const std::string& text) {
  const scenarios::SourceFile file("s.json", text, scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  return parse_flow_scenario(file, diagnostics);
}

// Every diagnostic as it is shown, in the order of the places.
std::vector<std::string> faults(const std::string& text) {
  const scenarios::SourceFile file("s.json", text, scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  REQUIRE_FALSE(parse_flow_scenario(file, diagnostics).has_value());
  std::vector<std::string> lines;
  for (const scenarios::Diagnostic& diagnostic : diagnostics.sorted())
    lines.push_back(diagnostic.sentence());
  return lines;
}

// The same without codes and places, for what is wrong in many places.
std::vector<std::string> messages(const std::string& text) {
  std::vector<std::string> lines = faults(text);
  for (std::string& line : lines) line.erase(0, line.find(": ") + 2);
  return lines;
}

struct Table {
  std::optional<std::vector<std::optional<double>>> seconds;
  std::vector<std::string> faults;
};

Table parse_table(const std::string& text, std::size_t flows) {
  const scenarios::SourceFile file("t.csv", text, scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  Table table{parse_completions(file, flows, diagnostics), {}};
  for (const scenarios::Diagnostic& diagnostic : diagnostics.sorted())
    table.faults.push_back(diagnostic.sentence());
  return table;
}

TEST_CASE("a scenario is read with its units") {
  const auto scenario = parse(with_flows(
      R"({"start_ns":7,"bytes":5,"links":[1,0]},
         {"start_ns":0,"bytes":1.5e9,"links":[0],"after":[0],"remark":"text is ignored"})"));
  REQUIRE(scenario.has_value());
  REQUIRE(scenario->links.size() == 2);
  CHECK(scenario->links[0].bandwidth == 1000_Bps);
  CHECK(scenario->links[0].latency == 3_ns);
  CHECK(scenario->links[1].bandwidth == 2000_Bps);
  REQUIRE(scenario->flows.size() == 2);
  CHECK(scenario->flows[0].start == sim::Time(7'000));
  CHECK(scenario->flows[0].links == std::vector<std::uint32_t>{1, 0});
  CHECK(scenario->flows[0].after.empty());
  CHECK(scenario->flows[1].bytes == sim::Bytes(1'500'000'000));
  CHECK(scenario->flows[1].after == std::vector<std::uint32_t>{0});
}

TEST_CASE("a scenario may have no flows") { CHECK(parse(with_flows(""))->flows.empty()); }

TEST_CASE("text that is not JSON is refused with its line and column") {
  CHECK(faults("{\"links\":[\n  {\"bandwidth_Bps\" 5}]}") ==
        std::vector<std::string>{
            "E112 s.json:2:20: this is not JSON; unexpected number literal; expected ':'"});
  CHECK(faults("")[0].find("E112 s.json:1:1: this is not JSON") == 0);
  CHECK(faults("{\"links\":[],\"flows\":[]} more")[0].find("E112 s.json:1:25: ") == 0);
}

TEST_CASE("JSON of another shape is refused with the place") {
  CHECK(faults("[1]") == std::vector<std::string>{
                             "E106 s.json:1:1: the file is a list; expected an object with links "
                             "and flows"});
  CHECK(faults("{}") == std::vector<std::string>{"E105 s.json:1:1: flows is missing",
                                                 "E105 s.json:1:1: links is missing"});
  CHECK(faults("{\"links\":{},\n\"flows\":7}") ==
        std::vector<std::string>{"E106 s.json:1:10: links is an object; expected a list",
                                 "E106 s.json:2:9: flows is 7; expected a list"});
  CHECK(messages("{" + two_links + ",\"flows\":[7]}") ==
        std::vector<std::string>{"flows[0] is 7; expected an object"});
}

TEST_CASE("indexes must exist, be earlier where that is meant, and occur once") {
  CHECK(messages(with_flows(R"({"start_ns":0,"bytes":5,"links":[0,2]},
                               {"start_ns":0,"bytes":5,"links":[1,0,1],"after":[0,0]},
                               {"start_ns":0,"bytes":5,"links":[-1,"a",0.5],"after":[2,3]},
                               {"start_ns":0,"bytes":5,"links":[]})")) ==
        std::vector<std::string>{
            "flows[0].links[1]: 2 is none of the 2 links", "flows[1].links[2]: 1 is listed twice",
            "flows[1].after[1]: 0 is listed twice", "flows[2].links[0]: -1 is none of the 2 links",
            "flows[2].links[1]: the string \"a\" is none of the 2 links",
            "flows[2].links[2]: 0.5 is none of the 2 links",
            "flows[2].after[0]: 2 is none of the 2 earlier flows",
            "flows[2].after[1]: 3 is none of the 2 earlier flows",
            "flows[3].links is empty; a flow needs at least one link"});
}

TEST_CASE("numbers must be whole, in range and there") {
  const auto lines = messages(
      R"({"links":[{"bandwidth_Bps":0,"latency_ns":-1},{"latency_ns":9223372036854776}],
          "flows":[{"start_ns":0.5,"bytes":-5,"links":[0]},
                   {"start_ns":"0","bytes":1e300,"links":[0]},
                   {"start_ns":null,"bytes":18446744073709551615,"links":[0]}]})");
  const std::string bandwidth = "; expected a whole number from 1 to 9223372036854775807";
  const std::string bytes = "; expected a whole number from 0 to 9223372036854775807";
  const std::string time = "; expected a whole number from 0 to 9223372036854775";
  CHECK(lines ==
        std::vector<std::string>{
            "links[0].bandwidth_Bps is 0" + bandwidth, "links[0].latency_ns is -1" + time,
            "links[1].bandwidth_Bps is missing", "links[1].latency_ns is 9223372036854776" + time,
            "flows[0].start_ns is 0.5" + time, "flows[0].bytes is -5" + bytes,
            "flows[1].start_ns is the string \"0\"" + time, "flows[1].bytes is 1e300" + bytes,
            "flows[2].start_ns is missing", "flows[2].bytes is 18446744073709551615" + bytes});
}

TEST_CASE("a quantity under an unknown key is refused: it would change what is meant") {
  CHECK(messages(R"({"links":[{"bandwidth_Bps":1,"latency_ns":0,"duplex":true}],
                     "flows":[{"start_ns":0,"bytes":1,"links":[0],"weight":2}],"version":2})") ==
        std::vector<std::string>{"links[0].duplex is not known", "flows[0].weight is not known",
                                 "version is not known"});
}

TEST_CASE("a key that occurs twice is refused with its places") {
  CHECK(faults(with_flows("\n{\"start_ns\":0,\"bytes\":1,\"bytes\":2,\"links\":[0]}")) ==
        std::vector<std::string>{"E103 s.json:2:25: key `bytes` is given twice; already given at "
                                 "2:15; keep one of them"});
}

TEST_CASE("completion times are read by flow") {
  const Table table = parse_table("flow,completion_s\n1,2.5e+00\r\n0,0.000000000000e+00\n\n", 3);
  CHECK(table.faults.empty());
  REQUIRE(table.seconds.has_value());
  REQUIRE(table.seconds->size() == 3);
  CHECK((*table.seconds)[0] == 0.0);
  CHECK((*table.seconds)[1] == 2.5);
  CHECK_FALSE((*table.seconds)[2].has_value());
}

TEST_CASE("lines of the table that cannot be used are reported, the others are kept") {
  const Table table =
      parse_table("flow,completion_s\n0,1\n0,2\n7,1\n1;2\n1,nan\n1,-1\n1,2x\n-1,2\n,\n1,3", 2);
  REQUIRE(table.seconds.has_value());
  CHECK((*table.seconds)[0] == 1.0);
  CHECK((*table.seconds)[1] == 3.0);
  const std::string what = "' is not a flow and its completion in seconds";
  CHECK(table.faults ==
        std::vector<std::string>{"E113 t.csv:3:1: a second line for flow 0",
                                 "E113 t.csv:4:1: flow 7 is none of the 2 flows of the scenario",
                                 "E113 t.csv:5:1: '1;2" + what, "E113 t.csv:6:1: '1,nan" + what,
                                 "E113 t.csv:7:1: '1,-1" + what, "E113 t.csv:8:1: '1,2x" + what,
                                 "E113 t.csv:9:1: '-1,2" + what, "E113 t.csv:10:1: '," + what});
}

TEST_CASE("a table without its header is not read") {
  for (const char* const text : {"", "0,1\n", "flow;completion_s\n0,1\n"}) {
    const Table table = parse_table(text, 1);
    CHECK_FALSE(table.seconds.has_value());
    REQUIRE(table.faults.size() == 1);
    CHECK_THAT(table.faults[0], Catch::StartsWith("E113 t.csv:1:1: ") &&
                                    Catch::EndsWith("is not the header flow,completion_s"));
  }
}

}  // namespace
}  // namespace memsim::validate
