// Fused causal attention: scaled_dot_product_attention(is_causal=True) on a CUDA device.
//
// Half types with heads of up to 256 elements run the flash kernel: it saves q, k, v, the output,
// the log-sum-exp (fp32) and two words of random state; its backward allocates the three gradients,
// then a row sum of every (rounded) query and an fp32 accumulator of dq, both dead at its end. Rows
// are rounded up to 128, heads to a multiple of 32. Other types run the memory-efficient kernel,
// whose log-sum-exp has rows rounded up to 32 and whose backward makes one buffer for all three
// gradients when q, k and v are views of one storage, and computes the row sums with elementwise
// kernels. Heads whose width is no multiple of 8 are padded for the flash kernel.
// Source: PyTorch 2.x, aten/src/ATen/native/transformers (attention.cpp, cuda/attention.cu,
// cuda/attention_backward.cu, cuda/flash_attn/flash_api.cpp).
#include <array>

#include "models/training/eager/unfit.hpp"
#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"
#include "sim/core/units.hpp"

namespace memsim::models {
namespace {

constexpr std::int64_t widest_flash_head = 256;
constexpr std::int64_t flash_alignment = 8;  // elements of a head
constexpr std::int64_t flash_row_block = 128;
constexpr std::int64_t flash_head_block = 32;
constexpr std::int64_t efficient_row_block = 32;

struct Extents {
  std::int64_t batch, heads, rows, width;
};

Extents extents(const Tensor& q) {
  return {q->shape()[0], q->shape()[1], q->shape()[2], q->shape()[3]};
}

// `products` matrix products of rows x rows x width per head, the upper triangle left out.
void launch_attention(Eager& eager, std::string_view op, const Tensor& q, std::int64_t products,
                      std::int64_t read, std::int64_t written) {
  const Extents e = extents(q);
  KernelWork work;
  work.kind = KernelClass::attention;
  work.type = q->type;
  work.flops = sim::checked_mul(e.batch * e.heads * e.rows, products * e.rows * e.width);
  work.read = sim::Bytes(read);
  work.written = sim::Bytes(written);
  eager.launch(op, work);
}

// A new [batch, heads, rows, width] that nests its dimensions as `like`, seen as [batch, rows,
// heads, width], does.
Tensor heads_like(Eager& eager, const Tensor& like, std::string_view op) {
  const Layout rows_first = transpose_layout(like->layout, 1, 2);
  const Layout* const operand = &rows_first;
  const Layout dense = elementwise_layout({&operand, 1}, rows_first.shape);
  return eager.empty(transpose_layout(dense, 1, 2), like->type, op);
}

// saved: q, k, v, output, log-sum-exp, random state.
void flash_back(Eager& eager, Node& node, std::span<Tensor> gradients, std::span<Tensor> results) {
  if (!gradients[0]) return;
  constexpr std::string_view op = "_scaled_dot_product_flash_attention_backward";
  const Tensor gradient = gradients[0]->layout.strides[3] == 1
                              ? gradients[0]
                              : kernel_contiguous(eager, gradients[0], op);
  const Extents e = extents(node.saved[0]);
  for (std::size_t i = 0; i < 3; ++i) results[i] = heads_like(eager, node.saved[i], op);
  const std::int64_t rows = sim::round_up(e.rows, flash_row_block);
  const Tensor row_sums =
      eager.scratch(contiguous_layout({e.batch, e.heads, rows}), DataType::fp32, op);
  const Tensor accumulator = eager.scratch(
      contiguous_layout({e.batch, e.heads, rows, sim::round_up(e.width, flash_head_block)}),
      DataType::fp32, op);
  const std::int64_t bytes = node.saved[0]->bytes();
  launch_attention(eager, op, node.saved[0], 5, 5 * bytes, 3 * bytes + 2 * accumulator->bytes());
}

// saved: q, k, v, output, log-sum-exp, random state.
void efficient_back(Eager& eager, Node& node, std::span<Tensor> gradients,
                    std::span<Tensor> results) {
  if (!gradients[0]) return;
  constexpr std::string_view op = "_scaled_dot_product_efficient_attention_backward";
  const Extents e = extents(node.saved[0]);
  const Storage* const storage = node.saved[0]->storage;
  if (storage == node.saved[1]->storage && storage == node.saved[2]->storage) {
    const Tensor chunk =
        eager.empty({e.batch, e.rows, 3, e.heads, e.width}, node.saved[0]->type, op);
    Layout part = contiguous_layout({e.batch, e.rows, 3, e.heads, e.width});
    part.shape.erase(2);
    part.strides.erase(2);
    for (Tensor& result : results) result = eager.alias(chunk, transpose_layout(part, 1, 2));
  } else {
    for (std::size_t i = 0; i < 3; ++i) results[i] = heads_like(eager, node.saved[i], op);
  }
  const Tensor product =
      elementwise(eager, "mul.Tensor", {&gradients[0], &node.saved[3]}, DataType::fp32);
  const Tensor row_sums =
      eager.empty({e.batch, e.rows, e.heads}, DataType::fp32, "sum.dim_IntList");
  eager.stream("sum.dim_IntList", {&product}, {&row_sums});
  const Tensor delta = eager.empty({e.batch, e.heads, e.rows}, DataType::fp32, "clone");
  eager.stream("clone", {&row_sums}, {&delta}, 0);
  const std::int64_t bytes = node.saved[0]->bytes();
  launch_attention(eager, op, node.saved[0], 5, 5 * bytes, 3 * bytes);
}

void pad_back(Eager& eager, Node& node, std::span<Tensor> gradients, std::span<Tensor> results) {
  if (gradients[0]) results[0] = clone(eager, slice(eager, gradients[0], -1, 0, node.dims.back()));
}

constexpr NodeKind flash_backward{"ScaledDotProductFlashAttentionBackward0", flash_back};
constexpr NodeKind efficient_backward{"ScaledDotProductEfficientAttentionBackward0",
                                      efficient_back};
constexpr NodeKind pad_backward{"ConstantPadNdBackward0", pad_back};

Tensor pad_head(Eager& eager, const Tensor& x) {
  Dims shape = x->shape();
  shape[3] = sim::round_up(shape[3], flash_alignment);
  Tensor y = eager.empty(shape, x->type, "constant_pad_nd");
  eager.stream("constant_pad_nd", {&x}, {&y}, 0);
  if (Node* node = eager.track(pad_backward, {&x}, {&y})) node->dims = x->shape();
  return y;
}

Tensor fused(Eager& eager, const Tensor& q, const Tensor& k, const Tensor& v, bool flash) {
  const std::string_view op =
      flash ? "_scaled_dot_product_flash_attention" : "_scaled_dot_product_efficient_attention";
  const Extents e = extents(q);
  Tensor output = heads_like(eager, q, op);
  const std::int64_t rows = flash ? e.rows : sim::round_up(e.rows, efficient_row_block);
  const Tensor log_sum_exp = eager.empty({e.batch, e.heads, rows}, DataType::fp32, op);
  const Tensor random_state = eager.empty({2}, DataType::int64, op);
  launch_attention(eager, op, q, 2, 3 * q->bytes(), q->bytes() + log_sum_exp->bytes());
  const NodeKind& kind = flash ? flash_backward : efficient_backward;
  if (Node* node = eager.track(kind, {&q, &k, &v}, {&output}))
    for (const Tensor& tensor : {q, k, v, eager.alias(output), log_sum_exp, random_state})
      eager.save(*node, tensor);
  return output;
}

Tensor causal_attention(Eager& eager, const Tensor& q, const Tensor& k, const Tensor& v) {
  if (eager.autocasting()) {
    const DataType low = eager.autocast_type();
    const Tensor low_v = eager.autocast(v, low);
    const Tensor low_k = eager.autocast(k, low);
    const Tensor low_q = eager.autocast(q, low);
    const BelowAutocast below(eager);
    return causal_attention(eager, low_q, low_k, low_v);
  }
  if (q->rank() != 4 || q->shape() != k->shape() || q->shape() != v->shape())
    throw UnfitOperand("attention: q, k and v are not [batch, heads, sequence, width] alike");
  const std::int64_t width = q->shape()[3];
  if (q->type == DataType::fp32 || width > widest_flash_head) return fused(eager, q, k, v, false);
  if (width % flash_alignment == 0) return fused(eager, q, k, v, true);
  const Tensor padded_q = pad_head(eager, q);
  const Tensor padded_k = pad_head(eager, k);
  const Tensor padded_v = pad_head(eager, v);
  return slice(eager, fused(eager, padded_q, padded_k, padded_v, true), -1, 0, width);
}

}  // namespace

const Operator causal_attention_operator{
    "causal_attention", 3, 1, [](Eager& eager, const OperatorCall& call) {
      call.outputs[0] = causal_attention(eager, call.in(0), call.in(1), call.in(2));
    }};

}  // namespace memsim::models
