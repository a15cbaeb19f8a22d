// cat: a copy of its parts; its gradient is cut into views.
#include <array>

#include "models/training/eager/unfit.hpp"
#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"

namespace memsim::models {
namespace {

// numbers[0]: the dimension.
void cat_back(Eager& eager, Node& node, std::span<Tensor> gradients, std::span<Tensor> results) {
  if (!gradients[0]) return;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::int64_t end = begin + node.dims[i];
    if (node.needs(i)) results[i] = slice(eager, gradients[0], node.numbers[0], begin, end);
    begin = end;
  }
}

constexpr NodeKind cat_backward{"CatBackward0", cat_back};

// Autocast runs it in the widest type of its operands.
Tensor cat(Eager& eager, const Tensor& a, const Tensor& b, std::int64_t dim) {
  const std::size_t at = wrap(dim, a->rank());
  Dims shape = a->shape();
  shape[at] = b->shape()[at];
  if (a->rank() != b->rank() || shape != b->shape())
    throw UnfitOperand("cat of tensors that differ in another dimension");
  shape[at] += a->shape()[at];
  Tensor y = eager.empty(shape, promote(a, b), "cat");
  eager.stream("cat", {&a, &b}, {&y}, 0);
  if (Node* node = eager.track(cat_backward, {&a, &b}, {&y})) {
    node->numbers[0] = static_cast<std::int64_t>(at);
    node->dims = {a->shape()[at], b->shape()[at]};
  }
  return y;
}

}  // namespace

const Operator cat_operator{"cat", 2, 1, [](Eager& eager, const OperatorCall& call) {
                              call.outputs[0] =
                                  cat(eager, call.in(0), call.in(1), call.attributes[0]);
                            }};

}  // namespace memsim::models
