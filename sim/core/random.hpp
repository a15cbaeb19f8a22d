// Seeded random numbers that are the same on every machine and compiler. The standard library's
// engines would do, its distributions and shuffle would not: they differ between libraries.
//
// Source: S. Vigna, splitmix64 (2015); D. Blackman and S. Vigna, xoshiro256** 1.0 (2018).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "sim/core/check.hpp"
#include "sim/core/int128.hpp"

namespace memsim::sim {

// 64-bit state, one output per step, every seed is good. Spreads one seed over larger states.
class SplitMix64 {
 public:
  constexpr explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

// xoshiro256**: 256-bit state, period 2^256 - 1.
class Random {
 public:
  using State = std::array<std::uint64_t, 4>;

  // The state is four outputs of SplitMix64 from `seed`.
  constexpr explicit Random(std::uint64_t seed) : state_{} {
    SplitMix64 spread(seed);
    for (std::uint64_t& word : state_) word = spread.next();
  }
  // Requires: not all words are zero.
  constexpr explicit Random(const State& state) : state_(state) {
    MEMSIM_CHECK((state[0] | state[1] | state[2] | state[3]) != 0, "an all-zero random state");
  }

  // Uniform over all 64-bit numbers.
  constexpr std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform over 0 .. n-1, without bias: the high word of next() x n, where the few products whose
  // low word lies below 2^64 mod n are drawn again (D. Lemire, 2019). Requires: n > 0.
  constexpr std::uint64_t bounded(std::uint64_t n) {
    MEMSIM_CHECK(n > 0, "a random number below zero");
    const std::uint64_t unfair = (0 - n) % n;
    for (;;) {
      const UInt128 product = static_cast<UInt128>(next()) * n;
      if (static_cast<std::uint64_t>(product) >= unfair)
        return static_cast<std::uint64_t>(product >> 64);
    }
  }

  // Every order of `items` is equally likely (Fisher and Yates, from the back).
  template <class T>
  constexpr void shuffle(std::span<T> items) {
    for (std::size_t left = items.size(); left > 1; --left)
      std::swap(items[left - 1], items[bounded(left)]);
  }

 private:
  State state_;
};

}  // namespace memsim::sim
