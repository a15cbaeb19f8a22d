// Numbers with units in running text: "37.2-38 / 371", "1 x 25.1 GB/s", "8 GiB".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/units.hpp"

namespace memsim::validate {

enum class FigureKind : std::uint8_t {
  rate,   // bytes per second
  time,   // seconds
  other,  // no unit, or one of neither
};

// A number, or a range "25.9-26.2". A limit ("<380", "51+") is none.
struct Figure {
  double low = 0;
  double high = 0;
  double step = 0;  // one unit of the last digit
  FigureKind kind = FigureKind::other;
  bool is_limit = false;

  [[nodiscard]] double middle() const { return (low + high) / 2; }
};

// The figures of a measured value. What stands in parentheses and behind "±" or "+-" is left out; a
// number without a unit has that of the row.
std::vector<Figure> read_value(std::string_view value, std::string_view unit);

// What makes a value no measurement of a rate or a time: a sign, a comma within a number ("25,2"),
// nothing but zero. Empty: nothing.
std::string fault_of(std::string_view value, std::string_view unit);

// The figures with units in a sentence: "10.0 and 10.8 GB/s" has two. Whole numbers that count
// something ("12 links") are none.
std::vector<Figure> read_sentence(std::string_view text);

// The first size in a text: "64 MB", "512 KiB". Powers of two of kB, MB and GB are binary, as tools
// print the sizes of their buffers. None behind ">=".
std::optional<sim::Bytes> read_size(std::string_view text);

// The numbers of a sentence that have no unit: "BabelStream 3728".
std::vector<Figure> read_bare_numbers(std::string_view text);

// The text without what stands in parentheses.
std::string without_parentheses(std::string_view text);

}  // namespace memsim::validate
