// Choosing elements by a mask.
#include "models/training/eager/unfit.hpp"
#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"

namespace memsim::models {
namespace {

// Out of place: a contiguous copy of x, then the fill.
Tensor fill(Eager& eager, const Tensor& x, const Tensor& mask) {
  Tensor y = eager.empty(broadcast(x->shape(), mask->shape()), x->type, "masked_fill.Scalar");
  eager.stream("masked_fill.Scalar", {&x, &mask}, {&y});
  return y;
}

void masked_fill_back(Eager& eager, Node& node, std::span<Tensor> gradients,
                      std::span<Tensor> results) {
  if (gradients[0]) results[0] = fill(eager, gradients[0], node.saved[0]);
}

// The zero beside the gradient is a scalar on the device.
void where_back(Eager& eager, Node& node, std::span<Tensor> gradients, std::span<Tensor> results) {
  if (!gradients[0]) return;
  for (const std::size_t operand : {std::size_t{2}, std::size_t{1}}) {
    if (!node.needs(operand)) continue;
    const Tensor zero = eager.empty(Dims{}, gradients[0]->type, "scalar_tensor");
    results[operand] = elementwise(eager, "where.self", {&node.saved[0], &gradients[0], &zero},
                                   gradients[0]->type);
  }
}

constexpr NodeKind masked_fill_backward{"MaskedFillBackward0", masked_fill_back};
constexpr NodeKind where_backward{"WhereBackward0", where_back};

void run_masked_fill(Eager& eager, const OperatorCall& call) {
  const Tensor& x = call.in(0);
  const Tensor y = fill(eager, x, call.in(1));
  if (Node* node = eager.track(masked_fill_backward, {&x}, {&y})) eager.save(*node, call.in(1));
  call.outputs[0] = y;
}

}  // namespace

Tensor where(Eager& eager, const Tensor& condition, const Tensor& x, const Tensor& y) {
  Tensor z = elementwise(eager, "where.self", {&condition, &x, &y}, promote(x, y));
  // The condition has no gradient, and no edge.
  const Tensor none;
  if (Node* node = eager.track(where_backward, {&none, &x, &y}, {&z})) eager.save(*node, condition);
  return z;
}

const Operator equals_number_operator{
    "equals_number", 1, 0, [](Eager& eager, const OperatorCall& call) {
      call.outputs[0] = elementwise(eager, "eq.Scalar", {&call.in(0)}, DataType::boolean);
    }};
const Operator masked_fill_operator{"masked_fill", 2, 0, run_masked_fill};
const Operator where_operator{"where", 3, 0, [](Eager& eager, const OperatorCall& call) {
                                call.outputs[0] = where(eager, call.in(0), call.in(1), call.in(2));
                              }};

}  // namespace memsim::models
