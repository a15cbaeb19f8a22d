// embedding: rows of a table.
#include "models/training/eager/unfit.hpp"
#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"

namespace memsim::models {
namespace {

// dims: the shape of the table. saved: the indices. The gradient is dense, however few rows are
// used.
void embedding_back(Eager& eager, Node& node, std::span<Tensor> gradients,
                    std::span<Tensor> results) {
  if (!gradients[0]) return;
  const Tensor gradient =
      kernel_contiguous(eager, gradients[0], "embedding_dense_backward~contiguous");
  results[0] = eager.empty(node.dims, gradient->type, "embedding_dense_backward");
  eager.stream("embedding_dense_backward", {&gradient, &node.saved[0]}, {&results[0]});
}

constexpr NodeKind embedding_backward{"EmbeddingBackward0", embedding_back};

void run_embedding(Eager& eager, const OperatorCall& call) {
  const Tensor& indices = call.in(0);
  const Tensor& table = call.in(1);
  if (table->rank() != 2) throw UnfitOperand("embedding: the table is [rows, width]");
  Dims shape = indices->shape();
  shape.push_back(table->shape()[1]);
  const Tensor y = eager.empty(shape, table->type, "embedding");
  // As many bytes as the result are read: rows that are not named stay where they are.
  eager.stream("embedding", {&indices, &y}, {&y}, 0);
  if (Node* node = eager.track(embedding_backward, {&table}, {&y})) {
    node->dims = table->shape();
    eager.save(*node, indices);
    // 1.13 keeps the whole table to know how many rows it has, 2.x their number.
    if (eager.rules() == TorchRules::v1_13) eager.save(*node, table);
  }
  call.outputs[0] = y;
}

}  // namespace

const Operator embedding_operator{"embedding", 2, 0, run_embedding};

}  // namespace memsim::models
