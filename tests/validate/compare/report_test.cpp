#include "tests/support/catch.hpp"
#include "tests/validate/compare/rows.hpp"
#include "validate/compare/json_report.hpp"
#include "validate/compare/text_report.hpp"

namespace memsim::validate {
namespace {

std::string json_of(const std::vector<Row>& rows) {
  JsonReport report;
  Summary summary;
  std::string text = report.begin();
  for (const Row& row : rows) {
    summary.add(row);
    text += report.row(row);
  }
  return text + report.end(summary.lines());
}

TEST_CASE("the JSON report has the documented shape, one row a line") {
  Row row = number_row("f1", 0.1, 0.125, Status::off);
  row.reason = "too slow";
  CHECK(json_of({row}) ==
        R"({"schema":"memsim.validate/1","rows":[
{"file":"a.json","id":"f1","quantity":"completion","unit":"s","asked":"","measured":0.1,"predicted":0.125,"error":0.24999999999999994,"status":"off","reason":"too slow"}
],"summary":[
{"kind":"flows","quantity":"completion","compared":1,"not_modelled":0,"input_error":0,"median_abs_error":0.24999999999999994,"p90_abs_error":0.24999999999999994,"bias":0.24999999999999994,"oom_recall":null,"specificity":null}
]}
)");
}

