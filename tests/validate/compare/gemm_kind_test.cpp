#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/validate/compare/rows.hpp"
#include "validate/compare/kind.hpp"
#include "validate/compare/summary.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

const fs::path data = fs::path(MEMSIM_SOURCE_DIR) / "validate/data/gemm";
const std::string header = "dtype,m,n,k,time_us\n";

std::vector<Row> run(const std::string& name, const std::string& rows) {
  const TemporaryFolder folder;
  return run_kind(gemm_kind, folder.write(name, header + rows));
}

Row only_row(const std::string& name, const std::string& line) {
  const std::vector<Row> rows = run(name, line);
  REQUIRE(rows.size() == 1);
  return rows[0];
}

TEST_CASE("products that no table was fitted to are within the tolerance of each GPU and type") {
  for (const char* const gpu : {"a100", "h100", "h200", "b200", "l40s"}) {
    Summary summary;
    std::int64_t fitted = 0;
    for (const Row& row : run_kind(gemm_kind, data / (std::string(gpu) + ".csv.gz"))) {
      if (row.status == Status::not_modelled) ++fitted;
      summary.add(row);
    }
    CHECK(summary.count(Status::input_error) == 0);
    CHECK(summary.count(Status::off) == 0);
    const std::vector<SummaryLine> lines = summary.lines();
    CHECK(lines.size() == (std::string(gpu) == "a100" ? 1 : 2));
    CHECK(fitted > 1200 * static_cast<std::int64_t>(lines.size()));
    for (const SummaryLine& line : lines) {
      INFO(line.quantity);
      CHECK(line.compared > 320);  // a fifth of 1600
      CHECK(line.compared + line.not_modelled == 1600);
      CHECK(line.median_abs_error.value() <= 0.06);
      CHECK(line.p90_abs_error.value() <= (std::string(gpu) == "l40s" ? 0.28 : 0.20));
      CHECK(std::abs(line.bias.value()) <= 0.03);
    }
  }
}

TEST_CASE("a row that the table was fitted to has a prediction but does not count") {
  // Rows of validate/data/gemm/a100.csv.gz: the first is fitted, the second held out.
  const std::vector<Row> rows =
      run("a100.csv", "bfloat16,1,32,32,2.4917\nbfloat16,1,256,1024,3.8912\n");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].status == Status::not_modelled);
  CHECK(rows[0].reason == "no prediction: gemm/a100.table was fitted to it");
  CHECK(rows[0].predicted.is_number());
  CHECK(rows[1].kind == "gemm");
  CHECK(rows[1].id == "bfloat16,1,256,1024");
  CHECK(rows[1].quantity == "time a100-sxm4-80gb bf16");
  CHECK(rows[1].unit == "us");
  CHECK(rows[1].measured.as_number() == 3.8912);
  CHECK(rows[1].predicted.is_number());
  CHECK(rows[1].error == relative_error(rows[1].measured, rows[1].predicted));
}

TEST_CASE("the GPU is the catalogue's part that the file is called after") {
  const auto quantity = [](const std::string& name) {
    return only_row(name, "bf16,1,9,9,5\n").quantity;
  };
  CHECK(quantity("h100.csv") == "time h100-sxm5-80gb bf16");
  CHECK(quantity("H200.csv") == "time h200-sxm5-141gb bf16");
  CHECK(quantity("a100-sxm4-40gb.csv") == "time a100-sxm4-40gb bf16");
  CHECK(quantity("gemm_b200_more.csv") == "time b200 bf16");
  CHECK(quantity("gemm-l40s-2.csv") == "time l40s bf16");
  CHECK(quantity("rtx4090.csv") == "time rtx4090 bf16");  // without a table
}

