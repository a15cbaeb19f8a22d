#include "sim/memory/torch_ratio.hpp"

#include <rapidcheck/catch.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/support/catch.hpp"

namespace memsim::sim {

TEST_CASE("a share of an amount is the truncated product of two doubles") {
  CHECK(TorchRatio::parse("0.5")->of(1001) == 500);
  CHECK(TorchRatio::parse(".25")->of(1000) == 250);
  CHECK(TorchRatio::parse("5e-1")->of(1000) == 500);
  // 0.7 is a little less than 7/10 as a double, but the product rounds to 7 exactly; 0.29 x 100 is
  // the textbook's 28.999999999999996.
  CHECK(TorchRatio::parse("0.7")->of(10) == 7);
  CHECK(TorchRatio::parse("0.29")->of(100) == 28);
  CHECK(TorchRatio().of(1000) == 0);
  CHECK(TorchRatio::one().of(1000) == 1000);
}

TEST_CASE("a share agrees with the processor's doubles for any decimals and amount") {
  rc::prop("as strtod and multiplication", [] {
    const auto digits = *rc::gen::inRange<std::int64_t>(1, 1'000'000'000'000);
    const auto amount = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 52);
    char text[32];
    std::snprintf(text, sizeof text, "0.%012lld", static_cast<long long>(digits));
    const auto ratio = TorchRatio::parse(text);
    RC_ASSERT(ratio.has_value());
    const double product = std::strtod(text, nullptr) * static_cast<double>(amount);
    RC_ASSERT(ratio->of(amount) == static_cast<std::int64_t>(product));
  });
}

TEST_CASE("what is no share from 0 to 1 is refused, and from 1 on is 1") {
  for (const char* text : {"", ".", "-0.5", "0.5x", "0,5", "1e", "e-1", "0.1234567890123456789"})
    CHECK_FALSE(TorchRatio::parse(text).has_value());
  CHECK(TorchRatio::parse("0")->is_zero());
  CHECK(TorchRatio::parse("0.000")->is_zero());
  for (const char* text : {"1", "1.0", "2.5", "1e3", "0.99999999999999999"})
    CHECK(*TorchRatio::parse(text) == TorchRatio::one());
}

}  // namespace memsim::sim
