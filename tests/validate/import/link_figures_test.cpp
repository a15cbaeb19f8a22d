#include "validate/import/link_figures.hpp"

#include <vector>

#include "tests/support/catch.hpp"

namespace memsim::validate {
namespace {

std::vector<double> middles(const std::vector<Figure>& figures) {
  std::vector<double> values;
  for (const Figure& figure : figures) values.push_back(figure.middle());
  return values;
}

using Values = std::vector<double>;

TEST_CASE("a value lists its figures, in the row's unit or in their own") {
  CHECK(middles(read_value("24.8 / 24 / 11", "GB/s")) == Values{24.8e9, 24e9, 11e9});
  CHECK(middles(read_value("4.01/4.00", "TB/s")) == Values{4.01e12, 4.00e12});
  CHECK(middles(read_value("11.24, 14.42", "GB/s")) == Values{11.24e9, 14.42e9});
  CHECK(middles(read_value("~5400 -> DRAM 1730-1870", "GB/s")) == Values{5400e9, 1800e9});
  CHECK(middles(read_value("15.68 / 8.52", "s")) == Values{15.68, 8.52});
  CHECK(middles(read_value("200", "Gb/s")) == Values{25e9});
  CHECK(middles(read_value("26.6", "GiB/s"))[0] == Approx(26.6 * 1073741824));
  const std::vector<Figure> own = read_value("70 / 141 ns; 82.3 / 33.7 GB/s", "");
  REQUIRE(own.size() == 4);
  CHECK(own[0].kind == FigureKind::time);
  CHECK(own[1].middle() == Approx(141e-9));
  CHECK(own[2].kind == FigureKind::rate);
  CHECK(own[3].middle() == Approx(33.7e9));
  const std::vector<Figure> mixed = read_value("11.3 / 10.6-19.5 us", "GB/s");
  CHECK(mixed[0].kind == FigureKind::rate);
  CHECK(mixed[1].kind == FigureKind::time);
}

TEST_CASE("a range has two ends, a limit is marked, parentheses and words are no figures") {
  const std::vector<Figure> range = read_value("23.90-26.38 (sum 205.04)", "GB/s");
  REQUIRE(range.size() == 1);
  CHECK(range[0].low == 23.90e9);
  CHECK(range[0].high == 26.38e9);
  CHECK_FALSE(range[0].is_limit);
  CHECK(read_value("<380 / 337", "GB/s")[0].is_limit);
  CHECK_FALSE(read_value("<380 / 337", "GB/s")[1].is_limit);
  CHECK(read_value("51+", "GB/s")[0].is_limit);
  CHECK(read_value("about one half per direction", "ratio").empty());
  CHECK(read_value("657", "cycles")[0].kind == FigureKind::other);
}

TEST_CASE("signs, commas within numbers and zeros are faults of a value, lists and ranges none") {
  CHECK_FALSE(fault_of("-25.2", "GB/s").empty());
  CHECK_FALSE(fault_of("25 / -3", "GB/s").empty());
  CHECK_FALSE(fault_of("25,2", "GB/s").empty());
  CHECK_FALSE(fault_of("0.0", "us").empty());
  CHECK_FALSE(fault_of("1.234.5", "GB/s").empty());
  CHECK(fault_of("0", "%").empty());
  CHECK(fault_of("11.24, 14.42", "GB/s").empty());
  CHECK(fault_of("37.2-38 / 371", "GB/s").empty());
  CHECK(fault_of("25 - 26", "GB/s").empty());
  CHECK(fault_of("~5400 -> DRAM 1730-1870", "GB/s").empty());
  CHECK(middles(read_value("25.2 \u00b1 0.3", "GB/s")) == Values{25.2e9});
  CHECK(middles(read_value("25.2 +- 0.3 / 26", "GB/s")) == Values{25.2e9, 26e9});
  CHECK(middles(read_bare_numbers("triad: 3783 GB/s; BabelStream 3728")) == Values{3728});
}

TEST_CASE("a sentence's figures are those with a unit, and those that share one") {
  CHECK(middles(read_sentence("DGX A100, pageable copies: 10.0 and 10.8 GB/s")) ==
        Values{10.0e9, 10.8e9});
  CHECK(middles(read_sentence("8x A100: 276.1 to 276.7 GB/s")) == Values{276.1e9, 276.7e9});
  CHECK(middles(read_sentence("12 links of 25 GB/s per direction")) == Values{25e9});
  CHECK(middles(read_sentence("MLC, all reads: 215.7 of 255.9 GB/s")) == Values{215.7e9, 255.9e9});
  CHECK(read_sentence("assumed: as A100").empty());
  CHECK(read_sentence("3200 MT/s x 8 B").empty());
}

TEST_CASE("sizes of powers of two are binary, others decimal") {
  CHECK(read_size("bandwidthTest 32 MB pageable H2D") == sim::Bytes(32 << 20));
  CHECK(read_size("1kB: time 0.03 ms") == sim::Bytes(1024));
  CHECK(read_size("512 MiB") == sim::Bytes(512 << 20));
  CHECK(read_size("500 MB") == sim::Bytes(500'000'000));
  CHECK(read_size("messages >= 1 MB") == std::nullopt);
  CHECK(read_size("25 GB/s over x16") == std::nullopt);
}

}  // namespace
}  // namespace memsim::validate
