#include "scenarios/schema/decimal.hpp"

#include <limits>

namespace memsim::scenarios {
namespace {

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

}  // namespace

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

std::optional<std::int64_t> scaled(const Decimal& decimal, std::int64_t numerator,
                                   std::int64_t denominator) {
  sim::Int128 value = decimal.mantissa * numerator;
  for (int i = 0; i < decimal.exponent && value != 0; ++i) {
    if (__builtin_mul_overflow(value, sim::Int128{10}, &value)) return std::nullopt;
  }
  value /= denominator;
  for (int i = decimal.exponent; i < 0 && value != 0; ++i) value /= 10;
  if (value > std::numeric_limits<std::int64_t>::max() ||
      value < std::numeric_limits<std::int64_t>::min()) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace memsim::scenarios
