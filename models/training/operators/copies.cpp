// Copies: clone, contiguous, and conversions between types.
#include <string>

#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"

namespace memsim::models {
namespace {

void clone_back(Eager&, Node&, std::span<Tensor> gradients, std::span<Tensor> results) {
  results[0] = gradients[0];
}

// numbers[0]: the type before the conversion.
void to_copy_back(Eager& eager, Node& node, std::span<Tensor> gradients,
                  std::span<Tensor> results) {
  if (gradients[0])
    results[0] = to_type(eager, gradients[0], static_cast<DataType>(node.numbers[0]));
}

constexpr NodeKind clone_backward{"CloneBackward0", clone_back};
constexpr NodeKind to_copy_backward{"ToCopyBackward0", to_copy_back};

Tensor copy_contiguous(Eager& eager, const Tensor& x, std::string_view op) {
  Tensor y = eager.empty(x->shape(), x->type, op);
  eager.stream(op, {&x}, {&y}, 0);
  return y;
}

}  // namespace

Tensor clone(Eager& eager, const Tensor& x) {
  Tensor y = copy_contiguous(eager, x, "clone");
  eager.track(clone_backward, {&x}, {&y});
  return y;
}

Tensor contiguous(Eager& eager, const Tensor& x) {
  return is_contiguous(x->layout) ? x : clone(eager, x);
}

Tensor kernel_contiguous(Eager& eager, const Tensor& x, std::string_view op) {
  if (is_contiguous(x->layout)) return x;
  const Tensor copy = eager.scratch(contiguous_layout(x->shape()), x->type, op);
  eager.stream(op, {&x}, {&copy}, 0);
  return copy;
}

// Dense tensors keep their strides.
Tensor to_type(Eager& eager, const Tensor& x, DataType type) {
  if (x->type == type) return x;
  const Layout* const operand = &x->layout;
  Tensor y = eager.empty(elementwise_layout({&operand, 1}, x->shape()), type, "_to_copy");
  eager.stream("_to_copy", {&x}, {&y}, 0);
  if (Node* node = eager.track(to_copy_backward, {&x}, {&y}))
    node->numbers[0] = static_cast<std::int64_t>(x->type);
  return y;
}

const Operator contiguous_operator{"contiguous", 1, 0, [](Eager& eager, const OperatorCall& call) {
                                     call.outputs[0] = contiguous(eager, call.in(0));
                                   }};
const Operator cast_like_operator{"cast_like", 2, 0, [](Eager& eager, const OperatorCall& call) {
                                    call.outputs[0] = to_type(eager, call.in(0), call.in(1)->type);
                                  }};

}  // namespace memsim::models
