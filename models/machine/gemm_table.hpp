// How fast measured matrix products are, as a table over the logarithms of m, n and k:
//
//   time = (start + max(flops / peak, bytes / bandwidth)) / efficiency(m, n, k)
//
// for C[m, n] = A[m, k] B[k, n], with the nominal peak and bandwidth of the GPU, so that a table
// stays right when these are overridden. An efficiency above one is no error: operands that are
// still in the last-level cache arrive faster than HBM delivers. How tables are made: docs/gemm.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/machine/data_type.hpp"
#include "models/machine/units.hpp"
#include "sim/core/digest.hpp"
#include "sim/core/units.hpp"

namespace memsim::models {

// The products of one data type.
struct GemmGrid {
  DataType type = DataType::bf16;
  sim::Duration start;  // what the smallest product takes
  // Nodes of the three axes. Invariants: not empty, ascending, positive.
  std::vector<std::int64_t> m, n, k;
  // At the nodes m[i], n[j], k[l]: element (i * n.size() + j) * k.size() + l. Invariant: positive.
  std::vector<Fraction> efficiency;
  // Fingerprints of the measurements that the grid was fitted to, ascending: what it says about
  // these is no prediction.
  std::vector<std::uint32_t> fitted;
};

struct GemmTable {
  std::string gpu;              // catalogue name of the part that was measured
  std::vector<GemmGrid> grids;  // one a data type

  // Null: no products of this type were measured.
  [[nodiscard]] const GemmGrid* find(DataType type) const;
  // All that decides times.
  void add_to(sim::Digest& digest) const;
};

// log2(x) in units of 2^-16, rounded down: the whole part is the position of the highest bit, each
// bit of the fraction is whether the square of the mantissa (64 bits, cut off after each squaring)
// reaches 2. Exact for powers of two. Requires: x > 0.
std::int64_t log2_fixed(std::int64_t x);

// The efficiency of a product, linear in log2 m, log2 n and log2 k between the nodes and rounded to
// the nearest part per million; beyond the outermost nodes it is that of the border.
// Requires: m, n, k > 0.
Fraction efficiency_at(const GemmGrid& grid, std::int64_t m, std::int64_t n, std::int64_t k);

}  // namespace memsim::models
