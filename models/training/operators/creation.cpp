// Tensors that are computed from nothing.
#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"

namespace memsim::models {
namespace {

Tensor fresh(Eager& eager, const Dims& shape, DataType type, std::string_view op) {
  Tensor y = eager.empty(shape, type, op);
  eager.stream(op, {}, {&y}, 0);
  return y;
}

}  // namespace

Tensor zeros(Eager& eager, const Dims& shape, DataType type) {
  return fresh(eager, shape, type, "zeros");
}

Tensor ones_like(Eager& eager, const Tensor& x) {
  return fresh(eager, x->shape(), x->type, "ones_like");
}

const Operator arange_operator{"arange", 0, 1, [](Eager& eager, const OperatorCall& call) {
                                 call.outputs[0] = fresh(eager, Dims{call.attributes[0]},
                                                         DataType::int64, "arange.start");
                               }};
const Operator zeros_operator{"zeros", 1, 0, [](Eager& eager, const OperatorCall& call) {
                                call.outputs[0] =
                                    zeros(eager, Dims(call.attributes), call.in(0)->type);
                              }};
// A number made on the host and copied over.
const Operator scalar_operator{"scalar", 1, 0, [](Eager& eager, const OperatorCall& call) {
                                 call.outputs[0] =
                                     fresh(eager, Dims{}, call.in(0)->type, "_to_copy");
                               }};

}  // namespace memsim::models
