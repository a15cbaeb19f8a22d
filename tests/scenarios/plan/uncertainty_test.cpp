#include "scenarios/plan/uncertainty.hpp"

#include <cmath>

#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

constexpr std::int64_t need = 10'000'000'000;

Verdict verdict_at(std::int64_t limit) {
  return verdict(probability_of_fit(need, limit, default_error));
}

TEST_CASE("p10 and p90 are 6 % below and above the prediction by default") {
  CHECK(p10(need, default_error) == 9'400'000'000);
  CHECK(p90(need, default_error) == 10'600'000'000);
  CHECK(p90(0, default_error) == 0);
}

TEST_CASE("a limit at p90 fits with 90 %, one at p10 with 10 %, one at the prediction with 50 %") {
  CHECK(probability_of_fit(need, 10'600'000'000, default_error).value() == 900'000);
  CHECK(probability_of_fit(need, 9'400'000'000, default_error).value() == 100'000);
  CHECK(probability_of_fit(need, need, default_error).value() == 500'000);
}

TEST_CASE("verdicts change where the normal distribution says") {
  // Standard deviation: 6 % / 1.281552 = 4.68182 %. FIT from 1.644854 of them above the need:
  // 7.70091 %; TIGHT from 0.253347: 1.18612 %; UNCERTAIN down to the same below.
  CHECK(verdict_at(10'770'092'000) == Verdict::fit);
  CHECK(verdict_at(10'770'090'000) == Verdict::tight);
  CHECK(verdict_at(10'118'613'000) == Verdict::tight);
  CHECK(verdict_at(10'118'611'000) == Verdict::uncertain);
  CHECK(verdict_at(9'881'389'000) == Verdict::uncertain);
  CHECK(verdict_at(9'881'380'000) == Verdict::no_fit);
}

TEST_CASE("the probability of fitting follows the normal distribution within 0.2 %") {
  for (int permille = -150; permille <= 150; ++permille) {
    const std::int64_t limit = need + need / 1000 * permille;
    const double z = permille / 1000.0 / (0.06 / 1.281552);
    const double expected = 0.5 * std::erfc(-z / std::sqrt(2.0));
    const auto got = static_cast<double>(probability_of_fit(need, limit, default_error).value());
    CHECK(std::abs(got / 1e6 - expected) < 0.002);
  }
}

TEST_CASE("the largest need that fits is the limit less 1.644854 standard deviations") {
  // 10.770091 / 1.0770091 = 10.
  const sim::Bytes most = most_that_fits(sim::Bytes(10'770'091'000), default_error);
  CHECK(most.value() == Approx(need).epsilon(1e-7));
  CHECK(verdict(probability_of_fit(most.value(), 10'770'091'000, default_error)) == Verdict::fit);
  CHECK(verdict(probability_of_fit(most.value() + 10'000, 10'770'091'000, default_error)) ==
        Verdict::tight);
}

TEST_CASE("the smallest limit that fits is the need and 1.644854 standard deviations") {
  const sim::Bytes limit = limit_that_fits(sim::Bytes(need), default_error);
  CHECK(limit.value() == Approx(10'770'091'000).epsilon(1e-7));
  CHECK(verdict(probability_of_fit(need, limit.value(), default_error)) == Verdict::fit);
  CHECK(most_that_fits(limit, default_error) == sim::Bytes(need));
}

TEST_CASE("certainty is never claimed, and extreme sizes are compared without overflow") {
  CHECK(probability_of_fit(1, std::int64_t{1} << 62, default_error).value() == 999'900);
  CHECK(probability_of_fit(std::int64_t{1} << 62, 0, default_error).value() == 100);
}

TEST_CASE("the verdict words are fixed") {
  CHECK(name(Verdict::fit) == "FIT");
  CHECK(name(Verdict::tight) == "TIGHT");
  CHECK(name(Verdict::uncertain) == "UNCERTAIN");
  CHECK(name(Verdict::no_fit) == "NO FIT");
}

}  // namespace
}  // namespace memsim::scenarios
