// Operators one at a time: what they allocate forward, what autograd saves, what they allocate
// backward. Expected lines are those that PyTorch 1.13 showed when each operator ran alone on these
// sizes (the source of validate/data/torch); `new_empty_strided` is AccumulateGrad copying the
// gradient of a leaf input.
#include "models/training/operators/operators.hpp"

#include <vector>

#include "tests/models/training/operator_bench.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

using Lines = std::vector<std::string>;
using Sizes = std::vector<std::int64_t>;
constexpr DataType half = DataType::bf16;

void check(const OperatorRun& run, const Lines& forward, const Sizes& saved,
           const Lines& backward) {
  CHECK(run.forward == forward);
  CHECK(run.saved == saved);
  CHECK(run.backward == backward);
}

TEST_CASE("linear on a contiguous input of three dimensions is one addmm") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({2, 8, 16}), &w = bench.leaf({32, 16}), &b = bench.leaf({32});
  check(bench.run([&] { return bench.call("linear", {&x, &w, &b}); }), {"addmm 2048"}, {1024, 2048},
        {"mm 1024", "mm 2048", "sum.dim_IntList 128"});
}

TEST_CASE("linear without a bias is mm, and the weight's gradient comes first") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({2, 8, 16}), &w = bench.leaf({32, 16});
  const Tensor none;
  check(bench.run([&] { return bench.call("linear", {&x, &w, &none}); }), {"mm 2048"}, {1024, 2048},
        {"mm 2048", "mm 1024"});
}

TEST_CASE("linear on a matrix is addmm") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({8, 16}), &w = bench.leaf({32, 16}), &b = bench.leaf({32});
  check(bench.run([&] { return bench.call("linear", {&x, &w, &b}); }), {"addmm 1024"}, {512, 2048},
        {"mm 512", "mm 2048", "sum.dim_IntList 128"});
}

TEST_CASE("linear whose input wants no gradient keeps the input only") {
  OperatorBench bench;
  const Tensor &x = bench.constant({8, 16}), &w = bench.leaf({32, 16}), &b = bench.leaf({32});
  check(bench.run([&] { return bench.call("linear", {&x, &w, &b}); }), {"addmm 1024"}, {512},
        {"mm 2048", "sum.dim_IntList 128"});
}

TEST_CASE("linear on a view with its last dimensions swapped is a batch over the expanded weight") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({2, 16, 8}), &w = bench.leaf({32, 16}), &b = bench.leaf({32});
  const OperatorRun run =
      bench.run([&] { return linear(bench.eager, transpose(bench.eager, x, 1, 2), w, b); });
  // The bias is added in place.
  check(run, {"bmm 2048"}, {1024, 2048},
        {"sum.dim_IntList 128", "bmm 4096", "bmm 1024", "sum.dim_IntList 2048",
         "new_empty_strided 2048", "new_empty_strided 1024"});
}

TEST_CASE("autocast copies bias, weight and input of a linear, and its backward casts back") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({2, 8, 16}), &w = bench.leaf({32, 16}), &b = bench.leaf({32});
  check(bench.run([&] { return bench.call("linear", {&x, &w, &b}); }, half),
        {"_to_copy 64", "_to_copy 1024", "_to_copy 512", "addmm 1024"}, {512, 1024},
        {"mm 512", "mm 1024", "sum.dim_IntList 64", "_to_copy 1024", "_to_copy 2048",
         "_to_copy 128"});
}

TEST_CASE("matmul clones transposed views as soon as the batch is larger than 1") {
  OperatorBench bench;
  const Tensor &q = bench.leaf({2, 8, 4, 16}), &k = bench.leaf({2, 8, 4, 16});
  Eager& e = bench.eager;
  const OperatorRun run = bench.run(
      [&] { return matmul(e, transpose(e, q, 1, 2), transpose(e, transpose(e, k, 1, 2), 2, 3)); });
  check(run, {"clone 4096", "clone 4096", "bmm 2048"}, {4096, 4096},
        {"bmm 4096", "bmm 4096", "new_empty_strided 4096", "new_empty_strided 4096"});
}

