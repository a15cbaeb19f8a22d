#include "sim/memory/torch_ratio.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include "sim/core/check.hpp"
#include "sim/core/int128.hpp"

namespace memsim::sim {
namespace {

constexpr int double_bits = 53;
constexpr int most_digits = 18;
constexpr int most_decimals = 18;
constexpr int smallest_exponent = -9999;
constexpr int largest_exponent = 9999;

// digits / 10^decimals
struct Decimal {
  std::uint64_t digits = 0;
  int decimals = 0;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<Decimal> read_decimal(std::string_view text) {
  Decimal value;
  int count = 0;
  bool any = false;
  bool point = false;
  std::size_t at = 0;
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !point)); ++at) {
    if (text[at] == '.') {
      point = true;
      continue;
    }
    any = true;
    value.digits = value.digits * 10 + static_cast<std::uint64_t>(text[at] - '0');
    if (value.digits > 0 && ++count > most_digits) return std::nullopt;
    if (point) ++value.decimals;
  }
  if (!any) return std::nullopt;
  if (at == text.size()) return value;
  if (text[at] != 'e' && text[at] != 'E') return std::nullopt;
  const bool plus = at + 1 < text.size() && text[at + 1] == '+';
  int exponent = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + at + (plus ? 2 : 1), end, exponent);
  if (error != std::errc() || stop != end || exponent < smallest_exponent ||
      exponent > largest_exponent)
    return std::nullopt;
  value.decimals -= exponent;
  return value;
}

std::uint64_t power_of_ten(int exponent) {
  std::uint64_t power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

int width(UInt128 number) {
  const auto high = static_cast<std::uint64_t>(number >> 64);
  return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                   : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number)));
}

}  // namespace

std::optional<TorchRatio> TorchRatio::parse(std::string_view text) {
  const std::optional<Decimal> decimal = read_decimal(text);
  if (!decimal) return std::nullopt;
  TorchRatio ratio;
  if (decimal->digits == 0) return ratio;
  if (decimal->decimals > most_decimals) return std::nullopt;
  const UInt128 whole = power_of_ten(std::max(0, decimal->decimals));
  UInt128 rest = decimal->digits;
  if (rest >= whole) return one();
  // Binary digits by long division, as many as a double has.
  while (std::bit_width(ratio.significand_) < double_bits) {
    rest *= 2;
    const bool bit = rest >= whole;
    if (bit) rest -= whole;
    ratio.significand_ = ratio.significand_ * 2 + std::uint64_t{bit};
    ++ratio.shift_;
  }
  rest *= 2;
  if (rest > whole || (rest == whole && ratio.significand_ % 2 != 0)) ++ratio.significand_;
  const bool rounds_to_one = ratio.shift_ == double_bits && ratio.significand_ >> double_bits == 1;
  return rounds_to_one ? one() : ratio;
}

std::int64_t TorchRatio::of(std::int64_t amount) const {
  MEMSIM_CHECK(amount >= 0 && amount < std::int64_t{1} << double_bits, "an amount of 2^53 or more");
  UInt128 product = static_cast<UInt128>(significand_) * static_cast<UInt128>(amount);
  const int dropped = width(product) - double_bits;
  if (dropped > 0) {
    const UInt128 unit = static_cast<UInt128>(1) << dropped;
    const UInt128 rest = product % unit;
    product -= rest;
    if (2 * rest > unit || (2 * rest == unit && (product >> dropped) % 2 != 0)) product += unit;
  }
  return static_cast<std::int64_t>(product >> shift_);
}

}  // namespace memsim::sim
