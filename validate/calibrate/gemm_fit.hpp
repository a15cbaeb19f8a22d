// From measured matrix products to a grid of efficiencies (models/machine/gemm_table.hpp).
//
// `start` is the least time that was measured. The logarithms of time / (start + roofline) are
// smoothed and interpolated by kriging, which is least squares regularised by how much neighbours
// may differ: two products are the more alike the nearer they are in log2 of m, n, k and roofline
// (an octave more in one direction lets them differ as a random walk does), and in how well their
// results fill the multiprocessors with tiles of 128 x 128, 128 x 256 and 256 x 128. The grid's
// nodes are the sizes that were measured, rounded to 3 significant bits (k: 2), and the efficiency
// at a node is that of the smoothed surface. Where no product was measured nearby the surface bends
// towards the mean of all. Figures and reasons: docs/gemm.md.
//
// The bytes of a result are the same for the same rows on one kind of processor; on another one the
// last digit may differ.
#pragma once

#include <span>

#include "models/machine/gemm_table.hpp"
#include "models/machine/spec.hpp"
#include "validate/import/gemm_measurements.hpp"

namespace memsim::validate {

// More rows are not used: the work grows with the third power. The first by their hash stay.
inline constexpr std::size_t most_fitted_rows = 4000;

// The grid of a type, from the rows of that type. Requires: there is one, and the GPU has a rate
// for the type.
models::GemmGrid fit_gemm(const models::GpuSpec& gpu, models::DataType type,
                          std::span<const GemmMeasurement> rows);

}  // namespace memsim::validate
