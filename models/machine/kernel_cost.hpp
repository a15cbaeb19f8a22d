// From what a kernel does to what it costs on one GPU:
//
//   time = start + max(flops / (efficiency x peak), bytes / (achieved x HBM bandwidth))
//
// where compute and HBM are shared with whatever else runs. `start` is the device-side fixed cost;
// what the host pays to launch is ComputeSpec::launch. Matrix multiplications: gemm_cost.hpp.
// Attention reaches GpuSpec's efficiency for its type, of the peak of that type; streaming kernels
// compute in fp32 on the ordinary cores. A type without units of its own takes the peak of fp32
// where software computes it there (tf32, fp16, bf16); any other is an error. Traffic reaches the
// share of bandwidth of its mix of reads and writes: linear between all reads, two reads to one
// write, and all writes.
#pragma once

#include <cstdint>
#include <span>

#include "models/machine/kernel.hpp"
#include "models/machine/spec.hpp"
#include "sim/core/result.hpp"
#include "sim/exec/program.hpp"

namespace memsim::models {

struct KernelCost {
  sim::Duration start;
  sim::Duration compute;  // of all SMs
  sim::Bytes traffic;     // bytes at nominal HBM bandwidth
};

// The type whose units execute arithmetic in `type`: its own, or fp32 where software falls back.
DataType executed_as(const ComputeSpec& compute, DataType type);

// Errors: the GPU has no rate for the kernel's type.
sim::Result<KernelCost> kernel_cost(const GpuSpec& gpu, const KernelWork& kernel);

// How long such a kernel takes when nothing else runs.
sim::Duration duration_alone(const GpuSpec& gpu, const KernelCost& cost);

// Fills latency and demands of program.works[i] from kernels[i], on the routes LocalRoute::compute
// and LocalRoute::hbm. Requires: as many works as kernels. Errors: those of kernel_cost.
sim::Result<void> bind_kernels(const GpuSpec& gpu, std::span<const KernelWork> kernels,
                               sim::Program& program);

}  // namespace memsim::models
