// FNV-1a, 64 bit: a fingerprint of results and of simulator state. The same values fed in the same
// order give the same digest on every machine, compiler and thread count.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/core/units.hpp"

namespace memsim::sim {

class Digest {
 public:
  static constexpr std::uint64_t fnv_offset = 14695981039346656037ULL;
  static constexpr std::uint64_t fnv_prime = 1099511628211ULL;

  constexpr explicit Digest(std::uint64_t offset = fnv_offset) : hash_(offset) {}

  // Bytes of a text, one by one: the textbook FNV-1a.
  constexpr Digest& add(std::string_view text) {
    for (const char c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * fnv_prime;
    return *this;
  }
  // One 64-bit word, mixed whole: state digests run in the hot path.
  constexpr Digest& add(std::uint64_t word) {
    const std::uint64_t mixed = (hash_ ^ word) * fnv_prime;
    hash_ = mixed ^ (mixed >> 32);
    return *this;
  }
  constexpr Digest& add(std::int64_t word) { return add(static_cast<std::uint64_t>(word)); }
  constexpr Digest& add(std::uint32_t word) { return add(static_cast<std::uint64_t>(word)); }
  template <class Tag>
  constexpr Digest& add(Quantity<Tag> quantity) {
    return add(quantity.value());
  }
  constexpr Digest& add(Time time) { return add(time.value()); }

  [[nodiscard]] constexpr std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_;
};

}  // namespace memsim::sim
