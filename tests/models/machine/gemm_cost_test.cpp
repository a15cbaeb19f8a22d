// By hand, with the figures of example_gpu(): 100 TFLOP/s bf16, 10 TFLOP/s fp32, 1000 GB/s, of
// which products reach 0.5 and 0.4 without a table.
#include "models/machine/gemm_cost.hpp"

#include "models/machine/kernel_cost.hpp"
#include "tests/models/machine/example_machine.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

using namespace sim::literals;

KernelWork product(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch = 1,
                   DataType type = DataType::bf16) {
  KernelWork work;
  work.kind = KernelClass::gemm;
  work.type = type;
  work.m = m;
  work.n = n;
  work.k = k;
  work.batch = batch;
  work.flops = 2 * m * n * k * batch;
  work.read = sim::Bytes(size_of(type) * (m + n) * k * batch);
  work.written = sim::Bytes(size_of(type) * m * n * batch);
  return work;
}

GemmGrid constant_grid(std::int64_t parts_per_million) {
  GemmGrid grid;
  grid.start = 2_us;
  grid.m = grid.n = grid.k = {1};
  grid.efficiency = {Fraction(parts_per_million)};
  return grid;
}

GpuSpec gpu_with(GemmGrid grid) {
  GpuSpec gpu = example_gpu();
  gpu.compute.gemm = std::make_shared<const GemmTable>(GemmTable{"example", {std::move(grid)}});
  return gpu;
}

KernelCost cost(const GpuSpec& gpu, const KernelWork& work) {
  return kernel_cost(gpu, work).value();
}

std::size_t at(DataType type) { return static_cast<std::size_t>(type); }

}  // namespace

TEST_CASE("a table of one efficiency gives flops over peak times efficiency exactly") {
  // 2 x 10^9 flops at 0.8 x 100 TFLOP/s; start 2 us / 0.8.
  const GpuSpec gpu = gpu_with(constant_grid(800'000));
  const KernelCost square = cost(gpu, product(1000, 1000, 1000));
  CHECK(square.compute == 25_us);
  CHECK(square.start == sim::Duration(2'500'000));
  CHECK(square.traffic == sim::Bytes(7'500'000));  // 6 MB at 0.8
  CHECK(duration_alone(gpu, square) == sim::Duration(27'500'000));
}

TEST_CASE("another share of peak than at the table moves its arithmetic in proportion") {
  // Measured where large products reached 0.5; this one reaches 0.25: arithmetic takes twice as
  // long, the start and the traffic stay.
  GpuSpec gpu = gpu_with(constant_grid(800'000));
  gpu.compute.table_efficiency[at(DataType::bf16)] = Fraction(500'000);
  gpu.compute.gemm_efficiency[at(DataType::bf16)] = Fraction(250'000);
  const KernelCost slower = cost(gpu, product(1000, 1000, 1000));
  CHECK(slower.compute == 50_us);
  CHECK(slower.start == sim::Duration(2'500'000));
  gpu.compute.gemm_efficiency[at(DataType::bf16)] = Fraction(500'000);
  CHECK(cost(gpu, product(1000, 1000, 1000)).compute == 25_us);
}

TEST_CASE("what takes the longer at nominal rates takes the time that the table says") {
  // A matrix times a vector: 8,008,000 bytes at 0.8; 8 x 10^6 flops at 0.8 x 100 TFLOP/s.
  const KernelCost vector = cost(gpu_with(constant_grid(800'000)), product(1, 2000, 2000));
  CHECK(vector.traffic == sim::Bytes(10'010'000));
  CHECK(vector.compute == 100_ns);
}

TEST_CASE("what does not bind reaches its own share where the product does not") {
  const GpuSpec gpu = gpu_with(constant_grid(200'000));
  const KernelCost square = cost(gpu, product(1000, 1000, 1000));
  CHECK(square.compute == 100_us);  // at 0.2
  CHECK(square.traffic == 15_MB);   // 6 MB at 0.4, not at 0.2
  const KernelCost vector = cost(gpu, product(1, 2000, 2000));
  CHECK(vector.traffic == sim::Bytes(40'040'000));  // at 0.2
  CHECK(vector.compute == 160_ns);                  // at 0.5
}

TEST_CASE("operands that come from a cache move faster than HBM delivers") {
  const KernelCost vector = cost(gpu_with(constant_grid(2'000'000)), product(1, 2000, 2000));
  CHECK(vector.traffic == sim::Bytes(4'004'000));
}

TEST_CASE("a table stays right when the peak is another one") {
  GpuSpec gpu = gpu_with(constant_grid(800'000));
  gpu.compute.peak[at(DataType::bf16)] = OperationRate(50'000'000'000'000);
  CHECK(cost(gpu, product(1000, 1000, 1000)).compute == 50_us);
}

TEST_CASE("a type without a grid takes that of bf16 times the ratio of their efficiencies") {
  GpuSpec gpu = gpu_with(constant_grid(800'000));
  gpu.compute.gemm_efficiency[at(DataType::fp32)] = Fraction(250'000);
  // 2 x 10^9 flops at 0.8 x 0.25 / 0.5 x 10 TFLOP/s; 12 MB at 0.8; start as measured.
  const KernelCost square = cost(gpu, product(1000, 1000, 1000, 1, DataType::fp32));
  CHECK(square.compute == 500_us);
  CHECK(square.traffic == 15_MB);
  CHECK(square.start == sim::Duration(2'500'000));
}

TEST_CASE("a table without bf16 says nothing of other types") {
  GemmGrid grid = constant_grid(800'000);
  grid.type = DataType::fp8;
  CHECK(cost(gpu_with(grid), product(1000, 1000, 1000)).compute == 40_us);  // at 0.5
}

TEST_CASE("a batch is looked up as one product whose longer side is as many times as long") {
  GemmGrid grid = constant_grid(200'000);
  grid.m = {1000, 4000};
  grid.n = {1000, 4000};
  grid.efficiency = {Fraction(200'000), Fraction(400'000), Fraction(600'000), Fraction(800'000)};
  const GpuSpec gpu = gpu_with(grid);
  // Long enough in k for arithmetic to bind: 10^10 flops for 1000 x 500.
  const auto compute = [&](std::int64_t m, std::int64_t n, std::int64_t batch) {
    return cost(gpu, product(m, n, 10'000, batch)).compute;
  };
  CHECK(compute(1000, 500, 1) == 500_us);                      // at 0.2
  CHECK(compute(1000, 500, 4) == sim::Duration(666'666'667));  // as 4000 x 500: at 0.6
  CHECK(compute(500, 1000, 4) == 1_ms);                        // as 500 x 4000: at 0.4
  CHECK(compute(1000, 1000, 4) == 2_ms);                       // equal: n; at 0.4
}

TEST_CASE("without a table a product starts, walks along k, and reaches one efficiency") {
  const GpuSpec gpu = example_gpu();
  // Start 4 us and 0.7 ns for each of 1000 elements; 2 x 10^9 flops at 0.5; 6 MB at 0.4.
  const KernelCost square = cost(gpu, product(1000, 1000, 1000));
  CHECK(square.start == sim::Duration(4'700'000));
  CHECK(square.compute == 40_us);
  CHECK(square.traffic == 15_MB);
  // Beyond 4096 elements several tiles share the way.
  CHECK(cost(gpu, product(10, 10, 4096)).start == sim::Duration(6'867'200));
  CHECK(cost(gpu, product(10, 10, 100'000)).start == sim::Duration(6'867'200));
}

}  // namespace memsim::models
