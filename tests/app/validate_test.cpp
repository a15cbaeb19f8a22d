#include <nlohmann/json.hpp>
#include <string>

#include "tests/app/command.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

namespace memsim::app {
namespace {

// A folder with the flow scenario of one link of 10 B/s and one flow of 5 B, which takes 0.5 s, and
// a table that says `expected`.
class Folder : public test::TemporaryFolder {
 public:
  explicit Folder(const std::string& expected) {
    write("one.json", R"({"links":[{"name":"a","bandwidth_Bps":10,"latency_ns":0}],)"
                      R"("flows":[{"start_ns":0,"bytes":5,"links":[0]}]})");
    write("one.expected.csv", "flow,completion_s\n" + expected);
  }
  [[nodiscard]] std::string name() const { return "'" + path().string() + "'"; }
};

TEST_CASE("validate exits with 0 when all rows are within tolerance, with 1 when one is off") {
  const CommandResult good = run_command("validate " + Folder("0,0.5\n").name());
  CHECK(good.code == 0);
  CHECK_THAT(good.out, Catch::StartsWith("OK   1 of 1 compared rows within tolerance"));
  CHECK(good.err.empty());
  const CommandResult off = run_command("validate " + Folder("0,0.25\n").name());
  CHECK(off.code == 1);
  CHECK_THAT(off.out, Catch::StartsWith("OFF   0 of 1 compared rows"));
}

TEST_CASE("validate exits with 2 when something cannot be read") {
  CHECK(run_command("validate " + Folder("0,abc\n").name()).code == 2);
  CHECK(run_command("validate /does/not/exist").code == 2);
  CHECK(run_command("validate docs").code == 2);
}

TEST_CASE("of two paths of which one is broken, the other is still compared") {
  const Folder good("0,0.5\n");
  const test::TemporaryFolder broken;
  broken.write("truth.jsonl", "{\"id\":\n");
  const CommandResult result =
      run_command("validate --json '" + broken.path().string() + "' " + good.name());
  CHECK(result.code == 2);
  const auto json = nlohmann::json::parse(result.out);
  REQUIRE(json["rows"].size() == 2);
  CHECK(json["rows"][0]["status"] == "input_error");
  CHECK(json["rows"][0]["reason"] ==
        "E112 truth.jsonl:1:7: this is not JSON; the object that "
        "begins at 1:1 is not closed");
  CHECK(json["rows"][1]["status"] == "ok");
  REQUIRE(json["summary"].size() == 2);
  CHECK(json["summary"][0]["compared"] == 1);
  CHECK(json["summary"][1]["input_error"] == 1);
}

TEST_CASE("a folder without data is an input error, in JSON too") {
  const test::TemporaryFolder empty;
  const CommandResult result = run_command("validate --json '" + empty.path().string() + "'");
  CHECK(result.code == 2);
  CHECK(nlohmann::json::parse(result.out)["rows"][0]["status"] == "input_error");
}

TEST_CASE("validate prints JSON with measured and predicted values, the same bytes each time") {
  const Folder folder("0,0.25\n");
  const CommandResult first = run_command("validate --json " + folder.name());
  CHECK(first.code == 1);
  const auto json = nlohmann::json::parse(first.out);
  CHECK(json["schema"] == "memsim.validate/1");
  REQUIRE(json["rows"].size() == 1);
  CHECK(json["rows"][0]["measured"] == 0.25);
  CHECK(json["rows"][0]["predicted"] == 0.5);
  CHECK(json["rows"][0]["error"] == 1.0);
  CHECK(json["rows"][0]["status"] == "off");
  REQUIRE(json["summary"].size() == 1);
  CHECK(json["summary"][0]["kind"] == "flows");
  CHECK(json["summary"][0]["compared"] == 1);
  CHECK(json["summary"][0]["bias"] == 1.0);
  CHECK(run_command("validate --json " + folder.name()).out == first.out);
}

TEST_CASE("validate --quiet prints one line") {
  const CommandResult result = run_command("validate --quiet " + Folder("0,0.5\n").name());
  CHECK(result.out.find('\n') == result.out.size() - 1);
}

TEST_CASE("the data that comes with memsim is within its tolerances") {
  const CommandResult result = run_command("validate --quiet");
  INFO(result.out);
  CHECK(result.code == 0);
}

}  // namespace
}  // namespace memsim::app
