// Numbers with units, read as exact decimals into integers and written back for people.
//
// Units. Memory: B, kB, MB, GB, TB, PB (powers of 1000), KiB ... PiB (powers of 1024), and bits b,
// kb ... Pb. Bandwidth: any of these per second ("GB/s", "Gb/s"). Time: ps, ns, us, ms, s, min, h.
// Arithmetic: FLOP/s and OP/s with k, M, G, T, P, E (also written "TFLOPS", "TOPS"). Upper and
// lower case differ, because b and B do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace memsim::scenarios {

// What a quantity measures, and the integer unit it is kept in.
enum class Dimension : std::uint8_t {
  bytes,           // bytes
  bandwidth,       // bytes per second
  duration,        // picoseconds
  operation_rate,  // operations per second
};

std::string_view name(Dimension dimension);  // "an amount of memory", "a bandwidth", ...

enum class QuantityFault : std::uint8_t {
  not_a_quantity,  // does not begin with a decimal number
  no_unit,
  unknown_unit,
  other_dimension,  // `unit` measures something else: `found`
  too_large,        // beyond 64 bits
};

struct QuantityError {
  QuantityFault fault;
  std::string unit;    // as written
  std::string likely;  // the unit that was probably meant; may be empty
  Dimension found{};   // other_dimension
};

// A decimal number ("-3", "31.5", "5e8"), optional blanks, a unit. Rounded towards zero to the
// integer unit: "39.39 GiB" is 42294690447 B.
tl::expected<std::int64_t, QuantityError> parse_quantity(std::string_view text,
                                                         Dimension dimension);

// A decimal number as parts per million, rounded towards zero; empty if it is not one, or beyond
// 64 bits.
std::optional<std::int64_t> parse_fraction(std::string_view text);

// For people: at most three decimals, in the largest unit that leaves at least 1. Memory that is a
// whole number of MiB, or of KiB below one MiB, is written with binary units. "31.5 GB/s", "39.375
// GiB", "2.5 us".
std::string format_quantity(std::int64_t value, Dimension dimension);

// The same, but reads back as the same value: "84589380894 B" where three decimals are not enough.
std::string exact_quantity(std::int64_t value, Dimension dimension);

// 930'000 -> "0.93".
std::string format_fraction(std::int64_t parts_per_million);

// Two spellings of what would be right: `"32 GB/s" or "256 Gb/s"` for 32. `in_bits`: of a rate that
// is sold in bits per second.
std::string quantity_examples(std::string_view number, Dimension dimension, bool in_bits = false);

}  // namespace memsim::scenarios
