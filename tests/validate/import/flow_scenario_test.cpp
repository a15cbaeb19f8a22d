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

// "place: reason" of every problem.
std::vector<std::string> problems(const std::string& text) {
  const auto scenario = parse_flow_scenario(text);
  REQUIRE_FALSE(scenario.has_value());
  std::vector<std::string> lines;
  for (const Problem& problem : scenario.error())
    lines.push_back(problem.place + ": " + problem.reason);
  return lines;
}

TEST_CASE("a scenario is read with its units") {
  const auto scenario = parse_flow_scenario(with_flows(
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

TEST_CASE("a scenario may have no flows") {
  CHECK(parse_flow_scenario(with_flows(""))->flows.empty());
}

TEST_CASE("text that is not JSON is refused with its line and column") {
  const auto lines = problems("{\"links\":[\n  {\"bandwidth_Bps\" 5}]}");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].find("line 2, column 20: not JSON") == 0);
  CHECK(problems("")[0].find("line 1, column 1") == 0);
  CHECK(problems("{\"links\":[],\"flows\":[]} more")[0].find("line 1, column 25") == 0);
}

TEST_CASE("JSON of another shape is refused with the place") {
  CHECK(problems("[1]") ==
        std::vector<std::string>{": the file must hold an object with links and flows"});
  CHECK(problems("{}") == std::vector<std::string>{"links: is missing", "flows: is missing"});
  CHECK(problems("{\"links\":{},\"flows\":7}") ==
        std::vector<std::string>{"links: must be a list", "flows: must be a list"});
  CHECK(problems("{" + two_links + ",\"flows\":[7]}") ==
        std::vector<std::string>{"flows[0]: must be an object"});
}

TEST_CASE("indexes must exist, be earlier where that is meant, and occur once") {
  CHECK(problems(with_flows(R"({"start_ns":0,"bytes":5,"links":[0,2]},
                               {"start_ns":0,"bytes":5,"links":[1,0,1],"after":[0,0]},
                               {"start_ns":0,"bytes":5,"links":[-1,"a",0.5],"after":[2,3]},
                               {"start_ns":0,"bytes":5,"links":[]})")) ==
        std::vector<std::string>{
            "flows[0].links[1]: 2 is none of the 2 links", "flows[1].links[2]: 1 is listed twice",
            "flows[1].after[1]: 0 is listed twice", "flows[2].links[0]: -1 is none of the 2 links",
            "flows[2].links[1]: \"a\" is none of the 2 links",
            "flows[2].links[2]: 0.5 is none of the 2 links",
            "flows[2].links: a flow needs at least one link",
            "flows[2].after[0]: 2 is none of the 2 earlier flows",
            "flows[2].after[1]: 3 is none of the 2 earlier flows",
            "flows[3].links: a flow needs at least one link"});
}

TEST_CASE("numbers must be whole, in range and there") {
  const auto lines = problems(
      R"({"links":[{"bandwidth_Bps":0,"latency_ns":-1},{"latency_ns":9223372036854776}],
          "flows":[{"start_ns":0.5,"bytes":-5,"links":[0]},
                   {"start_ns":"0","bytes":1e300,"links":[0]},
                   {"start_ns":null,"bytes":18446744073709551615,"links":[0]}]})");
  const std::string bandwidth = " is not a whole number from 1 to 9223372036854775807";
  const std::string bytes = " is not a whole number from 0 to 9223372036854775807";
  const std::string time = " is not a whole number from 0 to 9223372036854775";
  CHECK(lines ==
        std::vector<std::string>{
            "links[0].bandwidth_Bps: 0" + bandwidth, "links[0].latency_ns: -1" + time,
            "links[1].bandwidth_Bps: is missing", "links[1].latency_ns: 9223372036854776" + time,
            "flows[0].start_ns: 0.5" + time, "flows[0].bytes: -5" + bytes,
            "flows[1].start_ns: \"0\"" + time, "flows[1].bytes: 1e+300" + bytes,
            "flows[2].start_ns: null" + time, "flows[2].bytes: 18446744073709551615" + bytes});
}

TEST_CASE("values in messages are short, however long or deep they are") {
  const std::string deep(100'000, '[');
  const std::string closed(100'000, ']');
  const std::string long_text(100, 'x');
  CHECK(problems(with_flows("{\"start_ns\":" + deep + closed +
                            R"(,"bytes":{"a":1},"links":[0,[1],")" + long_text + "\"]}")) ==
        std::vector<std::string>{
            "flows[0].start_ns: a list is not a whole number from 0 to 9223372036854775",
            "flows[0].bytes: an object is not a whole number from 0 to 9223372036854775807",
            "flows[0].links[1]: a list is none of the 2 links",
            "flows[0].links[2]: \"" + std::string(39, 'x') + "... is none of the 2 links"});
}

TEST_CASE("a quantity under an unknown key is refused: it would change what is meant") {
  CHECK(problems(R"({"links":[{"bandwidth_Bps":1,"latency_ns":0,"duplex":true}],
                     "flows":[{"start_ns":0,"bytes":1,"links":[0],"weight":2}],"version":2})") ==
        std::vector<std::string>{"version: unknown key", "links[0].duplex: unknown key",
                                 "flows[0].weight: unknown key"});
}

TEST_CASE("a key that occurs twice is refused with its place") {
  CHECK(problems(with_flows(R"({"start_ns":0,"bytes":1,"links":[0]},
                               {"start_ns":0,"bytes":1,"bytes":2,"links":[0]})")) ==
        std::vector<std::string>{"flows[1].bytes: the key occurs twice in one object"});
  CHECK(problems("{\"links\":[],\"flows\":[],\"links\":[]}") ==
        std::vector<std::string>{"links: the key occurs twice in one object"});
  CHECK(problems(R"({"links":[[true,null,{"a":"b","a":1.5}]],"flows":[]})") ==
        std::vector<std::string>{"links[0][2].a: the key occurs twice in one object"});
}

TEST_CASE("completion times are read by flow") {
  const CompletionTable table =
      parse_completions("flow,completion_s\n1,2.5e+00\r\n0,0.000000000000e+00\n\n", 3);
  CHECK(table.problems.empty());
  REQUIRE(table.seconds.size() == 3);
  CHECK(table.seconds[0] == 0.0);
  CHECK(table.seconds[1] == 2.5);
  CHECK_FALSE(table.seconds[2].has_value());
}

TEST_CASE("lines of the table that cannot be used are reported, the others are kept") {
  const CompletionTable table = parse_completions(
      "flow,completion_s\n0,1\n0,2\n7,1\n1;2\n1,nan\n1,-1\n1,2x\n-1,2\n,\n1,3", 2);
  CHECK(table.seconds[0] == 1.0);
  CHECK(table.seconds[1] == 3.0);
  std::vector<std::string> lines;
  for (const Problem& problem : table.problems)
    lines.push_back(problem.place + ": " + problem.reason);
  const std::string what = "' is not a flow and its completion in seconds";
  CHECK(lines == std::vector<std::string>{"line 3: a second line for flow 0",
                                          "line 4: flow 7 is none of the 2 flows of the scenario",
                                          "line 5: '1;2" + what, "line 6: '1,nan" + what,
                                          "line 7: '1,-1" + what, "line 8: '1,2x" + what,
                                          "line 9: '-1,2" + what, "line 10: '," + what});
}

TEST_CASE("a table without its header is not read") {
  for (const char* const text : {"", "0,1\n", "flow;completion_s\n0,1\n"}) {
    const CompletionTable table = parse_completions(text, 1);
    REQUIRE(table.problems.size() == 1);
    CHECK(table.problems[0].place == "line 1");
    CHECK_FALSE(table.seconds[0].has_value());
  }
}

}  // namespace
}  // namespace memsim::validate