TEST_CASE("matmul of a batch of 1 works on the views") {
  OperatorBench bench;
  const Tensor &q = bench.leaf({1, 8, 4, 16}), &k = bench.leaf({1, 8, 4, 16});
  Eager& e = bench.eager;
  const OperatorRun run = bench.run(
      [&] { return matmul(e, transpose(e, q, 1, 2), transpose(e, transpose(e, k, 1, 2), 2, 3)); });
  check(run, {"bmm 1024"}, {2048, 2048},
        {"bmm 2048", "bmm 2048", "new_empty_strided 2048", "new_empty_strided 2048"});
}

TEST_CASE("matmul of probabilities and a transposed view clones the view only") {
  OperatorBench bench;
  const Tensor &a = bench.leaf({2, 4, 8, 8}), &v = bench.leaf({2, 8, 4, 16});
  Eager& e = bench.eager;
  check(bench.run([&] { return matmul(e, a, transpose(e, v, 1, 2)); }), {"clone 4096", "bmm 4096"},
        {2048, 4096}, {"bmm 4096", "bmm 2048", "new_empty_strided 4096"});
}

TEST_CASE("bmm saves both operands") {
  OperatorBench bench;
  const Tensor &a = bench.leaf({4, 8, 16}), &b = bench.leaf({4, 16, 8});
  check(bench.run([&] { return bmm(bench.eager, a, b); }), {"bmm 1024"}, {2048, 2048},
        {"bmm 2048", "bmm 2048"});
}

TEST_CASE("a sum saves nothing and hands one gradient to both operands") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({2, 8, 16}), &y = bench.leaf({2, 8, 16});
  check(bench.run([&] { return bench.call("add", {&x, &y}); }), {"add.Tensor 1024"}, {},
        {"new_empty_strided 1024", "new_empty_strided 1024"});
}

TEST_CASE("the gradient of a broadcast operand is summed") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({2, 8, 16}), &y = bench.leaf({16});
  check(bench.run([&] { return bench.call("add", {&x, &y}); }), {"add.Tensor 1024"}, {},
        {"sum.dim_IntList 64", "new_empty_strided 1024"});
}

TEST_CASE("a product saves each operand whose partner wants a gradient") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({2, 8, 16}), &w = bench.leaf({16});
  check(bench.run([&] { return bench.call("mul", {&x, &w}); }), {"mul.Tensor 1024"}, {64, 1024},
        {"mul.Tensor 1024", "mul.Tensor 1024", "sum.dim_IntList 64"});
}

TEST_CASE("a product with a constant saves the constant only") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({2, 8, 16}), &y = bench.constant({8, 16});
  check(bench.run([&] { return bench.call("mul", {&x, &y}); }), {"mul.Tensor 1024"}, {512},
        {"mul.Tensor 1024"});
}

TEST_CASE("scaling, dividing and negating save nothing") {
  const auto run = [](auto op) {
    OperatorBench bench;
    const Tensor& x = bench.leaf({2, 8, 16});
    return bench.run([&] { return op(bench, x); });
  };
  check(run([](OperatorBench& b, const Tensor& x) { return b.call("scale", {&x}); }),
        {"mul.Tensor 1024"}, {}, {"mul.Tensor 1024"});
  check(run([](OperatorBench& b, const Tensor& x) { return div_number(b.eager, x); }),
        {"div.Tensor 1024"}, {}, {"div.Tensor 1024"});
  check(run([](OperatorBench& b, const Tensor& x) { return b.call("neg", {&x}); }), {"neg 1024"},
        {}, {"neg 1024"});
}

TEST_CASE("activations save their result or their input") {
  struct Case {
    const char* op;
    const char* backward;
  };
  for (const Case& c : {Case{"relu", "threshold_backward 1024"},
                        {"gelu", "gelu_backward 1024"},
                        {"tanh", "tanh_backward 1024"},
                        {"sigmoid", "sigmoid_backward 1024"},
                        {"silu", "silu_backward 1024"}}) {
    INFO(c.op);
    OperatorBench bench;
    const Tensor& x = bench.leaf({2, 8, 16});
    check(bench.run([&] { return bench.call(c.op, {&x}); }), {std::string(c.op) + " 1024"}, {1024},
          {c.backward});
  }
}

