// Strong integer units. Time is counted in picoseconds, memory in bytes, rates in bytes per second.
//
// A point in time (Time) and a length of time (Duration) are different types: Time - Time is a
// Duration, Time + Duration is a Time, Time + Time does not compile. Construction is explicit,
// arithmetic is checked (it throws Overflow) and products go through 128 bits.
// int64 picoseconds reach 106 days.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

#include "sim/core/check.hpp"
#include "sim/core/int128.hpp"

namespace memsim::sim {

constexpr std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) [[unlikely]]
    fail_overflow("addition");
  return sum;
}

constexpr std::int64_t checked_sub(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) [[unlikely]]
    fail_overflow("subtraction");
  return difference;
}

constexpr std::int64_t checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) [[unlikely]]
    fail_overflow("multiplication");
  return product;
}

// Narrows a 128-bit result; throws Overflow if it does not fit.
constexpr std::int64_t narrow(Int128 wide) {
  const auto low = static_cast<std::int64_t>(wide);
  if (low != wide) [[unlikely]]
    fail_overflow("narrowing from 128 bits");
  return low;
}

// A count of things of one kind. Quantities of different tags do not mix.
template <class Tag>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(std::int64_t value) : value_(value) {}

  [[nodiscard]] constexpr std::int64_t value() const { return value_; }

  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity(checked_add(a.value_, b.value_));
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity(checked_sub(a.value_, b.value_));
  }
  friend constexpr Quantity operator*(Quantity a, std::int64_t factor) {
    return Quantity(checked_mul(a.value_, factor));
  }
  friend constexpr Quantity operator*(std::int64_t factor, Quantity a) { return a * factor; }
  // Truncates towards zero. Requires: divisor != 0.
  friend constexpr Quantity operator/(Quantity a, std::int64_t divisor) {
    MEMSIM_CHECK(divisor != 0, "division by zero");
    return Quantity(a.value_ / divisor);
  }
  constexpr Quantity& operator+=(Quantity other) { return *this = *this + other; }
  constexpr Quantity& operator-=(Quantity other) { return *this = *this - other; }

  static constexpr Quantity max() { return Quantity(std::numeric_limits<std::int64_t>::max()); }

 private:
  std::int64_t value_ = 0;
};

using Bytes = Quantity<struct BytesTag>;
using Bandwidth = Quantity<struct BandwidthTag>;  // bytes per second
using Duration = Quantity<struct DurationTag>;    // picoseconds

// A point in simulated time: picoseconds since the start of the simulation.
class Time {
 public:
  constexpr Time() = default;
  constexpr explicit Time(std::int64_t picoseconds) : value_(picoseconds) {}

  [[nodiscard]] constexpr std::int64_t value() const { return value_; }

  friend constexpr auto operator<=>(Time, Time) = default;
  friend constexpr Time operator+(Time t, Duration d) {
    return Time(checked_add(t.value_, d.value()));
  }
  friend constexpr Time operator-(Time t, Duration d) {
    return Time(checked_sub(t.value_, d.value()));
  }
  friend constexpr Duration operator-(Time a, Time b) {
    return Duration(checked_sub(a.value_, b.value_));
  }
  constexpr Time& operator+=(Duration d) { return *this = *this + d; }

  static constexpr Time max() { return Time(std::numeric_limits<std::int64_t>::max()); }

 private:
  std::int64_t value_ = 0;
};

inline constexpr std::int64_t picoseconds_per_second = 1'000'000'000'000;

// ceil(a / b) for a >= 0, b > 0.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

// Smallest multiple of `step` that is >= n. Requires: n >= 0, step > 0.
constexpr std::int64_t round_up(std::int64_t n, std::int64_t step) {
  return checked_mul(ceil_div(n, step), step);
}
constexpr Bytes round_up(Bytes n, Bytes step) { return Bytes(round_up(n.value(), step.value())); }

// Time to move `bytes` at `rate`, rounded up to a whole picosecond. Requires: rate > 0, bytes >= 0.
constexpr Duration transfer_time(Bytes bytes, Bandwidth rate) {
  MEMSIM_CHECK(rate.value() > 0, "transfer at a rate that is not positive");
  const Int128 work = static_cast<Int128>(bytes.value()) * picoseconds_per_second;
  return Duration(narrow((work + rate.value() - 1) / rate.value()));
}

// value * numerator / denominator through 128 bits, rounded down. Requires: denominator > 0, value
// * numerator >= 0.
constexpr std::int64_t scale(std::int64_t value, std::int64_t numerator, std::int64_t denominator) {
  MEMSIM_CHECK(denominator > 0, "scale by a denominator that is not positive");
  return narrow(static_cast<Int128>(value) * numerator / denominator);
}

inline namespace literals {
constexpr Bytes operator""_B(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n)); }
constexpr Bytes operator""_KiB(unsigned long long n) {
  return Bytes(static_cast<std::int64_t>(n)) * 1024;
}
constexpr Bytes operator""_MiB(unsigned long long n) {
  return Bytes(static_cast<std::int64_t>(n)) * (1024 * 1024);
}
constexpr Bytes operator""_GiB(unsigned long long n) {
  return Bytes(static_cast<std::int64_t>(n)) * (1024 * 1024 * 1024);
}
constexpr Bytes operator""_MB(unsigned long long n) {
  return Bytes(static_cast<std::int64_t>(n)) * 1'000'000;
}
constexpr Bytes operator""_GB(unsigned long long n) {
  return Bytes(static_cast<std::int64_t>(n)) * 1'000'000'000;
}
constexpr Bandwidth operator""_Bps(unsigned long long n) {
  return Bandwidth(static_cast<std::int64_t>(n));
}
constexpr Bandwidth operator""_MBps(unsigned long long n) {
  return Bandwidth(static_cast<std::int64_t>(n)) * 1'000'000;
}
constexpr Bandwidth operator""_GBps(unsigned long long n) {
  return Bandwidth(static_cast<std::int64_t>(n)) * 1'000'000'000;
}
constexpr Duration operator""_ps(unsigned long long n) {
  return Duration(static_cast<std::int64_t>(n));
}
constexpr Duration operator""_ns(unsigned long long n) {
  return Duration(static_cast<std::int64_t>(n)) * 1'000;
}
constexpr Duration operator""_us(unsigned long long n) {
  return Duration(static_cast<std::int64_t>(n)) * 1'000'000;
}
constexpr Duration operator""_ms(unsigned long long n) {
  return Duration(static_cast<std::int64_t>(n)) * 1'000'000'000;
}
constexpr Duration operator""_s(unsigned long long n) {
  return Duration(static_cast<std::int64_t>(n)) * picoseconds_per_second;
}
}  // namespace literals

}  // namespace memsim::sim
