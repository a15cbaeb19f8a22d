#include "models/machine/link_curve.hpp"

#include <algorithm>

namespace memsim::models {

Fraction fraction_at(const std::vector<EfficiencyPoint>& points, sim::Bytes size) {
  MEMSIM_CHECK(!points.empty(), "an efficiency curve without points");
  const auto above = std::find_if(points.begin(), points.end(),
                                  [&](const EfficiencyPoint& p) { return p.size >= size; });
  if (above == points.end()) return points.back().fraction;
  if (above == points.begin() || above->size == size) return above->fraction;
  const EfficiencyPoint& below = *(above - 1);
  const std::int64_t span = (above->size - below.size).value();
  const std::int64_t done = (size - below.size).value();
  // Both ends weighted by the distance to the other: no negative numbers to round.
  return Fraction(sim::narrow((static_cast<sim::Int128>(below.fraction.value()) * (span - done) +
                               static_cast<sim::Int128>(above->fraction.value()) * done) /
                              span));
}

sim::Duration start_up(const LinkSpec& link, Fraction achieved, sim::Bytes size) {
  if (link.efficiency.empty() || size.value() == 0) return {};
  const Fraction at_size = std::min(fraction_at(link.efficiency, size), achieved);
  return sim::transfer_time(size, share_of(link.bandwidth, at_size)) -
         sim::transfer_time(size, share_of(link.bandwidth, achieved));
}

}  // namespace memsim::models
