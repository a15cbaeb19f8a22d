// Products whose times follow a law, on an imaginary GPU.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "models/machine/spec.hpp"
#include "validate/import/gemm_measurements.hpp"

namespace memsim::validate {

// 100 TFLOP/s in bf16, 1000 GB/s.
inline models::GpuSpec law_gpu() {
  models::GpuSpec gpu;
  gpu.name = "law";
  gpu.memory.bandwidth = sim::Bandwidth(1'000'000'000'000);
  gpu.memory.gemm = models::Fraction(800'000);
  const auto bf16 = static_cast<std::size_t>(models::DataType::bf16);
  gpu.compute.peak[bf16] = models::OperationRate(100'000'000'000'000);
  gpu.compute.gemm_efficiency[bf16] = models::Fraction(700'000);
  return gpu;
}

// 3 us, and 0.7 of the peak or 0.8 of the bandwidth.
inline double law_us(std::int64_t m, std::int64_t n, std::int64_t k) {
  const auto a = static_cast<double>(m);
  const auto b = static_cast<double>(n);
  const auto c = static_cast<double>(k);
  const double arithmetic = 2 * a * b * c / (0.7 * 100e6);
  const double operands = 2 * (a * c + b * c + a * b) / (0.8 * 1e6);
  return 3 + std::max(arithmetic, operands);
}

inline GemmMeasurement law_row(std::int64_t m, std::int64_t n, std::int64_t k) {
  GemmMeasurement row;
  row.m = m;
  row.n = n;
  row.k = k;
  row.microseconds = law_us(m, n, k);
  return row;
}

// All products of 1 to 4096 in steps of four in each direction.
inline std::vector<GemmMeasurement> law_rows() {
  std::vector<GemmMeasurement> rows;
  constexpr std::array<std::int64_t, 7> sides{1, 4, 16, 64, 256, 1024, 4096};
  for (const std::int64_t m : sides)
    for (const std::int64_t n : sides)
      for (const std::int64_t k : sides) rows.push_back(law_row(m, n, k));
  return rows;
}

}  // namespace memsim::validate
