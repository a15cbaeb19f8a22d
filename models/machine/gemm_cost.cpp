#include "models/machine/gemm_cost.hpp"

#include <algorithm>

#include "models/machine/achieved.hpp"
#include "models/machine/gemm_table.hpp"

namespace memsim::models {
namespace {

// The walk along k of products without a table. Least squares over A100, H100, H200, B200, L40S.
constexpr sim::Duration walk_per_element(700);
constexpr std::int64_t longest_walk = 4096;

Fraction efficiency_of(const GpuSpec& gpu, DataType type) {
  return gpu.compute.gemm_efficiency[static_cast<std::size_t>(type)];
}

Fraction looked_up(const GemmGrid& grid, const KernelWork& kernel) {
  std::int64_t m = kernel.m;
  std::int64_t n = kernel.n;
  std::int64_t& longer = m > n ? m : n;
  longer = sim::checked_mul(longer, kernel.batch);
  return efficiency_at(grid, m, n, kernel.k);
}

KernelCost by_table(const GpuSpec& gpu, const KernelWork& kernel, OperationRate peak,
                    const GemmGrid& grid) {
  const Fraction share = looked_up(grid, kernel);
  const Fraction own = efficiency_of(gpu, kernel.type);
  const Fraction at_table = gpu.compute.table_efficiency[static_cast<std::size_t>(grid.type)];
  const Fraction of_grid = at_table.value() > 0 ? at_table : efficiency_of(gpu, grid.type);
  MEMSIM_CHECK(of_grid.value() > 0, "the type of a measured grid has an efficiency");
  const Fraction arithmetic(
      std::max<std::int64_t>(1, sim::scale(share.value(), own.value(), of_grid.value())));

  const sim::Bytes bytes = kernel.read + kernel.written;
  const bool by_arithmetic =
      arithmetic_time(kernel.flops, peak, arithmetic) >=
      sim::transfer_time(nominal_traffic(bytes, share), gpu.memory.bandwidth);
  KernelCost cost;
  cost.start = sim::Duration(sim::scale(grid.start.value(), parts_per_million, share.value()));
  cost.compute =
      arithmetic_time(kernel.flops, peak, by_arithmetic ? arithmetic : std::max(arithmetic, own));
  cost.traffic = nominal_traffic(bytes, by_arithmetic ? std::max(share, gpu.memory.gemm) : share);
  return cost;
}

KernelCost by_formula(const GpuSpec& gpu, const KernelWork& kernel, OperationRate peak) {
  KernelCost cost;
  cost.start = gpu.compute.start[static_cast<std::size_t>(KernelClass::gemm)] +
               walk_per_element * std::min(kernel.k, longest_walk);
  cost.compute = arithmetic_time(kernel.flops, peak, efficiency_of(gpu, kernel.type));
  cost.traffic = nominal_traffic(kernel.read + kernel.written, gpu.memory.gemm);
  return cost;
}

}  // namespace

KernelCost gemm_cost(const GpuSpec& gpu, const KernelWork& kernel, OperationRate peak) {
  const GemmTable* table = gpu.compute.gemm.get();
  const GemmGrid* grid = table == nullptr ? nullptr : table->find(kernel.type);
  if (grid == nullptr && table != nullptr) grid = table->find(DataType::bf16);
  return grid == nullptr ? by_formula(gpu, kernel, peak) : by_table(gpu, kernel, peak, *grid);
}

}  // namespace memsim::models
