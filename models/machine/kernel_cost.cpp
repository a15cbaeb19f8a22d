#include "models/machine/kernel_cost.hpp"

#include <algorithm>
#include <string>

#include "models/machine/achieved.hpp"
#include "models/machine/gemm_cost.hpp"
#include "models/machine/machine.hpp"

namespace memsim::models {
namespace {

struct ComputeRate {
  OperationRate peak;
  Fraction efficiency;
};

OperationRate peak_of(const ComputeSpec& compute, DataType type) {
  return compute.peak[static_cast<std::size_t>(type)];
}

// What a kernel reaches, by its class and type.
ComputeRate compute_rate(const ComputeSpec& compute, const KernelWork& kernel) {
  const auto type = static_cast<std::size_t>(kernel.type);
  const OperationRate peak = peak_of(compute, executed_as(compute, kernel.type));
  switch (kernel.kind) {
    case KernelClass::gemm:
      return {peak, compute.gemm_efficiency[type]};
    case KernelClass::attention:
      return {peak, compute.attention_efficiency[type]};
    case KernelClass::streaming:
      break;
  }
  return {peak_of(compute, DataType::fp32), Fraction(parts_per_million)};
}

// between(a, b, x, span): the point x of span on the line from a to b. Requires: 0 <= x <= span.
Fraction between(Fraction a, Fraction b, sim::Int128 x, sim::Int128 span) {
  return Fraction(sim::narrow((a.value() * (span - x) + b.value() * x) / span));
}

// What HBM achieves for a kernel's mix of reads and writes: linear between all reads, two reads to
// one write, and all writes.
Fraction achieved_for_mix(const AchievedBandwidth& achieved, sim::Bytes read, sim::Bytes written) {
  const sim::Int128 total = static_cast<sim::Int128>(read.value()) + written.value();
  const sim::Int128 thrice_written = static_cast<sim::Int128>(written.value()) * 3;
  if (thrice_written <= total) {
    return between(achieved.read, achieved.mixed, thrice_written, total);
  }
  return between(achieved.mixed, achieved.write, thrice_written - total, total * 2);
}

sim::Bytes traffic(const GpuMemorySpec& memory, const KernelWork& kernel) {
  const sim::Bytes bytes = kernel.read + kernel.written;
  if (bytes.value() == 0) return bytes;
  return nominal_traffic(bytes, achieved_for_mix(memory.achieved, kernel.read, kernel.written));
}

}  // namespace

DataType executed_as(const ComputeSpec& compute, DataType type) {
  const bool falls_back =
      type == DataType::tf32 || type == DataType::fp16 || type == DataType::bf16;
  const bool own_units = compute.peak[static_cast<std::size_t>(type)].value() > 0;
  return !own_units && falls_back ? DataType::fp32 : type;
}

sim::Result<KernelCost> kernel_cost(const GpuSpec& gpu, const KernelWork& kernel) {
  const ComputeRate rate = compute_rate(gpu.compute, kernel);
  const bool computes = kernel.flops > 0;
  if (computes && (rate.peak.value() == 0 || rate.efficiency.value() == 0)) {
    return sim::fail(gpu.name + " has no rate for " + std::string(name(kernel.type)) +
                     " arithmetic: set compute.peak." + std::string(name(kernel.type)));
  }
  if (computes && kernel.kind == KernelClass::gemm) return gemm_cost(gpu, kernel, rate.peak);
  KernelCost cost;
  cost.start = gpu.compute.start[static_cast<std::size_t>(kernel.kind)] * kernel.launches;
  cost.traffic = traffic(gpu.memory, kernel);
  if (computes) cost.compute = arithmetic_time(kernel.flops, rate.peak, rate.efficiency);
  return cost;
}

sim::Duration duration_alone(const GpuSpec& gpu, const KernelCost& cost) {
  return cost.start +
         std::max(cost.compute, sim::transfer_time(cost.traffic, gpu.memory.bandwidth));
}

sim::Result<void> bind_kernels(const GpuSpec& gpu, std::span<const KernelWork> kernels,
                               sim::Program& program) {
  MEMSIM_CHECK(program.works.size() == kernels.size(), "as many works as kernels");
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const sim::Result<KernelCost> cost = kernel_cost(gpu, kernels[i]);
    if (!cost) return tl::unexpected(cost.error());
    sim::Work& work = program.works[i];
    work.latency = cost->start;
    work.demands.clear();
    if (cost->compute.value() > 0) {
      work.demands.push_back({index(LocalRoute::compute), cost->compute.value()});
    }
    if (cost->traffic.value() > 0) {
      work.demands.push_back({index(LocalRoute::hbm), cost->traffic.value()});
    }
  }
  return {};
}

}  // namespace memsim::models
