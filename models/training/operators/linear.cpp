// linear and matmul: which product runs, and what has to be copied for it.
#include <string>

#include "models/training/eager/unfit.hpp"
#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"

namespace memsim::models {
namespace {

std::int64_t extent(const Tensor& x, std::int64_t dim) { return x->shape()[wrap(dim, x->rank())]; }

// Leading dimensions of the left operand become rows of one matrix, unless it is stored with its
// last two dimensions swapped: then a batch of transposed products needs no copy.
bool folds(const Tensor& a, const Tensor& b) {
  if (a->rank() < 3 || b->rank() != 2) return false;
  const bool swapped = a->rank() == 3 && a->layout.strides[2] != 1 &&
                       a->layout.strides[0] == a->shape()[1] * a->shape()[2];
  return !swapped;
}

Tensor folded(Eager& eager, const Tensor& a, const Tensor& b) {
  const Tensor rows = reshape(eager, a, {-1, a->shape().back()});
  const Tensor y = mm(eager, rows, b);
  Dims shape = a->shape();
  shape[shape.size() - 1] = b->shape().back();
  return reshape(eager, y, shape);
}

// Batch dimensions are broadcast and flattened; what is not stored that way is cloned.
Tensor batched(Eager& eager, const Tensor& a, const Tensor& b) {
  const auto batch_of = [](const Tensor& x) {
    Dims shape = x->shape();
    shape.erase(shape.size() - 1);
    shape.erase(shape.size() - 1);
    return shape;
  };
  const Dims batch = broadcast(batch_of(a), batch_of(b));
  const std::int64_t count = element_count(batch);
  const auto flatten = [&](const Tensor& x) {
    Dims shape = batch;
    shape.push_back(extent(x, -2));
    shape.push_back(extent(x, -1));
    return reshape(eager, expand(eager, x, shape), {count, extent(x, -2), extent(x, -1)});
  };
  const Tensor left = flatten(a);
  const Tensor right = flatten(b);
  const Tensor y = bmm(eager, left, right);
  Dims shape = batch;
  shape.push_back(extent(a, -2));
  shape.push_back(extent(b, -1));
  return reshape(eager, y, shape);
}

}  // namespace

Tensor matmul(Eager& eager, const Tensor& a, const Tensor& b) {
  if (eager.autocasting()) {
    const Tensor low_b = eager.autocast(b, eager.autocast_type());
    const Tensor low_a = eager.autocast(a, eager.autocast_type());
    const BelowAutocast below(eager);
    return matmul(eager, low_a, low_b);
  }
  if (a->rank() < 2 || b->rank() < 2) throw UnfitOperand("matmul of a vector");
  if (a->rank() == 2 && b->rank() == 2) return mm(eager, a, b);
  if (folds(a, b)) return folded(eager, a, b);
  return batched(eager, a, b);
}

Tensor linear(Eager& eager, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (eager.autocasting()) {
    const DataType low = eager.autocast_type();
    const Tensor low_bias = eager.autocast(bias, low);
    const Tensor low_weight = eager.autocast(weight, low);
    const Tensor low_x = eager.autocast(x, low);
    const BelowAutocast below(eager);
    return linear(eager, low_x, low_weight, low_bias);
  }
  if (weight->rank() != 2 || x->rank() < 1 || extent(x, -1) != extent(weight, 1))
    throw UnfitOperand("linear: the input's last extent is not the weight's");
  const Tensor transposed = transpose(eager, weight, 0, 1);
  if (!bias) return matmul(eager, x, transposed);
  if (x->rank() == 2) return addmm(eager, bias, x, transposed);
  if (x->rank() == 3 && is_contiguous(x->layout)) {
    const Tensor rows = reshape(eager, x, {-1, extent(x, 2)});
    const Tensor y = addmm(eager, bias, rows, transposed);
    return reshape(eager, y, {extent(x, 0), extent(x, 1), extent(y, 1)});
  }
  return add_in_place(eager, matmul(eager, x, transposed), bias);
}

const Operator matmul_operator{"matmul", 2, 0, [](Eager& eager, const OperatorCall& call) {
                                 call.outputs[0] = matmul(eager, call.in(0), call.in(1));
                               }};
const Operator linear_operator{"linear", 3, 0, [](Eager& eager, const OperatorCall& call) {
                                 call.outputs[0] =
                                     linear(eager, call.in(0), call.in(1), call.in(2));
                               }};

}  // namespace memsim::models
