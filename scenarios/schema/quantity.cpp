#include "scenarios/schema/quantity.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "models/machine/units.hpp"
#include "sim/core/int128.hpp"
#include "sim/core/units.hpp"

namespace memsim::scenarios {
namespace {

using models::parts_per_million;
using sim::Int128;

struct Unit {
  std::string symbol;
  Dimension dimension;
  std::int64_t numerator;    // integer units in one
  std::int64_t denominator;  // 8 for bits
};

std::vector<Unit> make_units() {
  constexpr std::array<std::string_view, 6> decimal{"", "k", "M", "G", "T", "P"};
  constexpr std::array<std::string_view, 6> binary{"", "Ki", "Mi", "Gi", "Ti", "Pi"};
  std::vector<Unit> units;
  std::int64_t thousands = 1;
  for (std::size_t i = 0; i < decimal.size(); ++i, thousands *= 1000) {
    for (const auto& [symbol, denominator] : {std::pair{"B", 1}, std::pair{"b", 8}}) {
      const std::string amount = std::string(decimal[i]) + symbol;
      units.push_back({amount, Dimension::bytes, thousands, denominator});
      units.push_back({amount + "/s", Dimension::bandwidth, thousands, denominator});
    }
    for (const std::string_view symbol : {"FLOP/s", "OP/s", "FLOPS", "OPS"}) {
      units.push_back(
          {std::string(decimal[i]) + std::string(symbol), Dimension::operation_rate, thousands, 1});
    }
    if (i == 0) continue;
    const std::int64_t power = std::int64_t{1} << (10 * i);
    units.push_back({std::string(binary[i]) + "B", Dimension::bytes, power, 1});
    units.push_back({std::string(binary[i]) + "B/s", Dimension::bandwidth, power, 1});
  }
  for (const std::string_view symbol : {"EFLOP/s", "EOP/s", "EFLOPS", "EOPS"}) {
    units.push_back({std::string(symbol), Dimension::operation_rate, thousands, 1});
  }
  constexpr std::int64_t second = sim::picoseconds_per_second;
  for (const auto& [symbol, picoseconds] : {std::pair<const char*, std::int64_t>{"ps", 1},
                                            {"ns", 1'000},
                                            {"us", 1'000'000},
                                            {"\u00b5s", 1'000'000},
                                            {"ms", 1'000'000'000},
                                            {"s", second},
                                            {"min", 60 * second},
                                            {"h", 3600 * second}}) {
    units.push_back({symbol, Dimension::duration, picoseconds, 1});
  }
  return units;
}

const std::vector<Unit>& units() {
  static const std::vector<Unit> all = make_units();
  return all;
}

const Unit* find_unit(std::string_view symbol) {
  for (const Unit& unit : units()) {
    if (unit.symbol == symbol) return &unit;
  }
  return nullptr;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// The unit that was meant: "Gbps" for "Gb/s", or the same letters in another case (bytes first).
std::string likely_unit(std::string_view written, Dimension dimension) {
  std::string wanted(written);
  if (wanted.ends_with("ps") && dimension == Dimension::bandwidth) {
    wanted.replace(wanted.size() - 2, 2, "/s");
  }
  const Unit* same = find_unit(wanted);
  if (same != nullptr && same->dimension == dimension) return same->symbol;
  for (const Unit& unit : units()) {
    if (unit.dimension == dimension && lower(unit.symbol) == lower(wanted)) return unit.symbol;
  }
  return "";
}

// mantissa x 10^exponent
struct Decimal {
  Int128 mantissa = 0;
  int exponent = 0;
  std::size_t length = 0;  // characters read
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_sign(std::string_view text, std::size_t at) {
  return at < text.size() && (text[at] == '-' || text[at] == '+');
}

// 19 digits, so that mantissa x unit stays below 2^127 for every unit; the others are dropped.
constexpr int most_digits = 19;

// The exponent at text[at...] ("e-8"), if there is one; else that letter belongs to a unit.
void read_exponent(std::string_view text, Decimal& decimal) {
  constexpr int beyond_any_use = 1000;
  std::size_t at = decimal.length;
  if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return;
  ++at;
  const bool negative = is_sign(text, at) && text[at] == '-';
  if (is_sign(text, at)) ++at;
  if (at >= text.size() || !is_digit(text[at])) return;
  int exponent = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    if (exponent < beyond_any_use) exponent = exponent * 10 + (text[at] - '0');
  }
  decimal.exponent += negative ? -exponent : exponent;
  decimal.length = at;
}

// Reads a decimal number from the start of the text.
std::optional<Decimal> read_decimal(std::string_view text) {
  Decimal decimal;
  std::size_t at = is_sign(text, 0) ? 1 : 0;
  const std::size_t first = at;
  int kept = 0;
  bool fraction = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !fraction && at > first) {
      fraction = true;
      continue;
    }
    if (!is_digit(text[at])) break;
    if (kept == most_digits) {
      if (!fraction) ++decimal.exponent;
      continue;
    }
    decimal.mantissa = decimal.mantissa * 10 + (text[at] - '0');
    if (decimal.mantissa != 0) ++kept;
    if (fraction) --decimal.exponent;
  }
  if (at == first || text[at - 1] == '.') return std::nullopt;
  if (text[0] == '-') decimal.mantissa = -decimal.mantissa;
  decimal.length = at;
  read_exponent(text, decimal);
  return decimal;
}

// decimal x numerator / denominator, towards zero; empty if it does not fit in 64 bits.
std::optional<std::int64_t> scaled(const Decimal& decimal, std::int64_t numerator,
                                   std::int64_t denominator) {
  Int128 value = decimal.mantissa * numerator;
  for (int i = 0; i < decimal.exponent && value != 0; ++i) {
    if (__builtin_mul_overflow(value, Int128{10}, &value)) return std::nullopt;
  }
  value /= denominator;
  for (int i = decimal.exponent; i < 0 && value != 0; ++i) value /= 10;
  if (value > std::numeric_limits<std::int64_t>::max() ||
      value < std::numeric_limits<std::int64_t>::min()) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// value / unit with at most three decimals, rounded half up, without trailing zeros.
std::string in_units(std::int64_t value, std::int64_t unit) {
  const Int128 thousandths = (static_cast<Int128>(value) * 1000 + unit / 2) / unit;
  const auto whole = static_cast<std::int64_t>(thousandths / 1000);
  std::string decimals = fmt::format("{:03}", static_cast<std::int64_t>(thousandths % 1000));
  while (!decimals.empty() && decimals.back() == '0') decimals.pop_back();
  return decimals.empty() ? std::to_string(whole) : fmt::format("{}.{}", whole, decimals);
}

// The same amount in bits.
std::string eight_times(std::string_view number) {
  const std::optional<Decimal> decimal = read_decimal(number);
  const std::optional<std::int64_t> thousandths =
      decimal ? scaled(*decimal, 8000, 1) : std::nullopt;
  return thousandths && *thousandths > 0 ? in_units(*thousandths, 1000) : std::string(number);
}

// Units used for writing, largest first.
std::vector<std::pair<std::string_view, std::int64_t>> writing_units(std::int64_t value,
                                                                     Dimension dimension) {
  constexpr std::int64_t kilo = 1'000;
  constexpr std::int64_t mega = kilo * kilo;
  constexpr std::int64_t giga = mega * kilo;
  constexpr std::int64_t tera = giga * kilo;
  constexpr std::int64_t mebi = 1 << 20;
  switch (dimension) {
    case Dimension::bytes:
      if (value % mebi == 0 && value != 0) return {{"GiB", mebi * 1024}, {"MiB", mebi}};
      return {{"TB", tera}, {"GB", giga}, {"MB", mega}, {"kB", kilo}, {"B", 1}};
    case Dimension::bandwidth:
      return {{"TB/s", tera}, {"GB/s", giga}, {"MB/s", mega}, {"kB/s", kilo}, {"B/s", 1}};
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

std::string format_fraction(std::int64_t fraction) {
  std::string text =
      fmt::format("{}.{:06}", fraction / parts_per_million, fraction % parts_per_million);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string quantity_examples(std::string_view number, Dimension dimension) {
  switch (dimension) {
    case Dimension::bytes:
      return fmt::format(R"("{0} GB" or "{0} GiB")", number);
    case Dimension::bandwidth:
      return fmt::format(R"("{} GB/s" or "{} Gb/s")", number, eight_times(number));
    case Dimension::duration:
      return fmt::format(R"("{0} us" or "{0} ns")", number);
    case Dimension::operation_rate:
      break;
  }
  return fmt::format(R"("{0} TFLOP/s")", number);
}

}  // namespace memsim::scenarios
