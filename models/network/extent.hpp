// One number of a tensor's shape, as a network states it before batch and sequence are known.
#pragma once

#include <cstdint>

namespace memsim::models {

struct Extent {
  enum class Base : std::uint8_t {
    one,
    batch,     // the micro-batch
    sequence,  // tokens per sample
    same,      // as in the first operand, in the same place
    rest,      // what the other extents leave over (-1 in PyTorch); at most one per shape
  };
  Base base = Base::one;
  std::int64_t factor = 1;  // times the base; 1 for `same` and `rest`

  constexpr Extent(std::int64_t n) : factor(n) {}  // NOLINT: 3 is the extent three
  constexpr Extent(Base b, std::int64_t times) : base(b), factor(times) {}

  friend constexpr bool operator==(Extent, Extent) = default;
  friend constexpr Extent operator*(std::int64_t times, Extent extent) {
    return {extent.base, extent.factor * times};
  }
};

inline constexpr Extent batch_extent{Extent::Base::batch, 1};
inline constexpr Extent sequence_extent{Extent::Base::sequence, 1};
inline constexpr Extent same_extent{Extent::Base::same, 1};
inline constexpr Extent rest_extent{Extent::Base::rest, 1};

}  // namespace memsim::models