TEST_CASE("relu in place allocates nothing and saves its result") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({2, 8, 16});
  const OperatorRun run = bench.run([&] {
    const Tensor y = bench.call("scale", {&x});
    return bench.call("relu_", {&y});
  });
  check(run, {"mul.Tensor 1024"}, {1024}, {"threshold_backward 1024", "mul.Tensor 1024"});
}

TEST_CASE("softmax and log_softmax save their result") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({2, 8, 16});
  check(bench.run([&] { return bench.call("softmax", {&x}, {-1}); }), {"_softmax 1024"}, {1024},
        {"_softmax_backward_data 1024"});
  OperatorBench other;
  const Tensor& y = other.leaf({2, 8, 16});
  check(other.run([&] { return log_softmax(other.eager, y, -1); }), {"_log_softmax 1024"}, {1024},
        {"_log_softmax_backward_data 1024"});
}

TEST_CASE("softmax under autocast copies bf16 to fp32 first, and reads fp16 as it is") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({2, 8, 16}, DataType::bf16);
  check(bench.run([&] { return bench.call("softmax", {&x}, {-1}); }, DataType::bf16),
        {"_to_copy 1024", "_softmax 1024"}, {1024},
        {"_softmax_backward_data 1024", "_to_copy 512"});
  OperatorBench other;
  const Tensor& y = other.leaf({2, 8, 16}, DataType::fp16);
  check(other.run([&] { return other.call("softmax", {&y}, {-1}); }, DataType::fp16),
        {"_softmax 1024"}, {1024}, {"_softmax_backward_data 512"});
}

TEST_CASE("cross entropy keeps the log-probabilities once and a total weight") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({8, 100});
  const Tensor& target = bench.constant({8}, DataType::int64);
  check(bench.run([&] { return bench.call("cross_entropy", {&x, &target}); }),
        {"_log_softmax 3200", "nll_loss_forward 4", "nll_loss_forward 4"}, {4, 64, 3200},
        {"nll_loss_backward 3200", "_log_softmax_backward_data 3200"});
}

TEST_CASE("cross entropy of bf16 logits under autocast keeps them in both types") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({8, 100}, half);
  const Tensor& target = bench.constant({8}, DataType::int64);
  check(bench.run([&] { return bench.call("cross_entropy", {&x, &target}); }, half),
        {"_log_softmax 1600", "_to_copy 3200", "nll_loss_forward 4", "nll_loss_forward 4"},
        {4, 64, 1600, 3200},
        {"nll_loss_backward 3200", "_to_copy 1600", "_log_softmax_backward_data 1600"});
}

TEST_CASE("dropout keeps a mask of one byte per element") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({2, 8, 16});
  check(bench.run([&] { return bench.call("dropout", {&x}, {100'000}); }),
        {"native_dropout 1024", "native_dropout 256"}, {256}, {"native_dropout_backward 1024"});
}

TEST_CASE("dropout at rate 0 and in evaluation is its input") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({2, 8, 16});
  check(bench.run([&] {
    const Tensor y = bench.call("scale", {&x});
    const Tensor z = bench.call("dropout", {&y}, {0});
    bench.eager.training = false;
    return bench.call("dropout", {&z}, {500'000});
  }),
        {"mul.Tensor 1024"}, {}, {"mul.Tensor 1024"});
}

TEST_CASE("dropout at rate 1 multiplies by a zero") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({2, 8, 16});
  check(bench.run([&] { return bench.call("dropout", {&x}, {1'000'000}); }),
        {"zeros 4", "mul.Tensor 1024"}, {4}, {"mul.Tensor 1024"});
}

TEST_CASE("layer_norm keeps its input and fp32 statistics") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({2, 8, 16}), &w = bench.leaf({16}), &b = bench.leaf({16});
  check(bench.run([&] { return bench.call("layer_norm", {&x, &w, &b}); }),
        {"native_layer_norm 1024", "native_layer_norm 64", "native_layer_norm 64"},
        {64, 64, 64, 64, 1024},
        {"native_layer_norm_backward 1024", "native_layer_norm_backward 64",
         "native_layer_norm_backward 64"});
}

TEST_CASE("layer_norm's statistics are fp32 for bf16 tensors too") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({2, 8, 16}, half), &w = bench.leaf({16}, half),
               &b = bench.leaf({16}, half);
  check(bench.run([&] { return bench.call("layer_norm", {&x, &w, &b}); }),
        {"native_layer_norm 512", "native_layer_norm 64", "native_layer_norm 64"},
        {32, 32, 64, 64, 512},
        {"native_layer_norm_backward 512", "native_layer_norm_backward 32",
         "native_layer_norm_backward 32"});
}

TEST_CASE("layer_norm under autocast keeps an fp32 copy of a bf16 input") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({2, 8, 16}, half), &w = bench.leaf({16}), &b = bench.leaf({16});
  check(bench.run([&] { return bench.call("layer_norm", {&x, &w, &b}); }, half),
        {"_to_copy 1024", "native_layer_norm 1024", "native_layer_norm 64", "native_layer_norm 64"},
        {64, 64, 64, 64, 1024},
        {"native_layer_norm_backward 1024", "native_layer_norm_backward 64",
         "native_layer_norm_backward 64", "_to_copy 512"});
}

