#include "models/training/eager/accumulate_grad.hpp"

#include <utility>

#include "models/training/eager/eager.hpp"
#include "sim/core/check.hpp"

namespace memsim::models {
namespace {

// Whether `gradient` lies in memory as the gradient of `leaf` is promised to.
bool obeys_layout(const TensorData& gradient, const TensorData& leaf) {
  if (!is_dense(leaf.layout)) return is_contiguous(gradient.layout);
  for (std::size_t i = 0; i < leaf.rank(); ++i)
    if (gradient.shape()[i] != 1 && gradient.layout.strides[i] != leaf.layout.strides[i])
      return false;
  return true;
}

Layout promised_layout(const TensorData& leaf) {
  return is_dense(leaf.layout) ? leaf.layout : contiguous_layout(leaf.shape());
}

void accumulate(Eager& eager, Node& node, std::span<Tensor> gradients, std::span<Tensor>) {
  if (!gradients[0]) return;
  TensorData& leaf = *node.variable;
  Tensor gradient = std::move(gradients[0]);
  if (leaf.grad) {
    eager.stream("add_", {&leaf.grad, &gradient}, {&leaf.grad});
    return;
  }
  if (gradient->uses == 1 && obeys_layout(*gradient, leaf)) {
    leaf.grad = std::move(gradient);
  } else {
    leaf.grad = eager.empty(promised_layout(leaf), gradient->type, "new_empty_strided");
    eager.stream("copy_", {&gradient}, {&leaf.grad});
  }
  if (leaf.storage->kind == StorageKind::parameter && leaf.storage->bytes > 0)
    eager.recorder().relabel(leaf.grad->storage->record, sim::Category::gradients);
}

}  // namespace

const NodeKind accumulate_grad{"AccumulateGrad", accumulate};

}  // namespace memsim::models
