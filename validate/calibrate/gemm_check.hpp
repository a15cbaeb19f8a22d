// How far tables of matrix products are from products that they were not fitted to.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/machine/spec.hpp"
#include "validate/compare/summary.hpp"
#include "validate/import/gemm_measurements.hpp"

namespace memsim::validate {

// Errors of the types of `table` by quantity: "bf16 held out", the rows that the split leaves out;
// "bf16 other m" and "bf16 other n, k", five-fold cross-validation of the other rows in which all
// rows of one m, or of one pair of n and k, are left out together, so that only interpolation can
// find them. `gpu`: as for the fit; its own table does not matter.
std::vector<SummaryLine> check_gemm_table(const models::GpuSpec& gpu,
                                          const models::GemmTable& table,
                                          std::span<const GemmMeasurement> rows);

}  // namespace memsim::validate
