#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/validate/compare/rows.hpp"
#include "validate/compare/flow_runner.hpp"
#include "validate/compare/kind.hpp"
#include "validate/import/text_file.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

const fs::path data = fs::path(MEMSIM_SOURCE_DIR) / "validate/data/flows";

constexpr auto one_link =
    R"({"links":[{"name":"a","bandwidth_Bps":10,"latency_ns":0}],"flows":[)"
    R"({"start_ns":0,"bytes":5,"links":[0]},{"start_ns":0,"bytes":10,"links":[0]}]})";
// 5 B/s each: 1 s; then 5 B at 10 B/s.
constexpr auto one_link_ends = "flow,completion_s\n0,1\n1,1.5\n";

std::vector<Row> run(const fs::path& file) { return run_kind(flows_kind, file); }

Row only_row(const fs::path& file) {
  const std::vector<Row> rows = run(file);
  REQUIRE(rows.size() == 1);
  return rows[0];
}

TEST_CASE("every flow of the scenarios made with SimGrid completes within 1e-7 of its time") {
  const std::vector<std::pair<std::string, std::size_t>> scenarios{
      {"tiny_3x5.json", 5},
      {"pcie_tree_8gpu.json", 48},
      {"ring_allreduce_8.json", 230},
      {"random_64x1000.json", 1000},
      {"random_512x20000.json.gz", 20000}};
  for (const auto& [name, flows] : scenarios) {
    INFO(name);
    const std::vector<Row> rows = run(data / name);
    CHECK(rows.size() == flows);
    CHECK(std::all_of(rows.begin(), rows.end(), [](const Row& row) {
      return row.status == Status::ok && std::abs(row.error) <= 1e-7 && row.measured.is_number() &&
             row.predicted.is_number();
    }));
  }
}

TEST_CASE("a row names the flow, the quantity and both values") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("a.json", one_link);
  folder.write("a.expected.csv", one_link_ends);
  const std::vector<Row> rows = run(file);
  REQUIRE(rows.size() == 2);
  CHECK(rows[1].kind == "flows");
  CHECK(rows[1].file == file.string());
  CHECK(rows[1].id == "1");
  CHECK(rows[1].quantity == "completion");
  CHECK(rows[1].unit == "s");
  CHECK(rows[1].measured.as_number() == 1.5);
  CHECK(rows[1].predicted.as_number() == 1.5);
  CHECK(rows[1].error == 0);
  CHECK(rows[1].status == Status::ok);
}

TEST_CASE("a completion that differs by more than 1e-7 is off") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("a.json", one_link);
  folder.write("a.expected.csv", "flow,completion_s\n0,1.00000009\n1,1.5000002\n");
  const std::vector<Row> rows = run(file);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].status == Status::ok);
  CHECK(rows[1].status == Status::off);
  CHECK(rows[1].error == Approx(-0.2e-6 / 1.5).epsilon(1e-5));
  CHECK_FALSE(rows[1].reason.empty());
}

TEST_CASE("shares of slow links are not cut to whole bytes per second") {
  // 1 B/s among three flows of 1 B each: all end at 3 s, which a share of 0 B/s would not.
  const TemporaryFolder folder;
  const fs::path file = folder.write(
      "a.json", R"({"links":[{"bandwidth_Bps":1,"latency_ns":0}],"flows":[)"
                R"({"start_ns":0,"bytes":1,"links":[0]},{"start_ns":0,"bytes":1,"links":[0]},)"
                R"({"start_ns":0,"bytes":1,"links":[0]}]})");
  folder.write("a.expected.csv", "flow,completion_s\n0,3\n1,3\n2,3\n");
  for (const Row& row : run(file)) CHECK(row.status == Status::ok);
}

TEST_CASE("flows without bytes release their followers in the same instant") {
  // Flow 1 waits for flow 0, which completes at its start; flow 2 waits for both and for 2 s.
  const TemporaryFolder folder;
  const fs::path file =
      folder.write("a.json", R"({"links":[{"bandwidth_Bps":10,"latency_ns":500000000}],"flows":[)"
                             R"({"start_ns":1000000000,"bytes":0,"links":[0]},)"
                             R"({"start_ns":0,"bytes":0,"links":[0],"after":[0]},)"
                             R"({"start_ns":3000000000,"bytes":10,"links":[0],"after":[0,1]}]})");
  folder.write("a.expected.csv", "flow,completion_s\n0,1.5\n1,2\n2,4.5\n");
  for (const Row& row : run(file)) CHECK(row.status == Status::ok);
}

TEST_CASE("what lies beyond the end of simulated time is not modelled") {
  const TemporaryFolder folder;
  const fs::path file =
      folder.write("a.json", R"({"links":[{"bandwidth_Bps":1,"latency_ns":0},)"
                             R"({"bandwidth_Bps":1,"latency_ns":9223372036854775}],"flows":[)"
                             R"({"start_ns":0,"bytes":100000000,"links":[0]},)"
                             R"({"start_ns":1000000,"bytes":1,"links":[1]},)"
                             R"({"start_ns":0,"bytes":1,"links":[0],"after":[1]}]})");
  folder.write("a.expected.csv", "flow,completion_s\n0,1e8\n1,1e8\n2,1e8\n");
  const std::vector<Row> rows = run(file);
  REQUIRE(rows.size() == 3);
  for (const Row& row : rows) {
    CHECK(row.status == Status::not_modelled);
    CHECK_FALSE(row.reason.empty());
  }
}

