#include "models/machine/gemm_table.hpp"

#include <cmath>

#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

// One node on the axes that do not matter.
GemmGrid along_m(std::vector<std::int64_t> nodes, std::vector<std::int64_t> parts_per_million) {
  GemmGrid grid;
  grid.m = std::move(nodes);
  grid.n = {1};
  grid.k = {1};
  for (const std::int64_t value : parts_per_million) grid.efficiency.emplace_back(value);
  return grid;
}

std::int64_t at_m(const GemmGrid& grid, std::int64_t m) {
  return efficiency_at(grid, m, 1, 1).value();
}

}  // namespace

TEST_CASE("the logarithm is exact for powers of two and rounded down elsewhere") {
  for (int power = 0; power < 63; ++power) {
    CHECK(log2_fixed(std::int64_t{1} << power) == power * 65536);
  }
  CHECK(log2_fixed(3) == 103'872);         // 1.584962500721 x 65536 = 103872.1
  CHECK(log2_fixed(5) == 152'169);         // 2.321928094887 x 65536 = 152169.9
  CHECK(log2_fixed(7) == 183'982);         // 2.807354922058 x 65536 = 183982.8
  CHECK(log2_fixed(1000) == 653'117);      // 9.965784284662 x 65536 = 653117.6
  CHECK(log2_fixed(50'257) == 1'023'478);  // 15.617037 x 65536 = 1023478.1
  CHECK(log2_fixed(INT64_MAX) == 63 * 65536 - 1);
  CHECK_THROWS_AS(log2_fixed(0), sim::InternalError);
}

TEST_CASE("the logarithm is within one step of that of a double, and never falls") {
  std::int64_t before = 0;
  for (std::int64_t x = 1; x < 20'000; ++x) {
    const std::int64_t log = log2_fixed(x);
    const double exact = std::log2(static_cast<double>(x)) * 65536;
    REQUIRE(log >= before);
    REQUIRE(static_cast<double>(log) <= exact + 1e-6);
    REQUIRE(static_cast<double>(log) > exact - 1);
    before = log;
  }
}

TEST_CASE("nodes are hit exactly, and the border holds beyond them") {
  const GemmGrid grid = along_m({4, 48, 768}, {200'000, 654'321, 999'999});
  CHECK(at_m(grid, 4) == 200'000);
  CHECK(at_m(grid, 48) == 654'321);
  CHECK(at_m(grid, 768) == 999'999);
  CHECK(at_m(grid, 1) == 200'000);
  CHECK(at_m(grid, 1'000'000'000) == 999'999);
}

TEST_CASE("between nodes the efficiency is linear in the logarithm") {
  const GemmGrid grid = along_m({4, 64}, {200'000, 600'000});
  CHECK(at_m(grid, 8) == 300'000);   // a quarter of the way from 2^2 to 2^6
  CHECK(at_m(grid, 16) == 400'000);  // half
  CHECK(at_m(grid, 32) == 500'000);
  // log2 3 is 1 + 38336/65536: 100000 + 800000 x 38336 / 65536 = 567968.75.
  CHECK(at_m(along_m({2, 4}, {100'000, 900'000}), 3) == 567'969);
}

TEST_CASE("the three axes are interpolated together") {
  GemmGrid grid;
  grid.m = {1, 4};
  grid.n = {1, 4};
  grid.k = {1, 16};
  for (std::int64_t i = 1; i <= 8; ++i) grid.efficiency.emplace_back(i * 100'000);
  CHECK(efficiency_at(grid, 1, 1, 16).value() == 200'000);
  CHECK(efficiency_at(grid, 1, 4, 1).value() == 300'000);
  CHECK(efficiency_at(grid, 4, 1, 1).value() == 500'000);
  CHECK(efficiency_at(grid, 2, 2, 4).value() == 450'000);  // the mean of all eight
  // m = 4; half way in n: (5 + 7) / 2 = 6 at k = 1, (6 + 8) / 2 = 7 at k = 16; a quarter in k.
  CHECK(efficiency_at(grid, 4, 2, 2).value() == 625'000);
}

TEST_CASE("nodes too large to be told apart by their logarithms do no harm") {
  const std::int64_t large = std::int64_t{1} << 40;
  const GemmGrid grid = along_m({large, large + 1, large + 2}, {100, 200, 300});
  CHECK(at_m(grid, large) == 100);
  CHECK(at_m(grid, large + 1) == 200);
}

TEST_CASE("a table finds the grid of a type, and its digest is that of all that decides times") {
  GemmTable table;
  table.grids.push_back(along_m({1, 2}, {100'000, 200'000}));
  CHECK(table.find(DataType::bf16) == &table.grids[0]);
  CHECK(table.find(DataType::fp8) == nullptr);
  const auto digest = [](const GemmTable& of) {
    sim::Digest all;
    of.add_to(all);
    return all.value();
  };
  GemmTable other = table;
  other.gpu = "other";
  CHECK(digest(other) == digest(table));
  other.grids[0].efficiency[1] = Fraction(200'001);
  CHECK(digest(other) != digest(table));
  other = table;
  other.grids[0].m[1] = 3;
  CHECK(digest(other) != digest(table));
}

}  // namespace memsim::models
