#include "models/machine/link_curve.hpp"

#include "tests/models/machine/example_machine.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

using namespace sim::literals;

const std::vector<EfficiencyPoint> points{
    {1000_B, Fraction(100'000)}, {2000_B, Fraction(200'000)}, {10'000_B, Fraction(600'000)}};

}  // namespace

TEST_CASE("an efficiency curve is linear between its points and constant outside") {
  CHECK(fraction_at(points, 1_B) == Fraction(100'000));
  CHECK(fraction_at(points, 1000_B) == Fraction(100'000));
  CHECK(fraction_at(points, 1500_B) == Fraction(150'000));
  CHECK(fraction_at(points, 2000_B) == Fraction(200'000));
  CHECK(fraction_at(points, 4000_B) == Fraction(300'000));
  CHECK(fraction_at(points, 1_GB) == Fraction(600'000));
}

TEST_CASE("start-up is what the curve takes longer than the achieved rate") {
  LinkSpec link = example_link();                            // 40 GB/s
  CHECK(start_up(link, Fraction(500'000), 2000_B) == 0_ps);  // no curve
  link.efficiency = points;
  // 2000 B at 0.2 x 40 GB/s take 250 ns, at 0.5 x 40 GB/s 100 ns.
  CHECK(start_up(link, Fraction(500'000), 2000_B) == 150_ns);
  CHECK(start_up(link, Fraction(500'000), 0_B) == 0_ps);
  // Where the curve is above what is achieved there is nothing to add.
  CHECK(start_up(link, Fraction(500'000), 10'000_B) == 0_ps);
}

}  // namespace memsim::models