TEST_CASE("integers stay exact in JSON, verdicts are words and what is absent is null") {
  Row row = number_row("f1", 0, 0, Status::ok);
  row.measured = exact_value(9'007'199'254'740'993);  // 2^53 + 1 has no double
  row.predicted = exact_value(9'007'199'254'740'993);
  const std::string text = json_of({row, verdict_row("v", "oom", "fits"),
                                    input_error_row("flows", "c.json", "", "line 3: bad")});
  CHECK_THAT(text, Catch::Contains(R"("measured":9007199254740993,"predicted":9007199254740993)"));
  CHECK_THAT(text, Catch::Contains(R"("measured":"oom","predicted":"fits","error":null)"));
  CHECK_THAT(text, Catch::Contains(R"("measured":null,"predicted":null,"error":null,)"
                                   R"("status":"input_error","reason":"line 3: bad")"));
}

TEST_CASE("no JSON report holds what is no number") {
  const std::string text =
      json_of({number_row("1", 5e-324, 1, Status::off), number_row("2", 5e-324, -1, Status::off),
               number_row("3", 0, 1, Status::off)});
  CHECK_THAT(text, Catch::Contains(R"("error":1000000000000.0)") &&
                       Catch::Contains(R"("error":-1000000000000.0)"));
  CHECK_THAT(text, Catch::Contains(R"("median_abs_error":1000000000000.0)"));
  CHECK_THAT(text, !Catch::Contains("nan") && !Catch::Contains("inf") &&
                       !Catch::Contains(R"("bias":null)"));
}

TEST_CASE("text that is not UTF-8 does not stop the JSON report") {
  CHECK_THAT(json_of({input_error_row("flows", "\xff.json", "", "")}),
             Catch::Contains("\xEF\xBF\xBD.json"));
}

TEST_CASE("a report without rows is valid JSON") {
  CHECK(json_of({}) == "{\"schema\":\"memsim.validate/1\",\"rows\":[\n],\"summary\":[\n]}\n");
}

std::string text_of(const std::vector<Row>& rows) {
  TextReport report;
  Summary summary;
  for (const Row& row : rows) {
    summary.add(row);
    report.add(row);
  }
  return report.render(summary, 1);
}

TEST_CASE("rows that are held together are not said to be within tolerance one by one") {
  Row row = number_row("1", 1, 3, Status::ok);
  row.kind = "links";
  CHECK_THAT(text_of({row}),
             Catch::StartsWith("OK   1 compared rows, held together, within tolerance, "
                               "0 not modelled (1 file)\n"));
  const Row other = number_row("2", 1, 1, Status::ok);
  CHECK_THAT(
      text_of({row, other}),
      Catch::StartsWith("OK   2 of 2 compared rows within tolerance, 0 not modelled (1 file)\n"
                        "     1 of them held together, by median and P90\n"));
}

TEST_CASE("the text report starts with the outcome") {
  const Row ok = number_row("1", 1, 1, Status::ok);
  const Row off = number_row("2", 1, 2, Status::off);
  const Row unknown = number_row("3", 1, 2, Status::not_modelled);
  const Row bad = input_error_row("flows", "c.json", "", "line 3: bad");
  CHECK_THAT(
      text_of({ok, unknown}),
      Catch::StartsWith("OK   1 of 1 compared rows within tolerance, 1 not modelled (1 file)\n"));
  CHECK_THAT(text_of({ok, off}), Catch::StartsWith("OFF   1 of 2 compared rows"));
  CHECK_THAT(text_of({ok, off, bad}), Catch::StartsWith("INPUT ERRORS   1 of 2 compared rows "
                                                        "within tolerance, 0 not modelled, 1 "
                                                        "unreadable (1 file)\n"));
}

TEST_CASE("the text report shows rows that are off with both values, and why rows are unreadable") {
  Row off = number_row("flow 7", 2, 3, Status::off);
  off.reason = "beyond 1e-7";
  const std::string text = text_of({off, input_error_row("flows", "c.json", "", "line 3: bad")});
  CHECK_THAT(text, Catch::Contains("  a.json flow 7 completion\n"
                                   "      measured 2, predicted 3 s (+50%)\n"
                                   "      beyond 1e-7\n"));
  CHECK_THAT(text, Catch::Contains("  c.json\n      line 3: bad\n"));
}

TEST_CASE("the largest errors come first, and only a few are kept") {
  std::vector<Row> rows;
  for (int i = 1; i <= 100; ++i)
    rows.push_back(number_row("row " + std::to_string(i), 100, 100 + i, Status::ok));
  const std::string text = text_of(rows);
  const auto worst = text.find("row 100 ");
  REQUIRE(worst != std::string::npos);
  CHECK(worst < text.find("row 99 "));
  CHECK(text.find("row 96 ") != std::string::npos);
  CHECK(text.find("row 95 ") == std::string::npos);
}

TEST_CASE("reasons for not modelling are counted, the most frequent first") {
  Row row = number_row("1", 1, 1, Status::not_modelled);
  row.reason = "family llama";
  Row other = row;
  other.reason = "a rare family";
  CHECK_THAT(text_of({other, row, row}),
             Catch::Contains("       2  flows: family llama\n       1  flows: a rare family\n"));
}

TEST_CASE("quantities that every row met exactly share a line, others keep theirs") {
  std::vector<Row> rows;
  for (const char* quantity : {"a", "b", "c", "d", "e"}) {
    rows.push_back(number_row("1", 2, 2, Status::ok));
    rows.back().quantity = quantity;
  }
  rows.push_back(number_row("2", 2, 2.5, Status::ok));
  const std::string text = text_of(rows);
  CHECK_THAT(text, Catch::Contains("flows     5 quantities, exact        5      0"));
  CHECK_THAT(text, Catch::Contains("flows     completion                 1      0"));
  CHECK_THAT(text_of({rows[0]}), Catch::Contains("flows     a "));
  // Names join them; verdicts keep the line that says what was found of them.
  for (Row& row : rows) row.measured = row.predicted = text_value("forward");
  rows.push_back(verdict_row("3", "oom", "oom"));
  CHECK_THAT(text_of(rows), Catch::Contains("flows     6 quantities, exact        6      0"));
  CHECK_THAT(text_of(rows), Catch::Contains("found of \"oom\": 1e+02%"));
}

TEST_CASE("lines of tables stay within 80 columns") {
  const std::string text =
      text_of({number_row("1", 1, 1.000123, Status::off), verdict_row("2", "oom", "fits")});
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    CHECK(end - start <= 80);
    start = end + 1;
  }
}

}  // namespace
}  // namespace memsim::validate
