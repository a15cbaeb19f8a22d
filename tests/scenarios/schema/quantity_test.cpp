#include "scenarios/schema/quantity.hpp"

#include <limits>
#include <string>

#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

using D = Dimension;

QuantityError error_of(std::string_view text, Dimension dimension) {
  const auto result = parse_quantity(text, dimension);
  REQUIRE_FALSE(result.has_value());
  return result.error();
}

}  // namespace

TEST_CASE("quantities are read as exact decimals into the integer unit") {
  // Expected values by hand: decimal x unit, towards zero.
  const auto [text, dimension, value] = GENERATE(table<std::string, Dimension, std::int64_t>({
      {"80 GB", D::bytes, 80'000'000'000},
      {"1 KiB", D::bytes, 1024},
      {"39.39 GiB", D::bytes, 42'294'690'447},  // 39.39 x 2^30 = 42294690447.36
      {"8519680 B", D::bytes, 8'519'680},
      {"0.5 kB", D::bytes, 500},
      {"3 MB", D::bytes, 3'000'000},
      {"1.5 TiB", D::bytes, 1'649'267'441'664},  // 1.5 x 2^40
      {"2 PB", D::bytes, 2'000'000'000'000'000},
      {"16 b", D::bytes, 2},
      {"9 b", D::bytes, 1},
      {"1555 GB/s", D::bandwidth, 1'555'000'000'000},
      {"31.5 GB/s", D::bandwidth, 31'500'000'000},
      {"200 Gb/s", D::bandwidth, 25'000'000'000},
      {"1 Mb/s", D::bandwidth, 125'000},
      {"4.8 TB/s", D::bandwidth, 4'800'000'000'000},
      {"2 GiB/s", D::bandwidth, 2'147'483'648},
      {"2.5 us", D::duration, 2'500'000},
      {"2.5 \u00b5s", D::duration, 2'500'000},
      {"95 ns", D::duration, 95'000},
      {"7 ps", D::duration, 7},
      {"0.0000015 s", D::duration, 1'500'000},
      {"3 ms", D::duration, 3'000'000'000},
      {"2 min", D::duration, 120'000'000'000'000},
      {"1 h", D::duration, 3'600'000'000'000'000},
      {"312 TFLOP/s", D::operation_rate, 312'000'000'000'000},
      {"624 TOP/s", D::operation_rate, 624'000'000'000'000},
      {"19.5 TFLOPS", D::operation_rate, 19'500'000'000'000},
      {"1.979 PFLOP/s", D::operation_rate, 1'979'000'000'000'000},
      {"1 EFLOP/s", D::operation_rate, 1'000'000'000'000'000'000},
      {"5e8 B", D::bytes, 500'000'000},
      {"1.5E-3 GB", D::bytes, 1'500'000},
      {"1e3 B", D::bytes, 1000},
      {"80GB", D::bytes, 80'000'000'000},
      {"  80   GB ", D::bytes, 80'000'000'000},
      {"+1 B", D::bytes, 1},
      {"-1.5 kB", D::bytes, -1500},
      {"0 B", D::bytes, 0},
      {"0.000000000000000000000000001 GB", D::bytes, 0},
      {"9223372036854775807 B", D::bytes, std::numeric_limits<std::int64_t>::max()},
      {"0000000000000000000000000000001 B", D::bytes, 1},
  }));
  INFO(text);
  const auto result = parse_quantity(text, dimension);
  REQUIRE(result.has_value());
  CHECK(*result == value);
}

TEST_CASE("what is no quantity is told apart") {
  CHECK(error_of("", D::bytes).fault == QuantityFault::not_a_quantity);
  CHECK(error_of("GB", D::bytes).fault == QuantityFault::not_a_quantity);
  CHECK(error_of("-", D::bytes).fault == QuantityFault::not_a_quantity);
  CHECK(error_of(".5 GB", D::bytes).fault == QuantityFault::not_a_quantity);
  CHECK(error_of("5. GB", D::bytes).fault == QuantityFault::not_a_quantity);
  CHECK(error_of("80", D::bytes).fault == QuantityFault::no_unit);
  CHECK(error_of("1e9", D::bytes).fault == QuantityFault::no_unit);
  CHECK(error_of("80 XB", D::bytes).fault == QuantityFault::unknown_unit);
  CHECK(error_of("1,555 GB/s", D::bandwidth).fault == QuantityFault::unknown_unit);
  CHECK(error_of("12345678901234567890 ps", D::duration).fault == QuantityFault::too_large);
  CHECK(error_of("9223372036854775808 B", D::bytes).fault == QuantityFault::too_large);
  CHECK(error_of("10000 PB", D::bytes).fault == QuantityFault::too_large);
  CHECK(error_of("1e999 GB", D::bytes).fault == QuantityFault::too_large);
}

TEST_CASE("a unit of another dimension says which one it is") {
  const QuantityError error = error_of("80 GB/s", D::bytes);
  CHECK(error.fault == QuantityFault::other_dimension);
  CHECK(error.found == D::bandwidth);
  CHECK(error.unit == "GB/s");
  CHECK(error_of("5 us", D::bandwidth).found == D::duration);
  CHECK(error_of("5 GB", D::bandwidth).found == D::bytes);
  CHECK(error_of("5 TFLOP/s", D::bytes).found == D::operation_rate);
}

TEST_CASE("the unit that was probably meant is named") {
  CHECK(error_of("25 Gbps", D::bandwidth).likely == "Gb/s");
  CHECK(error_of("25 GBps", D::bandwidth).likely == "GB/s");
  CHECK(error_of("25 gb/s", D::bandwidth).likely == "GB/s");
  CHECK(error_of("25 GBs", D::bandwidth).likely == "GB/s");
  CHECK(error_of("25 Gbit/s", D::bandwidth).likely == "Gb/s");
  CHECK(error_of("25 GBytes", D::bytes).likely == "GB");
  CHECK(error_of("25 KB", D::bytes).likely == "kB");
  CHECK(error_of("25 gib", D::bytes).likely == "GiB");
  CHECK(error_of("25 tflops", D::operation_rate).likely == "TFLOPS");
  CHECK(error_of("25 US", D::duration).likely == "us");
  CHECK(error_of("25 bananas", D::duration).likely.empty());
}

TEST_CASE("fractions are read exactly as parts per million") {
  CHECK(parse_fraction("0.93") == 930'000);
  CHECK(parse_fraction("1") == 1'000'000);
  CHECK(parse_fraction("0.1234567") == 123'456);
  CHECK(parse_fraction("5e-2") == 50'000);
  CHECK(parse_fraction("-0.5") == -500'000);
  CHECK_FALSE(parse_fraction("nan").has_value());
  CHECK_FALSE(parse_fraction("0.5x").has_value());
  CHECK_FALSE(parse_fraction("1e300").has_value());
}

TEST_CASE("quantities are written in the largest unit that leaves at least one") {
  CHECK(format_quantity(31'500'000'000, D::bandwidth) == "31.5 GB/s");
  CHECK(format_quantity(1'555'000'000'000, D::bandwidth) == "1.555 TB/s");
  CHECK(format_quantity(31'507'692'304, D::bandwidth) == "31.508 GB/s");
  CHECK(format_quantity(80'000'000'000, D::bytes) == "80 GB");
  CHECK(format_quantity(std::int64_t{128} << 30, D::bytes) == "128 GiB");
  CHECK(format_quantity(3 << 20, D::bytes) == "3 MiB");
  CHECK(format_quantity(500, D::bytes) == "500 B");
  CHECK(format_quantity(0, D::bytes) == "0 B");
  CHECK(format_quantity(2'500'000, D::duration) == "2.5 us");
  CHECK(format_quantity(999, D::duration) == "999 ps");
  CHECK(format_quantity(312'000'000'000'000, D::operation_rate) == "312 TFLOP/s");
  CHECK(format_quantity(-1500, D::bytes) == "-1.5 kB");
  CHECK(format_quantity(std::numeric_limits<std::int64_t>::min(), D::bytes).starts_with("-"));
  CHECK(format_fraction(930'000) == "0.93");
  CHECK(format_fraction(1'000'000) == "1");
  CHECK(format_fraction(1) == "0.000001");
}

TEST_CASE("examples keep the number that was written, in bytes and in bits") {
  CHECK(quantity_examples("32", D::bandwidth) == "\"32 GB/s\" or \"256 Gb/s\"");
  CHECK(quantity_examples("31.5", D::bandwidth) == "\"31.5 GB/s\" or \"252 Gb/s\"");
  CHECK(quantity_examples("80", D::bytes) == "\"80 GB\" or \"80 GiB\"");
  CHECK(quantity_examples("5", D::duration) == "\"5 us\" or \"5 ns\"");
  CHECK(quantity_examples("312", D::operation_rate) == "\"312 TFLOP/s\"");
}

TEST_CASE("dimensions have names for sentences") {
  CHECK(name(D::bytes) == "an amount of memory");
  CHECK(name(D::bandwidth) == "a bandwidth");
  CHECK(name(D::duration) == "a time");
  CHECK(name(D::operation_rate) == "a rate of operations");
}

}  // namespace memsim::scenarios
