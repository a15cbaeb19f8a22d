#include "sim/core/units.hpp"

#include <limits>

#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

template <class A, class B>
concept can_add = requires(A a, B b) { a + b; };
template <class A, class B>
concept can_subtract = requires(A a, B b) { a - b; };
template <class A, class B>
concept can_compare = requires(A a, B b) { a < b; };

TEST_CASE("units mix only where that means something") {
  STATIC_REQUIRE(can_add<Time, Duration>);
  STATIC_REQUIRE_FALSE(can_add<Time, Time>);
  STATIC_REQUIRE(can_subtract<Time, Time>);
  STATIC_REQUIRE_FALSE(can_subtract<Duration, Time>);
  STATIC_REQUIRE_FALSE(can_add<Bytes, Duration>);
  STATIC_REQUIRE_FALSE(can_add<Bytes, std::int64_t>);
  STATIC_REQUIRE_FALSE(can_compare<Bytes, Bandwidth>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<std::int64_t, Bytes>);
}

TEST_CASE("arithmetic of quantities is that of their values") {
  CHECK(3_KiB + 1_B == 3073_B);
  CHECK(3_KiB - 1_B == 3071_B);
  CHECK(2 * 3_B == 6_B);
  CHECK(7_B / 2 == 3_B);
  CHECK(Bytes(-7) / 2 == Bytes(-3));
  CHECK(2_B < 3_B);
  Bytes sum = 1_B;
  sum += 4_B;
  sum -= 2_B;
  CHECK(sum == 3_B);
}

TEST_CASE("points in time and lengths of time") {
  Time time(100);
  time += 20_ps;
  CHECK(time == Time(120));
  CHECK(time - 50_ps == Time(70));
  CHECK(Time(70) - Time(100) == Duration(-30));
  CHECK(Time(1) < Time::max());
}

TEST_CASE("literals count bytes, bytes per second and picoseconds") {
  CHECK((1_KiB).value() == 1024);
  CHECK((1_MiB).value() == 1'048'576);
  CHECK((80_GiB).value() == 85'899'345'920);
  CHECK((1_MB).value() == 1'000'000);
  CHECK((1_GB).value() == 1'000'000'000);
  CHECK((5_Bps).value() == 5);
  CHECK((5_MBps).value() == 5'000'000);
  CHECK((2_GBps).value() == 2'000'000'000);
  CHECK((1_ns).value() == 1'000);
  CHECK((1_us).value() == 1'000'000);
  CHECK((1_ms).value() == 1'000'000'000);
  CHECK(1_s == Duration(picoseconds_per_second));
}

TEST_CASE("overflow is a broken invariant that can be told from others") {
  CHECK_THROWS_AS(checked_mul(largest, 2), Overflow);
  CHECK_THROWS_WITH(checked_add(largest, 1), "integer overflow in addition");
  CHECK_THROWS_AS(narrow(static_cast<Int128>(largest) + 1), Overflow);
}

TEST_CASE("overflow and division by zero are broken invariants") {
  CHECK_THROWS_AS(Bytes(largest) + 1_B, InternalError);
  CHECK_THROWS_AS(Bytes(smallest) - 1_B, InternalError);
  CHECK_THROWS_AS(Bytes(largest / 2 + 1) * 2, InternalError);
  CHECK_THROWS_AS(Time::max() + 1_ps, InternalError);
  CHECK_THROWS_AS(1_B / 0, InternalError);
  CHECK_THROWS_AS(narrow(static_cast<Int128>(largest) + 1), InternalError);
  CHECK_THROWS_AS(narrow(static_cast<Int128>(smallest) - 1), InternalError);
  CHECK(narrow(static_cast<Int128>(smallest)) == smallest);
}

TEST_CASE("rounding up to a multiple") {
  CHECK(ceil_div(0, 5) == 0);
  CHECK(ceil_div(10, 5) == 2);
  CHECK(ceil_div(11, 5) == 3);
  CHECK(round_up(0_B, 512_B) == 0_B);
  CHECK(round_up(1_B, 512_B) == 512_B);
  CHECK(round_up(512_B, 512_B) == 512_B);
  CHECK_THROWS_AS(round_up(Bytes(largest), 512_B), InternalError);
}

TEST_CASE("a transfer takes bytes / rate, rounded up to a whole picosecond") {
  CHECK(transfer_time(1_B, 1_Bps) == 1_s);
  CHECK(transfer_time(0_B, 1_Bps) == 0_ps);
  CHECK(transfer_time(1_B, 3_Bps) == Duration(333'333'333'334));
  // 80 GiB at 2 TB/s: 85899345920 / 2 = 42949672960 ps; the product with 10^12 needs 128 bits.
  CHECK(transfer_time(80_GiB, Bandwidth(2'000'000'000'000)) == Duration(42'949'672'960));
  CHECK_THROWS_AS(transfer_time(1_B, 0_Bps), InternalError);
}

TEST_CASE("scaling goes through 128 bits and rounds down") {
  CHECK(scale(7, 2, 3) == 4);
  CHECK(scale(largest, largest, largest) == largest);
  CHECK_THROWS_AS(scale(largest, 2, 1), InternalError);
  CHECK_THROWS_AS(scale(1, 1, 0), InternalError);
}

}  // namespace
}  // namespace memsim::sim
