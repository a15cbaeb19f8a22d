// Decimal numbers read exactly from text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/core/int128.hpp"

namespace memsim::scenarios {

// mantissa x 10^exponent
struct Decimal {
  sim::Int128 mantissa = 0;
  int exponent = 0;
  std::size_t length = 0;  // characters read
};

// The decimal number that a text begins with ("-3", "31.5", "5e8"); empty if there is none. Of its
// digits 19 are kept.
std::optional<Decimal> read_decimal(std::string_view text);

// decimal x numerator / denominator, towards zero; empty if it does not fit in 64 bits.
std::optional<std::int64_t> scaled(const Decimal& decimal, std::int64_t numerator,
                                   std::int64_t denominator);

}  // namespace memsim::scenarios
