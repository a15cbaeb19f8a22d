// Measured times of matrix products (validate/data/gemm/README.md): a CSV file whose first line is
// "dtype,m,n,k,time_us".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/machine/data_type.hpp"
#include "models/machine/kernel.hpp"
#include "models/machine/spec.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/source.hpp"
#include "sim/core/result.hpp"

namespace memsim::validate {

inline constexpr std::string_view gemm_header = "dtype,m,n,k,time_us";

// C[m, n] = A[m, k] B[k, n], by itself.
struct GemmMeasurement {
  models::DataType type = models::DataType::bf16;
  std::int64_t m = 0, n = 0, k = 0;  // positive
  double microseconds = 0;           // positive
};

// A row of a type that memsim has no products of.
struct GemmForeigner {
  std::uint32_t line = 0;
  std::string type;
};

struct GemmMeasurements {
  std::vector<GemmMeasurement> rows;
  std::vector<GemmForeigner> foreigners;
};

// Empty lines are left out. Types are called as databases do ("bfloat16") or as memsim does.
// Errors (E113): lines that are no rows, at what is wrong in them.
GemmMeasurements parse_gemm_measurements(const scenarios::SourceFile& file,
                                         scenarios::Diagnostics& diagnostics);

// "bfloat16,1024,4096,512": the row without its time, the same for every spelling of the type.
std::string gemm_row_name(const GemmMeasurement& row);

// The split of measurements is decided by FNV-1a (64 bits) of the row's name: fits leave out those
// with remainder 0 or 1 modulo 10, and their errors are those of these rows.
bool is_held_out(const GemmMeasurement& row);

// The upper half of the same hash: by which a table knows what it was fitted to.
std::uint32_t gemm_fingerprint(const GemmMeasurement& row);

// The kernel that was measured: operands of the type; the result too, but in 16 bits where the type
// is narrower, as libraries return it.
models::KernelWork gemm_work(const GemmMeasurement& row);

// How long memsim has it take on a GPU where nothing else runs. Errors: no rate for its type.
sim::Result<sim::Duration> gemm_time(const models::GpuSpec& gpu, const GemmMeasurement& row);

}  // namespace memsim::validate
