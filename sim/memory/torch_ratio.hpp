// A number between 0 and 1 as PyTorch keeps it, in whole numbers.
//
// PyTorch reads a share ("garbage_collection_threshold:0.6") as a double and multiplies it with an
// amount of memory, truncated. Which byte that gives depends on two roundings to 53 bits; they are
// done here on integers, so that no floating point decides about bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace memsim::sim {

class TorchRatio {
 public:
  constexpr TorchRatio() = default;  // 0
  static constexpr TorchRatio one() {
    TorchRatio ratio;
    ratio.significand_ = 1;
    return ratio;
  }

  // The nearest double to a decimal number such as "0.75" or "5e-1" of at most 18 digits. Values
  // from 1 on are all read as 1. Nothing if it is no such number or negative.
  static std::optional<TorchRatio> parse(std::string_view text);

  [[nodiscard]] constexpr bool is_zero() const { return significand_ == 0; }

  // The product of two doubles, truncated. Requires: 0 <= amount < 2^53.
  [[nodiscard]] std::int64_t of(std::int64_t amount) const;

  friend constexpr bool operator==(const TorchRatio&, const TorchRatio&) = default;

 private:
  // significand / 2^shift
  std::uint64_t significand_ = 0;
  int shift_ = 0;
};

}  // namespace memsim::sim
