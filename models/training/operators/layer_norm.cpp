// layer_norm over the last dimension.
#include "models/training/eager/unfit.hpp"
#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"

namespace memsim::models {
namespace {

// saved: input, mean, reciprocal deviation, weight, bias (the last two may be undefined).
void layer_norm_back(Eager& eager, Node& node, std::span<Tensor> gradients,
                     std::span<Tensor> results) {
  if (!gradients[0]) return;
  constexpr std::string_view op = "native_layer_norm_backward";
  const Tensor gradient =
      kernel_contiguous(eager, gradients[0], "native_layer_norm_backward~contiguous");
  const Tensor input =
      kernel_contiguous(eager, node.saved[0], "native_layer_norm_backward~contiguous");
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!node.needs(i)) continue;
    const Tensor& like = i == 0 ? input : node.saved[i + 2];
    results[i] = eager.empty(like->shape(), like->type, op);
  }
  eager.stream(op, {&gradient, &input, &node.saved[1], &node.saved[2]},
               {results[0] ? &results[0] : &input}, 12);
}

constexpr NodeKind layer_norm_backward{"NativeLayerNormBackward0", layer_norm_back};

// Statistics are fp32 whatever the input is. Autocast runs it in fp32.
Tensor layer_norm(Eager& eager, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (eager.autocasting()) {
    const Tensor wide_bias = eager.autocast(bias, DataType::fp32);
    const Tensor wide_weight = eager.autocast(weight, DataType::fp32);
    const Tensor wide_x = eager.autocast(x, DataType::fp32);
    const BelowAutocast below(eager);
    return layer_norm(eager, wide_x, wide_weight, wide_bias);
  }
  if (x->rank() < 1 || weight->rank() != 1 || weight->shape()[0] != x->shape().back())
    throw UnfitOperand("layer_norm: the input's last extent is not the weight's");
  const Tensor dense = kernel_contiguous(eager, x, "native_layer_norm~contiguous");
  Tensor y = eager.empty(x->shape(), x->type, "native_layer_norm");
  Dims rows = x->shape();
  rows[rows.size() - 1] = 1;
  Tensor mean = eager.empty(rows, DataType::fp32, "native_layer_norm");
  const Tensor deviation = eager.empty(rows, DataType::fp32, "native_layer_norm");
  eager.stream("native_layer_norm", {&dense, &weight, &bias}, {&y, &mean, &deviation}, 8);
  if (Node* node = eager.track(layer_norm_backward, {&x, &weight, &bias}, {&y})) {
    eager.save(*node, x);
    eager.save(*node, mean);
    eager.save(*node, deviation);
    eager.save(*node, weight);
    eager.save(*node, bias);
  }
  mean.reset();  // the tuple of results goes from its front
  return y;
}

}  // namespace

const Operator layer_norm_operator{"layer_norm", 3, 0, [](Eager& eager, const OperatorCall& call) {
                                     call.outputs[0] =
                                         layer_norm(eager, call.in(0), call.in(1), call.in(2));
                                   }};

}  // namespace memsim::models
