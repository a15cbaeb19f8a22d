// Fused attention, sizes by hand from the rule in models/training/operators/attention.cpp.
#include <vector>

#include "models/training/operators/operators.hpp"
#include "tests/models/training/operator_bench.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

using Lines = std::vector<std::string>;
using Sizes = std::vector<std::int64_t>;

// q, k, v [2, 3, rows, width] as views of one projection [2, rows, 3 x 3 x width].
Tensor attend(OperatorBench& bench, const Tensor& projection, std::int64_t width) {
  const std::vector<Tensor> parts = bench.call_many("split", {&projection}, {3 * width, 2}, 3);
  std::vector<Tensor> heads;
  for (const Tensor& part : parts)
    heads.push_back(transpose(bench.eager, reshape(bench.eager, part, {2, -1, 3, width}), 1, 2));
  return bench.call("causal_attention", {&heads[0], &heads[1], &heads[2]}, {0});
}

TEST_CASE("flash attention keeps its output, fp32 log-sum-exp and two words of random state") {
  OperatorBench bench;
  // 2 x 100 rows x 3 heads x 40 elements of 2 bytes are 48,000 bytes.
  const Tensor& projection = bench.leaf({2, 100, 360}, DataType::bf16);
  const OperatorRun run = bench.run([&] { return attend(bench, projection, 40); });
  constexpr auto op = "_scaled_dot_product_flash_attention";
  const std::string back = std::string(op) + "_backward";
  CHECK(run.forward ==
        Lines{std::string(op) + " 48000", std::string(op) + " 2400", std::string(op) + " 16"});
  CHECK(run.saved == Sizes{16, 2400, 48000, 144000});
  // Rows rounded up to 128, heads to 64: 2 x 3 x 128 sums and 2 x 3 x 128 x 64 fp32 elements.
  REQUIRE(run.backward.size() >= 6);
  CHECK(Lines(run.backward.begin(), run.backward.begin() + 5) ==
        Lines{back + " 48000", back + " 48000", back + " 48000", back + " 3072", back + " 196608"});
  CHECK(run.backward.back() == "cat 144000");
}

TEST_CASE("heads whose width is no multiple of 8 are padded for flash attention") {
  OperatorBench bench;
  const Tensor& projection = bench.leaf({2, 100, 45}, DataType::fp16);
  const OperatorRun run = bench.run([&] { return attend(bench, projection, 5); });
  // 2 x 3 x 100 x 8 elements of 2 bytes.
  CHECK(Lines(run.forward.begin(), run.forward.begin() + 4) ==
        Lines{"constant_pad_nd 9600", "constant_pad_nd 9600", "constant_pad_nd 9600",
              "_scaled_dot_product_flash_attention 9600"});
  CHECK(run.backward.front() == "slice_backward 9600");
  CHECK(run.backward.back() == "cat 18000");
}

TEST_CASE("fp32 runs the memory-efficient kernel, with one buffer for gradients of one storage") {
  OperatorBench bench;
  const Tensor& projection = bench.leaf({2, 100, 360});
  const OperatorRun run = bench.run([&] { return attend(bench, projection, 40); });
  constexpr auto op = "_scaled_dot_product_efficient_attention";
  // Log-sum-exp: rows rounded up to 128.
  CHECK(run.forward ==
        Lines{std::string(op) + " 96000", std::string(op) + " 3072", std::string(op) + " 16"});
  CHECK(run.backward[0] == std::string(op) + "_backward 288000");
  CHECK(run.backward[1] == "mul.Tensor 96000");
  CHECK(run.backward.back() == "cat 288000");
}

TEST_CASE("the memory-efficient kernel makes three gradients of three storages") {
  OperatorBench bench;
  const Tensor &q = bench.leaf({2, 3, 100, 40}), &k = bench.leaf({2, 3, 100, 40}),
               &v = bench.leaf({2, 3, 100, 40});
  const OperatorRun run =
      bench.run([&] { return bench.call("causal_attention", {&q, &k, &v}, {0}); });
  const std::string back = "_scaled_dot_product_efficient_attention_backward 96000";
  CHECK(Lines(run.backward.begin(), run.backward.begin() + 3) == Lines{back, back, back});
}

TEST_CASE("autocast takes fused attention down to its type") {
  OperatorBench bench;
  const Tensor &q = bench.leaf({1, 1, 128, 64}), &k = bench.leaf({1, 1, 128, 64}),
               &v = bench.leaf({1, 1, 128, 64});
  const OperatorRun run =
      bench.run([&] { return bench.call("causal_attention", {&q, &k, &v}, {0}); }, DataType::fp16);
  CHECK(run.forward[3] == "_scaled_dot_product_flash_attention 16384");
}

}  // namespace
}  // namespace memsim::models
