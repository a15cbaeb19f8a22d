// Types, units and works of kernels: what machine descriptions count in.
#include <set>
#include <string_view>

#include "models/machine/data_type.hpp"
#include "models/machine/kernel.hpp"
#include "models/machine/units.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

using namespace sim::literals;

TEST_CASE("every data type has a name of its own and the size that PyTorch stores it in") {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < data_type_count; ++i) names.insert(name(static_cast<DataType>(i)));
  CHECK(names.size() == data_type_count);
  CHECK(name(DataType::bf16) == "bf16");
  CHECK(name(DataType::boolean) == "bool");
  // Bits of IEEE 754 binary64, 32 and 16; bfloat16 is the upper half of binary32; tf32 computes on
  // binary32; bool takes a byte.
  CHECK(size_of(DataType::fp64) == 8);
  CHECK(size_of(DataType::fp32) == 4);
  CHECK(size_of(DataType::tf32) == 4);
  CHECK(size_of(DataType::fp16) == 2);
  CHECK(size_of(DataType::bf16) == 2);
  CHECK(size_of(DataType::fp8) == 1);
  CHECK(size_of(DataType::int8) == 1);
  CHECK(size_of(DataType::int32) == 4);
  CHECK(size_of(DataType::int64) == 8);
  CHECK(size_of(DataType::boolean) == 1);
}

TEST_CASE("a share of a rate is rounded down") {
  // 0.93 x 1555 GB/s; a third of 10 B/s is 3.33333 B/s.
  CHECK(share_of(1555_GBps, Fraction(930'000)) == sim::Bandwidth(1'446'150'000'000));
  CHECK(share_of(10_Bps, Fraction(333'333)) == 3_Bps);
  CHECK(share_of(10_Bps, Fraction(0)) == 0_Bps);
  // Beyond what 64 bits hold on the way: 4 x 10^18 x 10^6.
  CHECK(share_of(sim::Bandwidth(4'000'000'000'000'000'000), Fraction(parts_per_million)) ==
        sim::Bandwidth(4'000'000'000'000'000'000));
}

TEST_CASE("works of kernels are equal when all that decides their time is") {
  KernelWork work;
  work.flops = 8;
  KernelWork other = work;
  CHECK(work == other);
  other.launches = 2;
  CHECK(work != other);
  CHECK(work < other);
}

}  // namespace
}  // namespace memsim::models