TEST_CASE("products of a GPU that cannot be told are not modelled") {
  const auto reason = [](const std::string& name) {
    const Row row = only_row(name, "bf16,1,9,9,5\n");
    CHECK(row.status == Status::not_modelled);
    CHECK(row.measured.as_number() == 5);
    return row.reason;
  };
  CHECK(reason("mi999.csv") == "no GPU of the catalogue is called like mi999.csv");
  CHECK(reason("v100.csv") ==
        "v100 may be v100-pcie-16gb or v100-pcie-32gb or v100-sxm2-16gb or v100-sxm2-32gb");
}

TEST_CASE("types that the GPU or memsim does not have are not modelled, broken lines are errors") {
  const std::vector<Row> rows =
      run("a100.csv", "bf16,1,9,9\nfp8,1,9,9,5\nnvfp4,1,9,9,5\nbf16,1,9,9,zero\n");
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].status == Status::input_error);
  CHECK(rows[0].reason ==
        "E113 a100.csv:2:1: a row of 4 fields; expected the 5 of dtype,m,n,k,time_us");
  CHECK(rows[1].status == Status::input_error);
  CHECK(rows[1].reason ==
        "E113 a100.csv:5:12: time_us is 'zero'; expected a number above 0, at most 1000000000");
  CHECK(rows[2].status == Status::not_modelled);
  CHECK(rows[2].id == "line 4");
  CHECK(rows[2].reason == "no products of type 'nvfp4'");
  CHECK(rows[3].status == Status::not_modelled);
  CHECK(rows[3].id == "fp8,1,9,9");
  CHECK_THAT(rows[3].reason, Catch::StartsWith("a100-sxm4-80gb has no rate for fp8 arithmetic"));
}

TEST_CASE("types without a grid of their own are predicted too") {
  // Large enough for the peak to decide, which is 8 times (tf32: 2 times) lower than that of bf16.
  const auto predicted = [](const std::string& type) {
    return only_row("a100.csv", type + ",8191,8191,8191,5\n").predicted.as_number();
  };
  CHECK(predicted("fp16") == predicted("bf16"));
  CHECK(predicted("tf32") > 1.5 * predicted("bf16"));
  CHECK(predicted("fp32") > 8 * predicted("bf16"));
}

TEST_CASE("rows are off when more than half or a tenth of them are beyond the tolerance") {
  // 8192 x 8192 x 8192 on H100: 1.11 ms at the peak of 989 TFLOP/s, so 11 ms are ten times wrong.
  const Row wrong = only_row("h100.csv", "bf16,8191,8191,8191,11000\n");
  CHECK(wrong.status == Status::off);
  CHECK(wrong.reason == "more than a tenth of these rows differ by more than 20 %");

  // Nine rows as predicted, one wrong: a tenth, not more.
  std::string lines = "bf16,8191,8191,8191,11000\n";
  for (int m = 8182; m <= 8190; ++m) {
    const std::string row = "bf16," + std::to_string(m) + ",8191,8191,";
    const Row first = only_row("h100.csv", row + "1500\n");
    lines += row + std::to_string(first.predicted.as_number()) + "\n";
  }
  const std::vector<Row> rows = run("h100.csv", lines);
  CHECK(std::ranges::count(rows, Status::ok, &Row::status) == 10);
  const std::vector<Row> more = run("h100.csv", lines + "bf16,8180,8191,8191,11000\n");
  CHECK(std::ranges::count(more, Status::off, &Row::status) == 2);
}

TEST_CASE("a file of products is recognised by its header") {
  CHECK(gemm_kind.recognises("x", "dtype,m,n,k,time_us\nbf16,1,1,1,1\n"));
  CHECK(gemm_kind.recognises("x", "dtype,m,n,k,time_us\r\n"));
  CHECK(gemm_kind.recognises("x", "dtype,m,n,k,time_us"));
  CHECK_FALSE(gemm_kind.recognises("a100.csv", "dtype,m,n,k,time_us,power\n"));
  CHECK_FALSE(gemm_kind.recognises("a100.csv", "m,n,k\n"));
}

}  // namespace
}  // namespace memsim::validate