TEST_CASE("layer_norm copies an input that is not contiguous, forward and backward") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({8, 2, 16}), &w = bench.leaf({16});
  const Tensor none;
  const OperatorRun run = bench.run([&] {
    const Tensor view = transpose(bench.eager, x, 0, 1);
    return bench.call("layer_norm", {&view, &w, &none});
  });
  CHECK(run.forward == Lines{"native_layer_norm~contiguous 1024", "native_layer_norm 1024",
                             "native_layer_norm 64", "native_layer_norm 64"});
  CHECK(run.backward[0] == "native_layer_norm_backward~contiguous 1024");
}

TEST_CASE("embedding's gradient is as large as its table, which 1.13 keeps and 2.x does not") {
  const auto run = [](TorchRules rules) {
    OperatorBench bench(rules);
    const Tensor& ids = bench.constant({2, 8}, DataType::int64);
    const Tensor& table = bench.leaf({100, 16});
    return bench.run([&] { return bench.call("embedding", {&ids, &table}); });
  };
  check(run(TorchRules::v1_13), {"embedding 1024"}, {128, 6400}, {"embedding_dense_backward 6400"});
  check(run(TorchRules::v2), {"embedding 1024"}, {128}, {"embedding_dense_backward 6400"});
}

TEST_CASE("cat copies, and its gradient is cut into views") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({2, 8, 16}), &y = bench.leaf({2, 8, 16});
  check(bench.run([&] { return bench.call("cat", {&x, &y}, {-1}); }), {"cat 2048"}, {},
        {"new_empty_strided 1024", "new_empty_strided 1024"});
}

TEST_CASE("parts of a split that nobody used come back as zeros") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({2, 8, 16});
  const OperatorRun run = bench.run([&] {
    const Tensor part = bench.call_many("split", {&x}, {8, -1}, 2)[0];
    return bench.call("scale", {&part});
  });
  check(run, {"mul.Tensor 512"}, {}, {"mul.Tensor 512", "zeros 512", "cat 1024"});
}

TEST_CASE("the three parts of a split are put together once") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({2, 8, 48});
  const OperatorRun run = bench.run([&] {
    const std::vector<Tensor> parts = bench.call_many("split", {&x}, {16, 2}, 3);
    const Tensor first = mul(bench.eager, parts[0], parts[1]);
    return mul(bench.eager, first, parts[2]);
  });
  check(run, {"mul.Tensor 1024", "mul.Tensor 1024"}, {1024, 3072},
        {"mul.Tensor 1024", "mul.Tensor 1024", "mul.Tensor 1024", "mul.Tensor 1024", "cat 3072"});
}

TEST_CASE("a slice's gradient has the size of the whole") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({2, 8, 16});
  const OperatorRun run = bench.run([&] {
    const Tensor part = bench.call("slice", {&x}, {-1, 0, 8});
    return bench.call("scale", {&part});
  });
  check(run, {"mul.Tensor 512"}, {}, {"mul.Tensor 512", "slice_backward 1024"});
}

