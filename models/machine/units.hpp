// Units of machine descriptions, beside the ones of sim/core/units.hpp.
#pragma once

#include <cstdint>

#include "sim/core/units.hpp"

namespace memsim::models {

// A share of something, in parts per million: "0.93 of nominal" is Fraction(930'000).
using Fraction = sim::Quantity<struct FractionTag>;

// Arithmetic operations per second. A fused multiply-add counts as two.
using OperationRate = sim::Quantity<struct OperationRateTag>;

inline constexpr std::int64_t parts_per_million = 1'000'000;

// fraction x rate, rounded down.
constexpr sim::Bandwidth share_of(sim::Bandwidth rate, Fraction fraction) {
  return sim::Bandwidth(sim::scale(rate.value(), fraction.value(), parts_per_million));
}

}  // namespace memsim::models
