// Views: another layout of the same storage. Their gradients are views too, except where a reshape
// of a gradient has to copy it.
#include "models/training/eager/unfit.hpp"
#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"

namespace memsim::models {
namespace {

void reshape_back(Eager& eager, Node& node, std::span<Tensor> gradients,
                  std::span<Tensor> results) {
  if (gradients[0]) results[0] = reshape(eager, gradients[0], node.dims);
}

void transpose_back(Eager& eager, Node& node, std::span<Tensor> gradients,
                    std::span<Tensor> results) {
  if (gradients[0]) results[0] = transpose(eager, gradients[0], node.numbers[0], node.numbers[1]);
}

void permute_back(Eager& eager, Node& node, std::span<Tensor> gradients,
                  std::span<Tensor> results) {
  if (gradients[0]) results[0] = permute(eager, gradients[0], node.dims);
}

void expand_back(Eager& eager, Node& node, std::span<Tensor> gradients, std::span<Tensor> results) {
  if (gradients[0]) results[0] = sum_to(eager, gradients[0], node.dims);
}

constexpr NodeKind view_backward{"ViewBackward0", reshape_back};
constexpr NodeKind unsafe_view_backward{"UnsafeViewBackward0", reshape_back};
constexpr NodeKind transpose_backward{"TransposeBackward0", transpose_back};
constexpr NodeKind permute_backward{"PermuteBackward0", permute_back};
constexpr NodeKind unsqueeze_backward{"UnsqueezeBackward0", reshape_back};
constexpr NodeKind expand_backward{"ExpandBackward0", expand_back};

// A view whose formula needs the shape that it was made from.
Tensor view_of(Eager& eager, const NodeKind& kind, const Tensor& x, const Layout& layout) {
  Tensor y = eager.alias(x, layout);
  if (Node* node = eager.track(kind, {&x}, {&y})) node->dims = x->shape();
  return y;
}

void run_view(Eager& eager, const OperatorCall& call) {
  const Tensor& x = call.in(0);
  const Dims shape = infer_rest(Dims(call.attributes), x->elements());
  const auto strides = view_strides(x->layout, shape);
  if (!strides) throw UnfitOperand("view of a tensor whose elements do not lie that way");
  call.outputs[0] = view_of(eager, view_backward, x, {shape, *strides});
}

}  // namespace

Tensor reshape(Eager& eager, const Tensor& x, const Dims& shape) {
  const Dims complete = infer_rest(shape, x->elements());
  if (const auto strides = view_strides(x->layout, complete))
    return view_of(eager, view_backward, x, {complete, *strides});
  const Tensor copy = clone(eager, x);
  return view_of(eager, unsafe_view_backward, copy, contiguous_layout(complete));
}

Tensor transpose(Eager& eager, const Tensor& x, std::int64_t dim0, std::int64_t dim1) {
  Tensor y =
      eager.alias(x, transpose_layout(x->layout, wrap(dim0, x->rank()), wrap(dim1, x->rank())));
  if (Node* node = eager.track(transpose_backward, {&x}, {&y})) node->numbers = {dim0, dim1};
  return y;
}

Tensor permute(Eager& eager, const Tensor& x, const Dims& order) {
  Tensor y = eager.alias(x, permute_layout(x->layout, order));
  if (Node* node = eager.track(permute_backward, {&x}, {&y})) {
    node->dims = order;
    for (std::size_t i = 0; i < order.size(); ++i)
      node->dims[wrap(order[i], order.size())] = static_cast<std::int64_t>(i);
  }
  return y;
}

Tensor unsqueeze(Eager& eager, const Tensor& x, std::int64_t dim) {
  const std::size_t at = wrap(dim, x->rank() + 1);
  Layout layout = x->layout;
  const std::int64_t stride =
      at < x->rank() ? x->shape()[at] * x->layout.strides[at] : std::int64_t{1};
  layout.shape.insert(at, 1);
  layout.strides.insert(at, stride);
  return view_of(eager, unsqueeze_backward, x, layout);
}

Tensor expand(Eager& eager, const Tensor& x, const Dims& shape) {
  return view_of(eager, expand_backward, x, expand_layout(x->layout, shape));
}

const Operator view_operator{"view", 1, 0, run_view};
const Operator transpose_operator{"transpose", 1, 2, [](Eager& eager, const OperatorCall& call) {
                                    call.outputs[0] = transpose(
                                        eager, call.in(0), call.attributes[0], call.attributes[1]);
                                  }};
const Operator permute_operator{"permute", 1, 0, [](Eager& eager, const OperatorCall& call) {
                                  call.outputs[0] =
                                      permute(eager, call.in(0), Dims(call.attributes));
                                }};
const Operator unsqueeze_operator{"unsqueeze", 1, 1, [](Eager& eager, const OperatorCall& call) {
                                    call.outputs[0] =
                                        unsqueeze(eager, call.in(0), call.attributes[0]);
                                  }};

}  // namespace memsim::models