TEST_CASE("a contiguous copy of a view saves nothing") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({2, 8, 16});
  const OperatorRun run = bench.run([&] {
    const Tensor view = bench.call("transpose", {&x}, {1, 2});
    return bench.call("contiguous", {&view});
  });
  check(run, {"clone 1024"}, {}, {"new_empty_strided 1024"});
}

TEST_CASE("views and their gradients allocate nothing") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({2, 8, 16});
  const OperatorRun run = bench.run([&] {
    Tensor view = bench.call("view", {&x}, {16, -1});
    view = bench.call("unsqueeze", {&view}, {0});
    view = bench.call("permute", {&view}, {0, 1, 2});
    return bench.call("scale", {&view});
  });
  check(run, {"mul.Tensor 1024"}, {}, {"mul.Tensor 1024"});
}

TEST_CASE("masked_fill over a comparison keeps the new mask") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({2, 4, 8, 8}), &mask = bench.constant({1, 1, 8, 8});
  const OperatorRun run = bench.run([&] {
    const Tensor hidden = bench.call("equals_number", {&mask});
    return bench.call("masked_fill", {&x, &hidden});
  });
  check(run, {"eq.Scalar 64", "masked_fill.Scalar 2048"}, {64}, {"masked_fill.Scalar 2048"});
}

TEST_CASE("where's gradients are chosen against a scalar on the device") {
  OperatorBench bench;
  const Tensor& condition = bench.constant({2, 8}, DataType::boolean);
  const Tensor &x = bench.leaf({2, 8}), &y = bench.leaf({2, 8});
  check(bench.run([&] { return bench.call("where", {&condition, &x, &y}); }), {"where.self 64"},
        {16}, {"scalar_tensor 4", "where.self 64", "scalar_tensor 4", "where.self 64"});
}

TEST_CASE("conversions save nothing and convert back") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({2, 8, 16});
  const Tensor& like = bench.constant({1}, half);
  check(bench.run([&] { return bench.call("cast_like", {&x, &like}); }), {"_to_copy 512"}, {},
        {"_to_copy 1024"});
}

TEST_CASE("rows by index: the gradient starts from zeros of the whole size") {
  OperatorBench bench;
  const Tensor& x = bench.leaf({20, 16});
  const Tensor& rows = bench.constant({8}, DataType::int64);
  check(bench.run([&] { return bench.call("index_rows", {&x, &rows}); }), {"index.Tensor 512"},
        {64}, {"new_zeros 1280"});
}

TEST_CASE("rotary positions by halves keep cosines and sines only") {
  OperatorBench bench;
  const Tensor& q = bench.leaf({2, 4, 8, 16});
  const Tensor &cos = bench.constant({1, 1, 8, 16}), &sin = bench.constant({1, 1, 8, 16});
  Eager& e = bench.eager;
  const OperatorRun run = bench.run([&] {
    const Tensor left = mul(e, q, cos);
    const Tensor negative = neg(e, slice(e, q, -1, 8, 16));
    const Tensor x1 = slice(e, q, -1, 0, 8);
    const Tensor turned = bench.call("cat", {&negative, &x1}, {-1});
    return add(e, left, mul(e, turned, sin));
  });
  check(run, {"mul.Tensor 4096", "neg 2048", "cat 4096", "mul.Tensor 4096", "add.Tensor 4096"},
        {512, 512},
        {"mul.Tensor 4096", "slice_backward 4096", "neg 2048", "slice_backward 4096",
         "add.Tensor 4096", "mul.Tensor 4096", "add.Tensor 4096"});
}

TEST_CASE("baddbmm multiplies both gradients by alpha") {
  OperatorBench bench;
  const Tensor &start = bench.constant({4, 8, 8}), &a = bench.leaf({4, 8, 16}),
               &b = bench.leaf({4, 16, 8});
  check(bench.run([&] { return bench.call("baddbmm", {&start, &a, &b}); }), {"baddbmm 1024"},
        {2048, 2048}, {"bmm 2048", "mul.Tensor 2048", "bmm 2048", "mul.Tensor 2048"});
}

