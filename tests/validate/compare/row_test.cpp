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

TEST_CASE("verdicts and absent values have no relative error") {
  CHECK(relative_error(verdict_value("fits"), verdict_value("oom")) == 0);
  CHECK(relative_error(Value(), number_value(1)) == 0);
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
