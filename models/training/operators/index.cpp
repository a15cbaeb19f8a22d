// x[indices]: rows of a tensor by a tensor of indices.
#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"

namespace memsim::models {
namespace {

// dims: the shape of x. saved: the indices. Zeros of the whole size, the gradient added in place.
void index_back(Eager& eager, Node& node, std::span<Tensor> gradients, std::span<Tensor> results) {
  if (!gradients[0]) return;
  results[0] = eager.empty(node.dims, gradients[0]->type, "new_zeros");
  eager.stream("index_put_", {&gradients[0], &node.saved[0]}, {&results[0]});
}

constexpr NodeKind index_backward{"IndexBackward0", index_back};

void run_index_rows(Eager& eager, const OperatorCall& call) {
  const Tensor& x = call.in(0);
  const Tensor& indices = call.in(1);
  wrap(0, x->rank());
  Dims shape = indices->shape();
  for (std::size_t i = 1; i < x->rank(); ++i) shape.push_back(x->shape()[i]);
  const Tensor y = eager.empty(shape, x->type, "index.Tensor");
  eager.stream("index.Tensor", {&indices, &y}, {&y}, 0);
  if (Node* node = eager.track(index_backward, {&x}, {&y})) {
    node->dims = x->shape();
    eager.save(*node, indices);
  }
  call.outputs[0] = y;
}

}  // namespace

const Operator index_rows_operator{"index_rows", 2, 0, run_index_rows};

}  // namespace memsim::models
