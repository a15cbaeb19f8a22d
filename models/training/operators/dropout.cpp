// dropout: the fused kernel keeps a mask of one byte per element.
#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"

namespace memsim::models {
namespace {

constexpr std::int64_t certain = 1'000'000;  // millionths

void native_dropout_back(Eager& eager, Node& node, std::span<Tensor> gradients,
                         std::span<Tensor> results) {
  if (gradients[0])
    results[0] = elementwise(eager, "native_dropout_backward", {&gradients[0], &node.saved[0]},
                             gradients[0]->type, 2);
}

constexpr NodeKind native_dropout_backward{"NativeDropoutBackward0", native_dropout_back};

// attributes: the rate in millionths. Rate 0 and evaluation hand the input on; rate 1 multiplies by
// a zero.
void run_dropout(Eager& eager, const OperatorCall& call) {
  const Tensor& x = call.in(0);
  const std::int64_t rate = call.attributes[0];
  if (!eager.training || rate == 0 || x->elements() == 0) {
    call.outputs[0] = x;
    return;
  }
  if (rate == certain) {
    call.outputs[0] = mul(eager, x, zeros(eager, Dims{}, x->type));
    return;
  }
  const Layout* const layout = &x->layout;
  const Tensor y =
      eager.empty(elementwise_layout({&layout, 1}, x->shape()), x->type, "native_dropout");
  const Tensor mask = eager.empty(x->shape(), DataType::boolean, "native_dropout");
  eager.stream("native_dropout", {&x}, {&y, &mask}, 2);
  if (Node* node = eager.track(native_dropout_backward, {&x}, {&y})) eager.save(*node, mask);
  call.outputs[0] = y;
}

}  // namespace

const Operator dropout_operator{"dropout", 1, 1, run_dropout};

}  // namespace memsim::models