TEST_CASE("extra, missing and unreadable lines of the expected file are errors of their own") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("a.json", one_link);
  folder.write("a.expected.csv", "flow,completion_s\n0,1\n2,7\n0,x\n");
  const std::vector<Row> rows = run(file);
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].status == Status::input_error);
  CHECK(rows[0].reason == "E113 a.expected.csv:3:1: flow 2 is none of the 2 flows of the scenario");
  CHECK(rows[1].reason.find("E113 a.expected.csv:4:1: '0,x'") == 0);
  CHECK(rows[2].status == Status::ok);
  CHECK(rows[3].status == Status::input_error);
  CHECK(rows[3].id == "1");
  CHECK(rows[3].reason == "E114 a.expected.csv: no completion of flow 1");
}

TEST_CASE("a table with another header is told once, not flow by flow") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("a.json", one_link);
  folder.write("a.expected.csv", "flow\n0\n1\n");
  CHECK(only_row(file).reason ==
        "E113 a.expected.csv:1:1: 'flow' is not the header flow,completion_s");
}

TEST_CASE("a malformed scenario gives one error per fault, with its place") {
  const TemporaryFolder folder;
  const fs::path file =
      folder.write("a.json",
                   "{\"links\":[{\"bandwidth_Bps\":-1,\"latency_ns\":0}],\n"
                   "\"flows\":[{\"start_ns\":0,\"bytes\":1,\"links\":[4],\"after\":[0]}]}");
  folder.write("a.expected.csv", "flow,completion_s\n0,1\n");
  const std::vector<Row> rows = run(file);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].reason ==
        "E124 a.json:1:28: links[0].bandwidth_Bps is -1; expected a whole number from 1 to "
        "9223372036854775807");
  CHECK(rows[1].reason == "E140 a.json:2:43: flows[0].links[0]: 4 is none of the 1 links");
  CHECK(rows[2].reason == "E140 a.json:2:55: flows[0].after[0]: 0 is none of the 0 earlier flows");
  for (const Row& row : rows) CHECK(row.status == Status::input_error);
}

TEST_CASE("a scenario without flows has nothing to compare") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("a.json", R"({"links":[],"flows":[]})");
  folder.write("a.expected.csv", "flow,completion_s\n");
  CHECK(only_row(file).reason == "E114 a.json:1:1: flows is empty");
}

TEST_CASE("files that are missing or damaged are errors") {
  const TemporaryFolder folder;
  CHECK(only_row(folder.path() / "gone.json").status == Status::input_error);
  const Row alone = only_row(folder.write("a.json", one_link));
  CHECK(alone.status == Status::input_error);
  CHECK(alone.reason == "E114 there is no a.expected.csv (or a.expected.csv.gz)");
  CHECK(only_row(folder.write("b.json", "{\"links\":[")).reason.find("E112 b.json:1:11: ") == 0);
  // A gzip header and nothing behind it.
  folder.write("a.expected.csv.gz", std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10));
  CHECK(only_row(folder.path() / "a.json").reason.find("a.expected.csv.gz: damaged gzip") !=
        std::string::npos);
  folder.write("a.expected.csv", one_link_ends);
  CHECK(only_row(folder.path() / "a.json").reason ==
        "E114 both a.expected.csv and a.expected.csv.gz are there: which one counts?");
}

TEST_CASE("compressed scenarios and expected files are read as plain ones are") {
  const TemporaryFolder folder;
  const auto compress = [&](const char* name, const char* text) {
    const gzFile file = gzopen((folder.path() / name).c_str(), "wb");
    gzputs(file, text);
    gzclose(file);
  };
  compress("a.json.gz", one_link);
  compress("a.expected.csv.gz", one_link_ends);
  const std::vector<Row> rows = run(folder.path() / "a.json.gz");
  REQUIRE(rows.size() == 2);
  for (const Row& row : rows) CHECK(row.status == Status::ok);
}

TEST_CASE("scenarios are recognised by what they hold") {
  const auto recognised = [](const std::string& head) {
    return flows_kind.recognises("any.json", head);
  };
  CHECK(recognised(one_link));
  CHECK(recognised("\n {\"name\":\"x\",\n\"links\":[\n{\"bandwidth_Bps\":"));
  CHECK(recognised("{\"flows\":[{\"links\":[0]"));
  CHECK_FALSE(recognised(""));
  CHECK_FALSE(recognised("[\"links\",\"flows\"]"));
  CHECK_FALSE(recognised("{\"links\":[1,2]}"));
  CHECK_FALSE(recognised(one_link_ends));
  for (const char* const name : {"tiny_3x5.json", "random_512x20000.json.gz"})
    CHECK(recognised(*read_text_head(data / name, data_head)));
  // Damaged, but its table is there.
  CHECK(flows_kind.recognises(data / "tiny_3x5.json", ""));
}

TEST_CASE("the expected file of a scenario is its companion, other tables are not") {
  CHECK(flows_kind.companion("d/x.expected.csv", "d/x.json"));
  CHECK(flows_kind.companion("d/x.expected.csv.gz", "d/x.json.gz"));
  CHECK_FALSE(flows_kind.companion("d/y.expected.csv", "d/x.json"));
  CHECK_FALSE(flows_kind.companion("e/x.expected.csv", "d/x.json"));
  CHECK_FALSE(flows_kind.companion("d/README.md", "d/x.json"));
  CHECK_FALSE(flows_kind.orphan("x.csv", "flow,completion_s\n0,1\n").empty());
  CHECK(flows_kind.orphan("x.csv", "kind,entry\n").empty());
}

TEST_CASE("a run depends on the scenario alone") {
  const scenarios::SourceFile file("random_64x1000.json",
                                   *read_text_file(data / "random_64x1000.json"),
                                   scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  const auto scenario = parse_flow_scenario(file, diagnostics);
  REQUIRE(scenario.has_value());
  CHECK(run_flow_scenario(*scenario) == run_flow_scenario(*scenario));
}

}  // namespace
}  // namespace memsim::validate
