// How sure a prediction is, and the words for it.
//
// What is needed is predicted with a relative error that is read as a normal distribution around
// the prediction. Until errors have been measured for a machine there is one named default: in 8
// of 10 cases the truth lies within 6 % of the prediction.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/machine/units.hpp"
#include "sim/core/units.hpp"

namespace memsim::scenarios {

// FIT: at least 95 % likely to fit; TIGHT: 60 to 95 %; UNCERTAIN: 40 to 60 %; NO FIT: less.
enum class Verdict : std::uint8_t { fit, tight, uncertain, no_fit };
std::string_view name(Verdict verdict);

struct PredictionError {
  // Half of the distance between the 10th and the 90th percentile, as a share of the prediction.
  models::Fraction half_width;
  std::string_view source;
};
inline constexpr PredictionError default_error{models::Fraction(60'000), "default of +-6 %"};

// The 10th and the 90th percentile of the truth. Requires: value >= 0.
std::int64_t p10(std::int64_t value, const PredictionError& error);
std::int64_t p90(std::int64_t value, const PredictionError& error);

// How likely `need` is to be at most `limit`. Requires: need > 0, limit >= 0.
models::Fraction probability_of_fit(std::int64_t need, std::int64_t limit,
                                    const PredictionError& error);

Verdict verdict(models::Fraction probability);

// The largest need whose verdict is FIT under a limit. Requires: limit >= 0.
sim::Bytes most_that_fits(sim::Bytes limit, const PredictionError& error);

// The smallest limit under which the verdict of a need is FIT. Requires: need >= 0.
sim::Bytes limit_that_fits(sim::Bytes need, const PredictionError& error);

}  // namespace memsim::scenarios
