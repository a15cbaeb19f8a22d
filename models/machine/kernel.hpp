// What a kernel does, independent of the machine that runs it. Operators produce it, the machine
// turns it into time.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/machine/data_type.hpp"
#include "sim/core/units.hpp"

namespace memsim::models {

enum class KernelClass : std::uint8_t {
  gemm,       // matrix multiplication (m, n, k, batch): tensor cores at an efficiency
  attention,  // fused attention: tensor cores at an efficiency of its own
  streaming,  // elementwise, reduction, normalisation, copy: bound by memory
};
inline constexpr std::size_t kernel_class_count = 3;

struct KernelWork {
  KernelClass kind = KernelClass::streaming;
  DataType type = DataType::fp32;  // in which it computes
  std::int64_t flops = 0;          // multiply and add count as two
  sim::Bytes read;                 // compulsory traffic: each operand once
  sim::Bytes written;
  std::int64_t m = 0, n = 0, k = 0, batch = 1;  // gemm only
  std::int64_t launches = 1;  // kernels behind one operator (multi-tensor optimizers: chunks)

  friend auto operator<=>(const KernelWork&, const KernelWork&) = default;
};

}  // namespace memsim::models
