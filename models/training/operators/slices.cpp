// Parts of a tensor: views whose gradient is a tensor of the whole size.
#include <algorithm>
#include <string>
#include <vector>

#include "models/training/eager/unfit.hpp"
#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"

namespace memsim::models {
namespace {

// Zeros of the whole size, the slice copied in.
void slice_back(Eager& eager, Node& node, std::span<Tensor> gradients, std::span<Tensor> results) {
  if (!gradients[0]) return;
  results[0] = eager.empty(node.dims, gradients[0]->type, "slice_backward");
  eager.stream("slice_backward", {&gradients[0]}, {&results[0]});
}

// The parts are put together again; zeros stand for those that nobody used.
void split_back(Eager& eager, Node& node, std::span<Tensor> gradients, std::span<Tensor> results) {
  const auto used = std::ranges::find_if(gradients, [](const Tensor& g) { return bool(g); });
  if (used == gradients.end()) return;
  const DataType type = (*used)->type;
  std::vector<Tensor> parts(gradients.begin(), gradients.end());
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!parts[i]) parts[i] = zeros(eager, node.outputs[i].shape, type);
  results[0] = eager.empty(node.dims, type, "cat");
  eager.stream("cat", {&results[0]}, {&results[0]}, 0);
}

constexpr NodeKind slice_backward{"SliceBackward0", slice_back};
constexpr NodeKind split_backward{"SplitBackward0", split_back};

std::int64_t clamp_bound(std::int64_t bound, std::int64_t extent) {
  return std::clamp<std::int64_t>(bound < 0 ? bound + extent : bound, 0, extent);
}

void run_split(Eager& eager, const OperatorCall& call) {
  const Tensor& x = call.in(0);
  const std::int64_t size = call.attributes[0];
  const std::size_t dim = wrap(call.attributes[1], x->rank());
  const auto count = static_cast<std::int64_t>(call.outputs.size());
  if (size < 1 || x->shape()[dim] != size * count)
    throw UnfitOperand("split of extent " + std::to_string(x->shape()[dim]) + " into " +
                       std::to_string(count) + " parts of " + std::to_string(size));
  Layout layout = x->layout;
  layout.shape[dim] = size;
  for (Tensor& part : call.outputs) part = eager.alias(x, layout);
  const std::array<const Tensor*, 1> operands{&x};
  if (Node* node = eager.track(split_backward, operands, call.outputs)) node->dims = x->shape();
}

}  // namespace

Tensor slice(Eager& eager, const Tensor& x, std::int64_t dim, std::int64_t begin,
             std::int64_t end) {
  const std::size_t at = wrap(dim, x->rank());
  const std::int64_t extent = x->shape()[at];
  const std::int64_t first = clamp_bound(begin, extent);
  Layout layout = x->layout;
  layout.shape[at] = std::max<std::int64_t>(clamp_bound(end, extent) - first, 0);
  Tensor y = eager.alias(x, layout);
  if (Node* node = eager.track(slice_backward, {&x}, {&y})) node->dims = x->shape();
  return y;
}

const Operator slice_operator{"slice", 1, 3, [](Eager& eager, const OperatorCall& call) {
                                call.outputs[0] = slice(eager, call.in(0), call.attributes[0],
                                                        call.attributes[1], call.attributes[2]);
                              }};
const Operator split_operator{"split", 1, 2, run_split};

}  // namespace memsim::models
