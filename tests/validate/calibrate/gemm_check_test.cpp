#include "validate/calibrate/gemm_check.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/validate/calibrate/gemm_law.hpp"
#include "validate/calibrate/gemm_fit.hpp"

namespace memsim::validate {
namespace {

TEST_CASE("a table's errors are told for rows that were held out, and for other m, n and k") {
  const models::GpuSpec gpu = law_gpu();
  const std::vector<GemmMeasurement> rows = law_rows();
  std::vector<GemmMeasurement> used;
  std::ranges::remove_copy_if(rows, std::back_inserter(used), is_held_out);
  REQUIRE(used.size() < rows.size());
  models::GemmTable table;
  table.grids.push_back(fit_gemm(gpu, models::DataType::bf16, used));
  const std::vector<SummaryLine> lines = check_gemm_table(gpu, table, rows);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].quantity == "bf16 held out");
  CHECK(lines[1].quantity == "bf16 other m");
  CHECK(lines[2].quantity == "bf16 other n, k");
  CHECK(lines[0].compared == static_cast<std::int64_t>(rows.size() - used.size()));
  // Cross-validation leaves each fitted row out once.
  CHECK(lines[1].compared == static_cast<std::int64_t>(used.size()));
  CHECK(lines[2].compared == static_cast<std::int64_t>(used.size()));
  // Sides four times apart: what is left out is guessed from neighbours two octaves away.
  CHECK(lines[0].median_abs_error.value() < 0.05);
  CHECK(lines[2].median_abs_error.value() < 0.05);
  CHECK(lines[1].median_abs_error.value() < 0.15);
}

}  // namespace
}  // namespace memsim::validate
