// What one matrix product costs: from the table of the GPU, else by a formula.
//
// By the table (gemm_table.hpp) of the type, or of bf16 if the type has none: what takes the
// longer at nominal rates, arithmetic or operands, takes the time that the table says. The other
// one reaches its own share (ComputeSpec::gemm_efficiency, GpuMemorySpec::gemm), or the product's
// efficiency if that is higher. With the grid of another type arithmetic is faster or slower by the
// ratio of the two gemm_efficiency; on a GPU with another share of
// peak than the one that was measured (table_efficiency), by the ratio of these.
//
// By the formula: start + walk + max(flops / (gemm_efficiency x peak), bytes / (gemm x bandwidth)),
// where walk is the time to go along k: each tile of the result does so step by step, and beyond
// some length several tiles share the way. It was fitted to five GPUs and improves all of them but
// one, where it makes no difference (docs/gemm.md).
//
// A batch of b products is b times the tiles of one: it is looked up as one product whose longer
// side, m or n, is b times as long. Its operands and operations are its own.
#pragma once

#include "models/machine/kernel.hpp"
#include "models/machine/kernel_cost.hpp"
#include "models/machine/spec.hpp"

namespace memsim::models {

// `peak`: of the units that compute it. Requires: kernel.kind is gemm, flops > 0, and the GPU has
// a rate and an efficiency for its type.
KernelCost gemm_cost(const GpuSpec& gpu, const KernelWork& kernel, OperationRate peak);

}  // namespace memsim::models
