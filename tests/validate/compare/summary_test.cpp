#include "validate/compare/summary.hpp"

#include "tests/support/catch.hpp"
#include "tests/validate/compare/rows.hpp"

namespace memsim::validate {
namespace {

TEST_CASE("median, 90th percentile and bias of ten errors are those computed by hand") {
  // Errors -0.01, 0.02, 0.03, ... 0.10: absolute values 1..10 %. Median (5 + 6) / 2 = 5.5 %, the
  // 9th of 10 is the nearest rank of 90 %, mean (55 - 2 * 1) / 10 = 5.3 %.
  Summary summary;
  for (int percent = 10; percent >= 1; --percent) {
    const double error = percent == 1 ? -0.01 : percent / 100.0;
    Row row = number_row("r", 1, 1 + error, Status::ok);
    row.error = error;
    summary.add(row);
  }
  const auto lines = summary.lines();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].kind == "flows");
  CHECK(lines[0].quantity == "completion");
  CHECK(lines[0].unit == "s");
  CHECK(lines[0].compared == 10);
  CHECK(*lines[0].median_abs_error == Approx(0.055));
  CHECK(*lines[0].p90_abs_error == Approx(0.09));
  CHECK(*lines[0].bias == Approx(0.053));
  CHECK_FALSE(lines[0].oom_recall.has_value());
}

TEST_CASE("of an odd number of errors the median is the middle one") {
  Summary summary;
  for (const double predicted : {1.5, 1.25, 3.0})
    summary.add(number_row("r", 1, predicted, Status::off));
  CHECK(*summary.lines()[0].median_abs_error == 0.5);
  CHECK(*summary.lines()[0].p90_abs_error == 2);
  CHECK(summary.lines()[0].off == 3);
}

TEST_CASE("recall and specificity count what was measured to run out of memory and to fit") {
  // Measured oom: 4, of which 2 were predicted; "uncertain" finds neither. Measured fits: 3, of
  // which 2 were predicted.
  Summary summary;
  summary.add(verdict_row("1", "oom", "oom"));
  summary.add(verdict_row("2", "oom", "oom"));
  summary.add(verdict_row("3", "oom", "fits"));
  summary.add(verdict_row("4", "oom", "uncertain"));
  summary.add(verdict_row("5", "fits", "fits"));
  summary.add(verdict_row("6", "fits", "fits"));
  summary.add(verdict_row("7", "fits", "oom"));
  const auto lines = summary.lines();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].compared == 7);
  CHECK(*lines[0].oom_recall == 0.5);
  CHECK(*lines[0].specificity == Approx(2.0 / 3));
  CHECK_FALSE(lines[0].median_abs_error.has_value());
}

TEST_CASE("rows that could not be compared are counted and enter no statistic") {
  Summary summary;
  summary.add(number_row("1", 1, 2, Status::not_modelled));
  summary.add(number_row("2", 1, 2, Status::input_error));
  summary.add(number_row("3", 1, 1, Status::ok));
  const auto lines = summary.lines();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].compared == 1);
  CHECK(lines[0].not_modelled == 1);
  CHECK(lines[0].input_error == 1);
  CHECK(*lines[0].bias == 0);
  CHECK(summary.count(Status::ok) == 1);
  CHECK(summary.count(Status::off) == 0);
}

TEST_CASE("summary lines are ordered by kind and quantity, whatever the order of the rows") {
  Summary summary;
  summary.add(verdict_row("1", "oom", "oom"));
  Row row = number_row("2", 1, 1, Status::ok);
  summary.add(row);
  row.quantity = "bandwidth";
  summary.add(row);
  const auto lines = summary.lines();
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].quantity == "bandwidth");
  CHECK(lines[1].quantity == "completion");
  CHECK(lines[2].kind == "published");
}

}  // namespace
}  // namespace memsim::validate
