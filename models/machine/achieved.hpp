// Work at a share of a nominal rate, for kernels of all classes. Everything is rounded up.
#pragma once

#include <cstdint>

#include "models/machine/units.hpp"
#include "sim/core/check.hpp"
#include "sim/core/units.hpp"

namespace memsim::models {

// How long `flops` take at a share of the peak. Requires: flops >= 0, peak > 0, share > 0.
constexpr sim::Duration arithmetic_time(std::int64_t flops, OperationRate peak, Fraction share) {
  const auto rate = static_cast<sim::Int128>(peak.value()) * share.value();
  MEMSIM_CHECK(rate > 0, "arithmetic at a rate that is not positive");
  const auto work =
      static_cast<sim::Int128>(flops) * sim::picoseconds_per_second * parts_per_million;
  return sim::Duration(sim::narrow((work + rate - 1) / rate));
}

// Bytes at nominal bandwidth that take as long as `bytes` at a share of it.
// Requires: bytes >= 0, share > 0.
constexpr sim::Bytes nominal_traffic(sim::Bytes bytes, Fraction share) {
  MEMSIM_CHECK(share.value() > 0, "a memory that achieves nothing");
  const auto scaled = static_cast<sim::Int128>(bytes.value()) * parts_per_million;
  return sim::Bytes(sim::narrow((scaled + share.value() - 1) / share.value()));
}

}  // namespace memsim::models