TEST_CASE("operands of two types meet in the wider one") {
  OperatorBench bench;
  const auto type_of = [&bench](DataType a, DataType b) {
    return promote(bench.constant({1}, a), bench.constant({1}, b));
  };
  CHECK(type_of(DataType::fp32, DataType::bf16) == DataType::fp32);
  CHECK(type_of(DataType::bf16, DataType::fp32) == DataType::fp32);
  CHECK(type_of(DataType::fp16, DataType::bf16) == DataType::fp32);
  CHECK(type_of(DataType::fp64, DataType::fp32) == DataType::fp64);
  CHECK(type_of(DataType::int64, DataType::fp16) == DataType::fp16);
  CHECK(type_of(DataType::boolean, DataType::int64) == DataType::int64);
}

TEST_CASE("a product whose left operand is column-major gives its gradient that layout") {
  OperatorBench bench;
  const Tensor &a = bench.leaf({16, 8}), &b = bench.leaf({16, 4});
  const OperatorRun run =
      bench.run([&] { return mm(bench.eager, transpose(bench.eager, a, 0, 1), b); });
  // Neither gradient has to be copied into its leaf.
  check(run, {"mm 128"}, {256, 512}, {"mm 256", "mm 512"});
}

TEST_CASE("matrices that are neither row- nor column-major are copied for cuBLAS") {
  OperatorBench bench;
  const Tensor &a = bench.leaf({8, 16, 2}), &b = bench.leaf({16, 4});
  const OperatorRun run = bench.run([&] {
    const Tensor part = reshape(bench.eager, slice(bench.eager, a, 2, 0, 1), {8, 16});
    return mm(bench.eager, part, b);
  });
  CHECK(run.forward == Lines{"mm 128", "gemm~contiguous 512"});
}

TEST_CASE("operands that do not fit are refused in words") {
  OperatorBench bench;
  const Tensor &x = bench.leaf({2, 3}), &y = bench.leaf({2, 4}), &z = bench.leaf({3}, half);
  const Tensor none;
  Eager& e = bench.eager;
  CHECK_THROWS_AS(add(e, x, y), UnfitOperand);
  CHECK_THROWS_AS(mm(e, x, y), UnfitOperand);
  CHECK_THROWS_AS(matmul(e, x, z), UnfitOperand);
  CHECK_THROWS_AS(linear(e, x, y, none), UnfitOperand);
  CHECK_THROWS_AS(reshape(e, x, {4, -1}), UnfitOperand);
  CHECK_THROWS_AS(reshape(e, x, {-1, -1}), UnfitOperand);
  CHECK_THROWS_AS(bench.call("view", {&z}, {2}), UnfitOperand);
  CHECK_THROWS_AS(bench.call("cross_entropy", {&x, &y}), UnfitOperand);
  CHECK_THROWS_AS(bench.call("layer_norm", {&x, &y, &none}), UnfitOperand);
  CHECK_THROWS_AS(bench.call("cat", {&x, &y}, {0}), UnfitOperand);
  CHECK_THROWS_AS(bench.call("split", {&y}, {3, 1}), UnfitOperand);
  CHECK_THROWS_AS(bench.call("permute", {&x}, {0, 0}), UnfitOperand);
  CHECK_THROWS_AS(bench.call("causal_attention", {&x, &x, &x}, {0}), UnfitOperand);
  CHECK_THROWS_AS(bench.call("softmax", {&x}, {2}), UnfitOperand);
  CHECK(find_operator("no such operator") == nullptr);
}

TEST_CASE("tensors beyond 64 bits are told from defects") {
  OperatorBench bench;
  CHECK_THROWS_AS(bench.leaf({std::int64_t{1} << 32, std::int64_t{1} << 31}), sim::Overflow);
  CHECK_THROWS_AS(bench.leaf({largest_tensor / 4 + 1}), sim::Overflow);
  CHECK(bench.leaf({largest_tensor / 4})->bytes() == largest_tensor);
}

}  // namespace
}  // namespace memsim::models
