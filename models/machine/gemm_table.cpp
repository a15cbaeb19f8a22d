#include "models/machine/gemm_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>

#include "sim/core/check.hpp"
#include "sim/core/int128.hpp"

namespace memsim::models {
namespace {

constexpr int fraction_bits = 16;

// Between which nodes a coordinate lies, and how far along.
struct Place {
  std::array<std::size_t, 2> nodes{};         // below, above
  std::array<std::int64_t, 2> weights{1, 0};  // of each; their sum is the distance of the nodes
};

Place place(std::span<const std::int64_t> axis, std::int64_t x) {
  MEMSIM_CHECK(x > 0 && !axis.empty(), "a coordinate and an axis of positive numbers");
  const auto above = static_cast<std::size_t>(std::ranges::upper_bound(axis, x) - axis.begin());
  if (above == 0) return {{0, 0}, {1, 0}};
  if (above == axis.size()) return {{above - 1, above - 1}, {1, 0}};
  const std::int64_t low = log2_fixed(axis[above - 1]);
  const std::int64_t high = log2_fixed(axis[above]);
  // Neighbours so large that their logarithms coincide: the lower one stands for both.
  if (low == high) return {{above - 1, above - 1}, {1, 0}};
  const std::int64_t at = log2_fixed(x);
  return {{above - 1, above}, {high - at, at - low}};
}

std::int64_t span_of(const Place& at) { return at.weights[0] + at.weights[1]; }

}  // namespace

const GemmGrid* GemmTable::find(DataType type) const {
  const auto found = std::ranges::find(grids, type, &GemmGrid::type);
  return found == grids.end() ? nullptr : &*found;
}

void GemmTable::add_to(sim::Digest& digest) const {
  for (const GemmGrid& grid : grids) {
    digest.add(static_cast<std::uint64_t>(grid.type)).add(grid.start);
    for (const auto* const axis : {&grid.m, &grid.n, &grid.k}) {
      digest.add(static_cast<std::uint64_t>(axis->size()));
      for (const std::int64_t node : *axis) digest.add(node);
    }
    for (const Fraction efficiency : grid.efficiency) digest.add(efficiency);
  }
}

std::int64_t log2_fixed(std::int64_t x) {
  MEMSIM_CHECK(x > 0, "logarithm of a number that is not positive");
  const auto bits = static_cast<std::uint64_t>(x);
  const int whole = 63 - std::countl_zero(bits);
  std::uint64_t mantissa = bits << (63 - whole);  // 2^63 stands for 1
  std::int64_t result = whole;
  for (int i = 0; i < fraction_bits; ++i) {
    const auto square = static_cast<sim::UInt128>(mantissa) * mantissa >> 63;
    const auto reached_two = static_cast<std::int64_t>(square >> 64);
    mantissa = static_cast<std::uint64_t>(square >> reached_two);
    result = result * 2 + reached_two;
  }
  return result;
}

Fraction efficiency_at(const GemmGrid& grid, std::int64_t m, std::int64_t n, std::int64_t k) {
  const Place at_m = place(grid.m, m);
  const Place at_n = place(grid.n, n);
  const Place at_k = place(grid.k, k);
  sim::Int128 sum = 0;  // weights below 2^22 each, efficiencies below 2^40
  for (std::size_t corner = 0; corner < 8; ++corner) {
    const std::size_t i = corner / 4;
    const std::size_t j = corner / 2 % 2;
    const std::size_t l = corner % 2;
    const std::size_t row = at_m.nodes[i] * grid.n.size() + at_n.nodes[j];
    const Fraction node = grid.efficiency[row * grid.k.size() + at_k.nodes[l]];
    sum += static_cast<sim::Int128>(at_m.weights[i] * at_n.weights[j]) * at_k.weights[l] *
           node.value();
  }
  const sim::Int128 whole = static_cast<sim::Int128>(span_of(at_m) * span_of(at_n)) * span_of(at_k);
  return Fraction(sim::narrow((sum + whole / 2) / whole));
}

}  // namespace memsim::models
