#include "scenarios/plan/uncertainty.hpp"

#include <array>
#include <cstddef>

#include "sim/core/check.hpp"
#include "sim/core/int128.hpp"

namespace memsim::scenarios {
namespace {

using models::Fraction;
using models::parts_per_million;
using sim::Int128;

struct Quantile {
  std::int64_t probability;  // parts per million
  std::int64_t z;            // standard deviations x 10^6
};

// Quantiles of the standard normal distribution above its median. The limits of the verdicts are
// among them, so they are met exactly; between them the straight line is off by less than 0.2 %.
constexpr std::array<Quantile, 17> quantiles{{{500'000, 0},
                                              {550'000, 125'661},
                                              {600'000, 253'347},
                                              {650'000, 385'320},
                                              {700'000, 524'401},
                                              {750'000, 674'490},
                                              {800'000, 841'621},
                                              {850'000, 1'036'433},
                                              {900'000, 1'281'552},
                                              {925'000, 1'439'531},
                                              {950'000, 1'644'854},
                                              {965'000, 1'811'911},
                                              {980'000, 2'053'749},
                                              {990'000, 2'326'348},
                                              {995'000, 2'575'829},
                                              {999'000, 3'090'232},
                                              {999'900, 3'719'016}}};
constexpr std::int64_t z_of_p90 = 1'281'552;
constexpr std::int64_t z_of_p95 = 1'644'854;

// Probability that a standard normal variable is at most z >= 0; beyond the table its last entry.
std::int64_t upper_probability(std::int64_t z) {
  std::size_t above = 1;
  while (above < quantiles.size() && quantiles[above].z <= z) ++above;
  if (above == quantiles.size()) return quantiles.back().probability;
  const Quantile& low = quantiles[above - 1];
  const Quantile& high = quantiles[above];
  return low.probability +
         sim::scale(high.probability - low.probability, z - low.z, high.z - low.z);
}

// Where a need is just sure to fit: need x (1 + z_of_p95 x half_width / z_of_p90) = limit.
struct Ratio {
  Int128 need;
  Int128 limit;
};
Ratio limit_per_need(const PredictionError& error) {
  const Int128 one = static_cast<Int128>(z_of_p90) * parts_per_million;
  return {one, one + static_cast<Int128>(z_of_p95) * error.half_width.value()};
}

}  // namespace

std::string_view name(Verdict verdict) {
  constexpr std::array<std::string_view, 4> names{"FIT", "TIGHT", "UNCERTAIN", "NO FIT"};
  return names[static_cast<std::size_t>(verdict)];
}

std::int64_t p10(std::int64_t value, const PredictionError& error) {
  return value - sim::scale(value, error.half_width.value(), parts_per_million);
}

std::int64_t p90(std::int64_t value, const PredictionError& error) {
  return value + sim::scale(value, error.half_width.value(), parts_per_million);
}

Fraction probability_of_fit(std::int64_t need, std::int64_t limit, const PredictionError& error) {
  MEMSIM_CHECK(need > 0 && limit >= 0, "a need or limit that cannot be compared");
  // (limit - need) / need in standard deviations of half_width / z_of_p90.
  const std::int64_t margin = limit >= need ? limit - need : need - limit;
  const Int128 z =
      static_cast<Int128>(margin) * parts_per_million * z_of_p90 / need / error.half_width.value();
  const std::int64_t beyond = 10 * parts_per_million;
  const std::int64_t upper = upper_probability(z > beyond ? beyond : static_cast<std::int64_t>(z));
  return Fraction(limit >= need ? upper : parts_per_million - upper);
}

Verdict verdict(Fraction probability) {
  if (probability >= Fraction(950'000)) return Verdict::fit;
  if (probability >= Fraction(600'000)) return Verdict::tight;
  return probability >= Fraction(400'000) ? Verdict::uncertain : Verdict::no_fit;
}

sim::Bytes most_that_fits(sim::Bytes limit, const PredictionError& error) {
  const Ratio ratio = limit_per_need(error);
  return sim::Bytes(static_cast<std::int64_t>(limit.value() * ratio.need / ratio.limit));
}

sim::Bytes limit_that_fits(sim::Bytes need, const PredictionError& error) {
  const Ratio ratio = limit_per_need(error);
  return sim::Bytes(
      static_cast<std::int64_t>((need.value() * ratio.limit + ratio.need - 1) / ratio.need));
}

}  // namespace memsim::scenarios
