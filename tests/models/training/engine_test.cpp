// The autograd engine: sums of gradients, leaves, what lives how long.
#include "models/training/eager/engine.hpp"

#include <algorithm>
#include <vector>

#include "models/training/operators/operators.hpp"
#include "tests/models/training/operator_bench.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

using Lines = std::vector<std::string>;

// relu(y) + gelu(y) for y = x * 2: two gradients meet at y.
OperatorRun fork(TorchRules rules) {
  OperatorBench bench(rules);
  const Tensor& x = bench.leaf({4, 4});
  return bench.run([&] {
    const Tensor y = mul_number(bench.eager, x);
    const Tensor a = bench.call("relu", {&y});
    const Tensor b = bench.call("gelu", {&y});
    return add(bench.eager, a, b);
  });
}

TEST_CASE("gradients that meet make a third tensor in 1.13 and are added in place in 2.x") {
  CHECK(fork(TorchRules::v1_13).backward ==
        Lines{"gelu_backward 64", "threshold_backward 64", "add.Tensor 64", "mul.Tensor 64"});
  CHECK(fork(TorchRules::v2).backward ==
        Lines{"gelu_backward 64", "threshold_backward 64", "mul.Tensor 64"});
}

TEST_CASE("2.x does not add into a gradient that somebody else holds") {
  OperatorBench bench(TorchRules::v2);
  const Tensor& x = bench.leaf({4, 4});
  // Both operands of the sum get the same gradient, so the engine is not its only holder.
  const OperatorRun run = bench.run([&] {
    const Tensor y = mul_number(bench.eager, x);
    return add(bench.eager, y, y);
  });
  CHECK(run.backward == Lines{"add.Tensor 64", "mul.Tensor 64"});
}

TEST_CASE("2.x does not add into a gradient that is not dense") {
  OperatorBench bench(TorchRules::v2);
  const Tensor &x = bench.leaf({4, 4}), &c = bench.constant({4, 4});
  // y's first gradient is one half of the gradient of a cat: nobody else holds it, but it has gaps.
  const OperatorRun run = bench.run([&] {
    const Tensor y = mul_number(bench.eager, x);
    const Tensor activated = bench.call("gelu", {&y});
    const Tensor right = bench.call("cat", {&activated, &c}, {1});
    const Tensor both = bench.call("cat", {&y, &c}, {1});
    return add(bench.eager, mul_number(bench.eager, both), right);
  });
  CHECK(run.backward ==
        Lines{"mul.Tensor 128", "gelu_backward 64", "add.Tensor 64", "mul.Tensor 64"});
}

TEST_CASE("a leaf takes over a gradient that it alone holds, with the strides of the leaf") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({4, 4});
  const OperatorRun run = bench.run([&] { return mul_number(bench.eager, x); });
  CHECK(run.backward == Lines{"mul.Tensor 64"});
  CHECK(x->grad);
}

TEST_CASE("a leaf copies a gradient whose strides are not its own") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({2, 3});
  const OperatorRun run =
      bench.run([&] { return contiguous(bench.eager, transpose(bench.eager, x, 0, 1)); });
  CHECK(run.backward == Lines{"new_empty_strided 24"});
  CHECK(is_contiguous(x->grad->layout));
}

TEST_CASE("a second backward adds to the gradient in place") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({4, 4});
  const OperatorRun run = bench.run([&] {
    {
      const Tensor first = mul_number(bench.eager, x);
      const Setting<bool> grad(bench.eager.grad_enabled, false);
      run_backward(bench.eager, first, ones_like(bench.eager, first));
    }
    return mul_number(bench.eager, x);
  });
  CHECK(run.backward == Lines{"mul.Tensor 64"});
}

TEST_CASE("a parameter used twice waits for both gradients") {
  OperatorBench bench;
  const Tensor &x = bench.constant({4, 4}), &w = bench.leaf({4, 4});
  const Tensor none;
  const OperatorRun run =
      bench.run([&] { return linear(bench.eager, linear(bench.eager, x, w, none), w, none); });
  CHECK(run.backward == Lines{"mm 64", "mm 64", "mm 64", "add.Tensor 64"});
}

TEST_CASE("operands that want no gradient get none") {
  OperatorBench bench;
  const Tensor &x = bench.constant({4, 4}), &y = bench.constant({4, 4});
  const OperatorRun run = bench.run([&] { return add(bench.eager, x, y); });
  CHECK(run.backward.empty());
  CHECK(run.saved.empty());
}

TEST_CASE("autocast keeps one copy of a parameter until its block is left") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({4, 4}), &w = bench.leaf({4, 4});
  const Tensor none;
  const OperatorRun run =
      bench.run([&] { return linear(bench.eager, linear(bench.eager, x, w, none), w, none); },
                DataType::bf16);
  CHECK(run.forward == Lines{"_to_copy 32", "_to_copy 32", "mm 32", "mm 32"});
  CHECK_FALSE(w->low_precision);
}

TEST_CASE("cuBLAS takes its workspace once per thread, at the first product") {
  OperatorBench bench(TorchRules::v1_13, sim::Bytes(1000));
  const Tensor &x = bench.leaf({4, 4}), &w = bench.leaf({4, 4});
  const Tensor none;
  const OperatorRun run =
      bench.run([&] { return linear(bench.eager, linear(bench.eager, x, w, none), w, none); });
  CHECK(run.forward == Lines{"mm 64", "cublas_workspace 1000", "mm 64"});
  CHECK(std::ranges::count(run.backward, "cublas_workspace 1000") == 1);
}

TEST_CASE("a loss that depends on no leaf cannot be run backward") {
  OperatorBench bench;
  const Tensor& x = bench.constant({4});
  const Setting<bool> grad(bench.eager.grad_enabled, false);
  CHECK_THROWS_AS(run_backward(bench.eager, x, x), UnfitOperand);
}

}  // namespace
}  // namespace memsim::models
