// softmax and log_softmax: both save their result.
#include <string_view>

#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"

namespace memsim::models {
namespace {

// numbers[0]: the type of the input, which the gradient takes.
Tensor exponential_gradient(Eager& eager, Node& node, const Tensor& gradient, std::string_view op,
                            std::string_view copy) {
  const Tensor dense = kernel_contiguous(eager, gradient, copy);
  Tensor result = eager.empty(gradient->shape(), static_cast<DataType>(node.numbers[0]), op);
  eager.stream(op, {&dense, &node.saved[0]}, {&result}, 4);
  return result;
}

void softmax_back(Eager& eager, Node& node, std::span<Tensor> gradients,
                  std::span<Tensor> results) {
  if (gradients[0])
    results[0] = exponential_gradient(eager, node, gradients[0], "_softmax_backward_data",
                                      "_softmax_backward_data~contiguous");
}

void log_softmax_back(Eager& eager, Node& node, std::span<Tensor> gradients,
                      std::span<Tensor> results) {
  if (gradients[0])
    results[0] = exponential_gradient(eager, node, gradients[0], "_log_softmax_backward_data",
                                      "_log_softmax_backward_data~contiguous");
}

constexpr NodeKind softmax_backward{"SoftmaxBackward0", softmax_back};
constexpr NodeKind log_softmax_backward{"LogSoftmaxBackward0", log_softmax_back};

Tensor exponential(Eager& eager, const Tensor& x, std::int64_t dim, DataType type,
                   const NodeKind& kind, std::string_view op, std::string_view copy) {
  wrap(dim, x->rank());
  const Tensor dense = kernel_contiguous(eager, x, copy);
  Tensor y = eager.empty(x->shape(), type, op);
  eager.stream(op, {&dense}, {&y}, 5);
  if (Node* node = eager.track(kind, {&x}, {&y})) {
    eager.save(*node, eager.alias(y));
    node->numbers[0] = static_cast<std::int64_t>(x->type);
  }
  return y;
}

}  // namespace

// Autocast wants fp32: from fp16 the kernel converts on the way, from bf16 a copy is made first.
Tensor softmax(Eager& eager, const Tensor& x, std::int64_t dim) {
  const DataType type = eager.autocasting() ? DataType::fp32 : x->type;
  const Tensor operand = x->type == DataType::fp16 ? x : to_type(eager, x, type);
  return exponential(eager, operand, dim, type, softmax_backward, "_softmax",
                     "_softmax~contiguous");
}

Tensor log_softmax(Eager& eager, const Tensor& x, std::int64_t dim) {
  return exponential(eager, x, dim, x->type, log_softmax_backward, "_log_softmax",
                     "_log_softmax~contiguous");
}

const Operator softmax_operator{"softmax", 1, 1, [](Eager& eager, const OperatorCall& call) {
                                  call.outputs[0] = softmax(eager, call.in(0), call.attributes[0]);
                                }};

}  // namespace memsim::models
