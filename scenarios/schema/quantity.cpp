#include "scenarios/schema/quantity.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "models/machine/units.hpp"
#include "scenarios/schema/decimal.hpp"
#include "scenarios/schema/unit.hpp"
#include "sim/core/int128.hpp"
#include "sim/core/units.hpp"

namespace memsim::scenarios {
namespace {

using models::parts_per_million;
using sim::Int128;

// value / unit with at most three decimals, rounded half up, without trailing zeros.
std::string in_units(std::int64_t value, std::int64_t unit) {
  const Int128 thousandths = (static_cast<Int128>(value) * 1000 + unit / 2) / unit;
  const auto whole = static_cast<std::int64_t>(thousandths / 1000);
  std::string decimals = fmt::format("{:03}", static_cast<std::int64_t>(thousandths % 1000));
  while (!decimals.empty() && decimals.back() == '0') decimals.pop_back();
  return decimals.empty() ? std::to_string(whole) : fmt::format("{}.{}", whole, decimals);
}

// A number times eighths / 8: the same amount in bits (64), or bits in bytes (1).
std::string times(std::string_view number, std::int64_t eighths) {
  const std::optional<Decimal> decimal = read_decimal(number);
  const std::optional<std::int64_t> thousandths =
      decimal ? scaled(*decimal, 1000 / 8 * eighths, 1) : std::nullopt;
  return thousandths && *thousandths > 0 ? in_units(*thousandths, 1000) : std::string(number);
}

// Units used for writing, largest first.
std::vector<std::pair<std::string_view, std::int64_t>> writing_units(std::int64_t value,
                                                                     Dimension dimension) {
  constexpr std::int64_t kilo = 1'000;
  constexpr std::int64_t mega = kilo * kilo;
  constexpr std::int64_t giga = mega * kilo;
  constexpr std::int64_t tera = giga * kilo;
  constexpr std::int64_t peta = tera * kilo;
  constexpr std::int64_t kibi = 1 << 10;
  constexpr std::int64_t mebi = kibi * kibi;
  switch (dimension) {
    case Dimension::bytes:
      if (value % mebi == 0 && value != 0) return {{"GiB", mebi * kibi}, {"MiB", mebi}};
      if (value % kibi == 0 && value < mebi && value != 0) return {{"KiB", kibi}};
      return {{"PB", peta}, {"TB", tera}, {"GB", giga}, {"MB", mega}, {"kB", kilo}, {"B", 1}};
    case Dimension::bandwidth:
      return {{"PB/s", peta}, {"TB/s", tera}, {"GB/s", giga},
              {"MB/s", mega}, {"kB/s", kilo}, {"B/s", 1}};
    case Dimension::duration:
      return {{"s", tera}, {"ms", giga}, {"us", mega}, {"ns", kilo}, {"ps", 1}};
    case Dimension::operation_rate:
      break;
  }
  return {{"PFLOP/s", tera * kilo}, {"TFLOP/s", tera}, {"GFLOP/s", giga}, {"FLOP/s", 1}};
}

}  // namespace

std::string_view name(Dimension dimension) {
  switch (dimension) {
    case Dimension::bytes:
      return "an amount of memory";
    case Dimension::bandwidth:
      return "a bandwidth";
    case Dimension::duration:
      return "a time";
    case Dimension::operation_rate:
      break;
  }
  return "a rate of operations";
}

tl::expected<std::int64_t, QuantityError> parse_quantity(std::string_view text,
                                                         Dimension dimension) {
  text = trimmed(text);
  const std::optional<Decimal> number = read_decimal(text);
  if (!number) return tl::unexpected(QuantityError{QuantityFault::not_a_quantity, "", "", {}});
  const std::string_view symbol = trimmed(text.substr(number->length));
  if (symbol.empty()) return tl::unexpected(QuantityError{QuantityFault::no_unit, "", "", {}});

  const Unit* unit = find_unit(symbol);
  if (unit == nullptr || unit->dimension != dimension) {
    const QuantityFault fault =
        unit == nullptr ? QuantityFault::unknown_unit : QuantityFault::other_dimension;
    return tl::unexpected(QuantityError{fault, std::string(symbol), likely_unit(symbol, dimension),
                                        unit == nullptr ? dimension : unit->dimension});
  }
  const std::optional<std::int64_t> value = scaled(*number, unit->numerator, unit->denominator);
  if (!value) {
    return tl::unexpected(QuantityError{QuantityFault::too_large, std::string(symbol), "", {}});
  }
  return *value;
}

std::optional<std::int64_t> parse_fraction(std::string_view text) {
  const std::optional<Decimal> number = read_decimal(text);
  if (!number || number->length != text.size()) return std::nullopt;
  return scaled(*number, parts_per_million, 1);
}

std::string format_quantity(std::int64_t value, Dimension dimension) {
  if (value < 0) {
    const std::int64_t positive = value == std::numeric_limits<std::int64_t>::min()
                                      ? std::numeric_limits<std::int64_t>::max()
                                      : -value;
    return fmt::format("-{}", format_quantity(positive, dimension));
  }
  const auto writing = writing_units(value, dimension);
  for (const auto& [symbol, unit] : writing) {
    if (value >= unit) return fmt::format("{} {}", in_units(value, unit), symbol);
  }
  return fmt::format("{} {}", value, writing.back().first);
}

std::string exact_quantity(std::int64_t value, Dimension dimension) {
  std::string text = format_quantity(value, dimension);
  const auto read = parse_quantity(text, dimension);
  if (read && *read == value) return text;
  constexpr std::array<std::string_view, 4> integer_units{"B", "B/s", "ps", "OP/s"};
  return fmt::format("{} {}", value, integer_units[static_cast<std::size_t>(dimension)]);
}

std::string format_fraction(std::int64_t fraction) {
  std::string text =
      fmt::format("{}.{:06}", fraction / parts_per_million, fraction % parts_per_million);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string quantity_examples(std::string_view number, Dimension dimension, bool in_bits) {
  switch (dimension) {
    case Dimension::bytes:
      return fmt::format(R"("{0} GB" or "{0} GiB")", number);
    case Dimension::bandwidth:
      if (in_bits) return fmt::format(R"("{} Gb/s" or "{} GB/s")", number, times(number, 1));
      return fmt::format(R"("{} GB/s" or "{} Gb/s")", number, times(number, 64));
    case Dimension::duration:
      return fmt::format(R"("{0} us" or "{0} ns")", number);
    case Dimension::operation_rate:
      break;
  }
  return fmt::format(R"("{0} TFLOP/s")", number);
}

}  // namespace memsim::scenarios
