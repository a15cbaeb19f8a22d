#include "validate/compare/row.hpp"

#include "tests/support/catch.hpp"

namespace memsim::validate {
namespace {

TEST_CASE("the relative error is measured against the measured value") {
  CHECK(relative_error(number_value(4), number_value(5)) == 0.25);
  CHECK(relative_error(number_value(4), number_value(3)) == -0.25);
  CHECK(relative_error(exact_value(200), exact_value(150)) == -0.25);
  CHECK(relative_error(exact_value(8), number_value(9)) == 0.125);
}

TEST_CASE("a measured zero has no relative error unless zero was predicted") {
  CHECK(relative_error(number_value(0), number_value(0)) == 0);
  CHECK(relative_error(number_value(0), number_value(3)) == 1);
  CHECK(relative_error(exact_value(0), exact_value(-3)) == 1);
}

TEST_CASE("errors are bounded, so that their sums are numbers") {
  CHECK(relative_error(number_value(5e-324), number_value(1)) == 1e12);
  CHECK(relative_error(number_value(5e-324), number_value(-1)) == -1e12);
}

TEST_CASE("an exact row is ok if both values are equal, whether numbers or names") {
  const auto status = [](Value measured, Value predicted) {
    return exact_row(Row(), std::move(measured), std::move(predicted)).status;
  };
  CHECK(status(exact_value(3), exact_value(3)) == Status::ok);
  CHECK(status(exact_value(9'007'199'254'740'993), exact_value(9'007'199'254'740'992)) ==
        Status::off);
  CHECK(status(text_value("addmm"), text_value("addmm")) == Status::ok);
  CHECK(status(text_value("addmm"), text_value("mm")) == Status::off);
  CHECK(exact_row(Row(), exact_value(4), exact_value(5)).error == 0.25);
}

TEST_CASE("verdicts and absent values have no relative error") {
  CHECK(relative_error(text_value("fits"), text_value("oom")) == 0);
  CHECK(relative_error(Value(), number_value(1)) == 0);
}

TEST_CASE("diagnostics become rows in the order of their places") {
  const scenarios::SourceFile file("a.json", "{}\n[]", scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  for (const std::uint32_t line : {2U, 1U}) {
    scenarios::Diagnostic diagnostic;
    diagnostic.code = "E113";
    diagnostic.location = {&file, {line, 1, 1}};
    diagnostic.message = "wrong";
    diagnostics.add(diagnostic);
  }
  std::vector<Row> rows;
  add_input_errors(diagnostics, "flows", "data/a.json", "7", [&](Row row) { rows.push_back(row); });
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].reason == "E113 a.json:1:1: wrong");
  CHECK(rows[1].reason == "E113 a.json:2:1: wrong");
  CHECK(rows[1].status == Status::input_error);
  CHECK(rows[1].file == "data/a.json");
  CHECK(rows[1].id == "7");
}

TEST_CASE("a row that cannot be read says where and why") {
  const Row row = input_error_row("flows", "a.json", "flow 3", "negative size");
  CHECK(row.kind == "flows");
  CHECK(row.file == "a.json");
  CHECK(row.id == "flow 3");
  CHECK(row.reason == "negative size");
  CHECK(name(row.status) == "input_error");
  CHECK_FALSE(row.measured.present);
}

}  // namespace
}  // namespace memsim::validate
