// The place of a resource in the order of filling: its level, then its number.
#pragma once

#include <compare>
#include <cstdint>

#include "sim/core/int128.hpp"
#include "sim/core/units.hpp"

namespace memsim::sim {

// Orders by (level, resource). One 128-bit number, so that comparing takes no branch.
// A rate cap has the number of no resource (the highest); a resource that binds nobody, and a
// missing cap, have the key none().
class FillKey {
 public:
  static constexpr std::uint32_t no_number = 0xFFFFFFFF;

  constexpr FillKey() = default;
  constexpr FillKey(std::int64_t level, std::uint32_t resource)
      : packed_(static_cast<Int128>(level) << 32 | resource) {}

  static constexpr FillKey none() { return FillKey(Bandwidth::max().value(), no_number); }

  // Below the key of every resource.
  static constexpr FillKey lowest() { return FillKey(-1, 0); }

  [[nodiscard]] constexpr std::int64_t level() const {
    return static_cast<std::int64_t>(packed_ >> 32);
  }
  [[nodiscard]] constexpr std::uint32_t resource() const {
    return static_cast<std::uint32_t>(packed_);
  }

  friend constexpr bool operator==(FillKey a, FillKey b) { return a.packed_ == b.packed_; }
  friend constexpr bool operator<(FillKey a, FillKey b) { return a.packed_ < b.packed_; }

 private:
  Int128 packed_ = none().packed_;
};

// What the resources of one bundle say about its rate: the lowest key is its bottleneck.
struct TwoLowest {
  FillKey first = FillKey::none();
  FillKey second = FillKey::none();

  constexpr void add(FillKey key) {
    const bool lowest = key < first;
    const FillKey loser = lowest ? first : key;
    second = loser < second ? loser : second;
    first = lowest ? key : first;
  }
  // The key of `resource` is now `key`. False if a third key, unknown here, may be among the two.
  constexpr bool change(std::uint32_t resource, FillKey key) {
    if (first.resource() == resource) {
      first = key;
      return key < second;
    }
    if (second.resource() == resource) {
      const bool known = key < second;
      second = key < first ? first : key;
      first = key < first ? key : first;
      return known;
    }
    add(key);
    return true;
  }
  // The lowest key of all but `resource`.
  [[nodiscard]] constexpr FillKey without(std::uint32_t resource) const {
    return first.resource() == resource ? second : first;
  }
  friend constexpr bool operator==(const TwoLowest&, const TwoLowest&) = default;
};

}  // namespace memsim::sim
