#include "validate/calibrate/gemm_fit.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/validate/calibrate/gemm_law.hpp"

namespace memsim::validate {
namespace {

using models::DataType;
using models::GemmGrid;

double fitted_us(const models::GpuSpec& gpu, const GemmGrid& grid, const GemmMeasurement& row) {
  models::GpuSpec with = gpu;
  with.compute.gemm =
      std::make_shared<const models::GemmTable>(models::GemmTable{gpu.name, {grid}});
  return static_cast<double>(gemm_time(with, row).value().value()) / 1e6;
}

TEST_CASE("a law is found again at the products it was fitted to") {
  const models::GpuSpec gpu = law_gpu();
  const std::vector<GemmMeasurement> rows = law_rows();
  const GemmGrid grid = fit_gemm(gpu, DataType::bf16, rows);
  CHECK(grid.start == sim::Duration(3'000'000));  // 1 x 1 x 1, to a nanosecond
  for (const GemmMeasurement& row : rows) {
    INFO(gemm_row_name(row));
    CHECK(fitted_us(gpu, grid, row) == Approx(row.microseconds).epsilon(0.02));
  }
}

TEST_CASE("between measured sizes a fit stays near the law") {
  // The sides lie half way between nodes that are four times apart, where the roofline bends.
  const models::GpuSpec gpu = law_gpu();
  const GemmGrid grid = fit_gemm(gpu, DataType::bf16, law_rows());
  for (const std::int64_t m : {2, 32, 512, 2048}) {
    for (const std::int64_t n : {8, 128, 2048}) {
      for (const std::int64_t k : {32, 512, 2048}) {
        INFO(m << " " << n << " " << k);
        CHECK(fitted_us(gpu, grid, law_row(m, n, k)) == Approx(law_us(m, n, k)).epsilon(0.1));
      }
    }
  }
}

TEST_CASE("nodes are the measured sizes rounded to 3 significant bits, those of k to 2") {
  std::vector<GemmMeasurement> rows;
  for (const std::int64_t size : {1, 7, 15, 16, 17, 257, 1000, 2560}) {
    rows.push_back(law_row(size, 5120, size));
  }
  const GemmGrid grid = fit_gemm(law_gpu(), DataType::bf16, rows);
  CHECK(grid.m == std::vector<std::int64_t>{1, 7, 16, 256, 1024, 2560});
  CHECK(grid.n == std::vector<std::int64_t>{5120});
  CHECK(grid.k == std::vector<std::int64_t>{1, 8, 16, 256, 1024, 3072});
  CHECK(grid.efficiency.size() == 36);
}

TEST_CASE("a fit knows its rows, uses those of its type, and does not depend on their order") {
  std::vector<GemmMeasurement> rows{law_row(1, 2, 3), law_row(64, 64, 64), law_row(512, 64, 8)};
  const GemmGrid grid = fit_gemm(law_gpu(), DataType::bf16, rows);
  CHECK(grid.fitted.size() == 3);
  CHECK(std::ranges::is_sorted(grid.fitted));
  CHECK(std::ranges::binary_search(grid.fitted, gemm_fingerprint(rows[1])));
  std::ranges::reverse(rows);
  rows.push_back(law_row(9, 9, 9));
  rows.back().type = DataType::fp8;
  const GemmGrid again = fit_gemm(law_gpu(), DataType::bf16, rows);
  CHECK(again.fitted == grid.fitted);
  CHECK(again.efficiency == grid.efficiency);
  CHECK_THROWS_AS(fit_gemm(law_gpu(), DataType::int8, rows), sim::InternalError);
}

TEST_CASE("a product that was measured twice has one fingerprint and the middle of its times") {
  std::vector<GemmMeasurement> rows{law_row(64, 64, 64), law_row(64, 64, 64), law_row(1, 1, 1)};
  rows[0].microseconds = 90;
  rows[1].microseconds = 110;
  const models::GpuSpec gpu = law_gpu();
  const GemmGrid grid = fit_gemm(gpu, DataType::bf16, rows);
  CHECK(grid.fitted.size() == 2);
  CHECK(fitted_us(gpu, grid, rows[0]) == Approx(99.5).epsilon(0.05));  // of the logarithms
}

}  // namespace
}  // namespace memsim::validate
