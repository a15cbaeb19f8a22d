// Sums, products and other elementwise operations; their gradients over broadcast operands.
#include <algorithm>
#include <array>

#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"
#include "sim/core/check.hpp"

namespace memsim::models {
namespace {

// Both operands take the gradient as it is; the engine sums what was broadcast.
void add_back(Eager&, Node& node, std::span<Tensor> gradients, std::span<Tensor> results) {
  for (std::size_t i = 0; i < results.size(); ++i)
    if (node.needs(i)) results[i] = gradients[0];
}

// saved: `a` if b wants a gradient, then `b` if a does.
void mul_back(Eager& eager, Node& node, std::span<Tensor> gradients, std::span<Tensor> results) {
  if (!gradients[0]) return;
  if (node.needs(1)) results[1] = mul(eager, gradients[0], node.saved.front());
  if (node.needs(0)) results[0] = mul(eager, gradients[0], node.saved.back());
}

void mul_number_back(Eager& eager, Node&, std::span<Tensor> gradients, std::span<Tensor> results) {
  if (gradients[0]) results[0] = mul_number(eager, gradients[0]);
}

void div_number_back(Eager& eager, Node&, std::span<Tensor> gradients, std::span<Tensor> results) {
  if (gradients[0]) results[0] = div_number(eager, gradients[0]);
}

void neg_back(Eager& eager, Node&, std::span<Tensor> gradients, std::span<Tensor> results) {
  if (gradients[0]) results[0] = neg(eager, gradients[0]);
}

constexpr NodeKind add_backward{"AddBackward0", add_back};
constexpr NodeKind mul_backward{"MulBackward0", mul_back};
constexpr NodeKind mul_number_backward{"MulBackward0", mul_number_back};
constexpr NodeKind div_number_backward{"DivBackward0", div_number_back};
constexpr NodeKind neg_backward{"NegBackward0", neg_back};

Tensor unary(Eager& eager, std::string_view op, const NodeKind& kind, const Tensor& x) {
  Tensor y = elementwise(eager, op, {&x}, x->type);
  eager.track(kind, {&x}, {&y});
  return y;
}

}  // namespace

DataType promote(const Tensor& a, const Tensor& b) {
  if (a->type == b->type) return a->type;
  const auto rank = [](DataType type) {
    switch (type) {
      case DataType::fp64:
        return 4;
      case DataType::fp32:
        return 3;
      case DataType::fp16:
      case DataType::bf16:
        return 2;
      default:
        return 1;
    }
  };
  if (rank(a->type) == 2 && rank(b->type) == 2) return DataType::fp32;
  if (rank(a->type) != rank(b->type)) return rank(a->type) > rank(b->type) ? a->type : b->type;
  return size_of(a->type) >= size_of(b->type) ? a->type : b->type;
}

Tensor elementwise(Eager& eager, std::string_view op, std::initializer_list<const Tensor*> operands,
                   DataType type, std::int64_t flops_per_element) {
  std::array<const Layout*, 4> layouts{};
  MEMSIM_CHECK(operands.size() <= layouts.size(), "elementwise operation with many operands");
  std::size_t count = 0;
  Dims shape;
  for (const Tensor* operand : operands) {
    layouts[count++] = &(*operand)->layout;
    shape = broadcast(shape, (*operand)->shape());
  }
  Tensor y = eager.empty(elementwise_layout({layouts.data(), count}, shape), type, op);
  eager.stream(op, operands, {&y}, flops_per_element);
  return y;
}

Tensor add(Eager& eager, const Tensor& a, const Tensor& b) {
  Tensor y = elementwise(eager, "add.Tensor", {&a, &b}, promote(a, b));
  eager.track(add_backward, {&a, &b}, {&y});
  return y;
}

Tensor add_in_place(Eager& eager, Tensor a, const Tensor& b) {
  eager.stream("add_", {&a, &b}, {&a});
  eager.track(add_backward, {&a, &b}, {&a});
  return a;
}

Tensor mul(Eager& eager, const Tensor& a, const Tensor& b) {
  Tensor y = elementwise(eager, "mul.Tensor", {&a, &b}, promote(a, b));
  if (Node* node = eager.track(mul_backward, {&a, &b}, {&y})) {
    if (node->needs(1)) eager.save(*node, a);
    if (node->needs(0)) eager.save(*node, b);
  }
  return y;
}

Tensor mul_number(Eager& eager, const Tensor& x) {
  return unary(eager, "mul.Tensor", mul_number_backward, x);
}

Tensor div_number(Eager& eager, const Tensor& x) {
  return unary(eager, "div.Tensor", div_number_backward, x);
}

Tensor neg(Eager& eager, const Tensor& x) { return unary(eager, "neg", neg_backward, x); }

Tensor sum_to(Eager& eager, const Tensor& x, const Dims& shape) {
  if (x->shape() == shape) return x;
  const std::size_t lead = x->rank() - shape.size();
  Dims kept = x->shape();
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (i < lead || (shape[i - lead] == 1 && kept[i] != 1)) kept[i] = 1;
  Tensor sum = x;
  // Where only extents of 1 go, there is still a kernel: the leading dimensions are summed.
  if (lead > 0 || kept != x->shape()) {
    sum = eager.empty(kept, x->type, "sum.dim_IntList");
    eager.stream("sum.dim_IntList", {&x}, {&sum});
  }
  return lead > 0 ? reshape(eager, sum, shape) : sum;
}

const Operator add_operator{"add", 2, 0, [](Eager& eager, const OperatorCall& call) {
                              call.outputs[0] = add(eager, call.in(0), call.in(1));
                            }};
const Operator mul_operator{"mul", 2, 0, [](Eager& eager, const OperatorCall& call) {
                              call.outputs[0] = mul(eager, call.in(0), call.in(1));
                            }};
const Operator scale_operator{"scale", 1, 0, [](Eager& eager, const OperatorCall& call) {
                                call.outputs[0] = mul_number(eager, call.in(0));
                              }};
const Operator neg_operator{"neg", 1, 0, [](Eager& eager, const OperatorCall& call) {
                              call.outputs[0] = neg(eager, call.in(0));
                            }};

}  // namespace memsim::models
