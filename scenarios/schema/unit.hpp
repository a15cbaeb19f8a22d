// Units of quantities: how many integer units of their dimension they are. See quantity.hpp for
// which there are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/schema/quantity.hpp"

namespace memsim::scenarios {

struct Unit {
  std::string symbol;
  Dimension dimension;
  std::int64_t numerator;    // integer units in one
  std::int64_t denominator;  // 8 for bits
  std::string_view family;   // without its prefix: units of one family differ by powers of 1000
};

const std::vector<Unit>& units();

// Null if there is none of that symbol.
const Unit* find_unit(std::string_view symbol);

// The unit that was meant: "Gb/s" for "Gbps" and "Gbit/s", "GB/s" for "GBs", or the same letters in
// another case (bytes first).
// Empty if nobody can tell.
std::string likely_unit(std::string_view written, Dimension dimension);

// A number with its unit, as written: "1555 GB/s".
struct Written {
  std::string_view number;
  const Unit* unit;
};
// Empty if a text is no quantity.
std::optional<Written> split_quantity(std::string_view text);

std::string_view trimmed(std::string_view text);  // without blanks around it

}  // namespace memsim::scenarios
