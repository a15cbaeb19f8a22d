#include "models/machine/kernel_cost.hpp"

#include "models/machine/machine.hpp"
#include "tests/models/machine/example_machine.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

using namespace sim::literals;

KernelWork work(KernelClass kind, DataType type, std::int64_t flops, sim::Bytes read,
                sim::Bytes written) {
  KernelWork kernel;
  kernel.kind = kind;
  kernel.type = type;
  kernel.flops = flops;
  kernel.read = read;
  kernel.written = written;
  return kernel;
}

// By hand, with the figures of example_gpu(): 100 TFLOP/s bf16, 10 TFLOP/s fp32, 1000 GB/s.
KernelCost cost(const KernelWork& kernel) { return kernel_cost(example_gpu(), kernel).value(); }

}  // namespace

TEST_CASE("a matrix multiplication costs flops over peak times efficiency, and its operands") {
  // 10^9 flops at 0.5 x 100 TFLOP/s: 20 us. 4 MB at 0.4: the bus time of 10 MB.
  const KernelCost gemm = cost(work(KernelClass::gemm, DataType::bf16, 1'000'000'000, 3_MB, 1_MB));
  CHECK(gemm.start == 4_us);
  CHECK(gemm.compute == 20_us);
  CHECK(gemm.traffic == 10_MB);
}

TEST_CASE("attention has an efficiency and a start of its own") {
  // 10^9 flops at 0.25 x 100 TFLOP/s: 40 us.
  const KernelCost kernel =
      cost(work(KernelClass::attention, DataType::bf16, 1'000'000'000, 1_MB, 0_B));
  CHECK(kernel.start == 3_us);
  CHECK(kernel.compute == 40_us);
  CHECK(kernel.traffic == 1_MB);
}

TEST_CASE("streaming kernels compute in fp32 at its peak, whatever their type") {
  for (const DataType type : {DataType::fp32, DataType::bf16, DataType::int64, DataType::boolean}) {
    // 10^7 operations at 10 TFLOP/s: 1 us.
    CHECK(cost(work(KernelClass::streaming, type, 10'000'000, 0_B, 0_B)).compute == 1_us);
  }
}

TEST_CASE("traffic is divided by what the mix of reads and writes achieves") {
  const auto traffic = [](sim::Bytes read, sim::Bytes written) {
    return cost(work(KernelClass::streaming, DataType::fp32, 0, read, written)).traffic;
  };
  CHECK(traffic(0_B, 0_B) == 0_B);
  CHECK(traffic(8_MB, 0_B) == 8_MB);                    // all reads: 1.0
  CHECK(traffic(0_B, 8_MB) == 16_MB);                   // all writes: 0.5
  CHECK(traffic(8_MB, 4_MB) == 15_MB);                  // two to one: 0.8
  CHECK(traffic(5_MB, 1_MB) == sim::Bytes(6'666'667));  // half way from 1.0 to 0.8: 0.9, rounded up
  CHECK(traffic(1_MB, 2_MB) == sim::Bytes(4'615'385));  // half way from 0.8 to 0.5: 0.65
}

TEST_CASE("kernels behind one operator start one after another") {
  KernelWork kernel = work(KernelClass::streaming, DataType::fp32, 0, 8_MB, 0_B);
  kernel.launches = 5;
  CHECK(cost(kernel).start == 5_us);
  CHECK(cost(kernel).traffic == 8_MB);
}

TEST_CASE(
    "types without units of their own take the peak of fp32 if software computes them there") {
  // fp16 and tf32 have no peak in example_gpu(): 10^9 flops at 0.5 x 10 TFLOP/s are 200 us.
  CHECK(cost(work(KernelClass::gemm, DataType::fp16, 1'000'000'000, 0_B, 0_B)).compute == 200_us);
  CHECK(cost(work(KernelClass::gemm, DataType::tf32, 1'000'000'000, 0_B, 0_B)).compute == 200_us);
  const auto fp8 =
      kernel_cost(example_gpu(), work(KernelClass::gemm, DataType::fp8, 1'000'000'000, 0_B, 0_B));
  REQUIRE_FALSE(fp8.has_value());
  CHECK(fp8.error().message == "example has no rate for fp8 arithmetic: set compute.peak.fp8");
}

TEST_CASE("compute time is rounded up to a picosecond") {
  // 1 flop at 10 TFLOP/s: 0.1 ps.
  CHECK(cost(work(KernelClass::streaming, DataType::fp32, 1, 0_B, 0_B)).compute == 1_ps);
}

TEST_CASE("binding fills latency and demands of every work") {
  sim::Program program;
  program.works.resize(3);
  program.works[0].demands.push_back({7, 7});  // left from an earlier machine
  const std::vector<KernelWork> kernels{
      work(KernelClass::gemm, DataType::bf16, 1'000'000'000, 3_MB, 1_MB),
      work(KernelClass::streaming, DataType::fp32, 0, 8_MB, 0_B),
      work(KernelClass::streaming, DataType::fp32, 0, 0_B, 0_B)};
  REQUIRE(bind_kernels(example_gpu(), kernels, program).has_value());
  CHECK(program.works[0].latency == 4_us);
  REQUIRE(program.works[0].demands.size() == 2);
  CHECK(program.works[0].demands[0].route == index(LocalRoute::compute));
  CHECK(program.works[0].demands[0].amount == (20_us).value());
  CHECK(program.works[0].demands[1].route == index(LocalRoute::hbm));
  CHECK(program.works[0].demands[1].amount == 10'000'000);
  REQUIRE(program.works[1].demands.size() == 1);
  CHECK(program.works[1].demands[0].route == index(LocalRoute::hbm));
  CHECK(program.works[2].demands.empty());
}

TEST_CASE(
    "binding reports a kernel that the GPU cannot compute, and wants as many works as kernels") {
  sim::Program program;
  program.works.resize(1);
  const std::vector<KernelWork> fp8{work(KernelClass::gemm, DataType::fp8, 1, 0_B, 0_B)};
  CHECK_FALSE(bind_kernels(example_gpu(), fp8, program).has_value());
  CHECK_THROWS_AS(bind_kernels(example_gpu(), {}, program), sim::InternalError);
}

}  // namespace memsim::models
