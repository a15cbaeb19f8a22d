// Matrix products as cuBLAS calls.
#include <algorithm>
#include <string>

#include "models/training/eager/unfit.hpp"
#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"
#include "sim/core/units.hpp"

namespace memsim::models {
namespace {

std::string text(const Dims& shape) {
  std::string list = "[";
  for (std::size_t i = 0; i < shape.size(); ++i)
    list += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return list + "]";
}

// Requires nothing of the ranks: shapes are checked here, for mm (rank 2) and bmm (rank 3).
void check_shapes(const Tensor& a, const Tensor& b, std::size_t rank) {
  const bool fit = a->rank() == rank && b->rank() == rank &&
                   a->shape()[rank - 1] == b->shape()[rank - 2] &&
                   (rank == 2 || a->shape()[0] == b->shape()[0]);
  if (!fit)
    throw UnfitOperand("matrices " + text(a->shape()) + " and " + text(b->shape()) +
                       " cannot be multiplied");
  if (a->type != b->type)
    throw UnfitOperand("matrices of types " + std::string(name(a->type)) + " and " +
                       std::string(name(b->type)) + " cannot be multiplied");
}

// cuBLAS takes matrices whose rows or columns are contiguous and do not overlap; others are copied.
bool is_blas_matrix(const Layout& layout) {
  const std::size_t rank = layout.shape.size();
  if (is_dense(layout)) return true;
  const auto leads = [&](std::size_t leading, std::size_t fast) {
    return layout.strides[fast] == 1 &&
           layout.strides[leading] >= std::max<std::int64_t>(1, layout.shape[fast]);
  };
  return leads(rank - 1, rank - 2) || leads(rank - 2, rank - 1);
}

Tensor blas_operand(Eager& eager, const Tensor& x) {
  return is_blas_matrix(x->layout) ? x : kernel_contiguous(eager, x, "gemm~contiguous");
}

void launch_product(Eager& eager, std::string_view op, const Tensor& a, const Tensor& b,
                    const Tensor& added, const Tensor& y) {
  const std::size_t rank = a->rank();
  KernelWork work;
  work.kind = KernelClass::gemm;
  work.type = a->type;
  work.batch = rank == 3 ? a->shape()[0] : 1;
  work.m = a->shape()[rank - 2];
  work.k = a->shape()[rank - 1];
  work.n = b->shape()[rank - 1];
  work.flops = sim::checked_mul(2 * work.k, y->elements());
  work.read = sim::Bytes(a->bytes() + b->bytes() + (added ? added->bytes() : 0));
  work.written = sim::Bytes(y->bytes());
  eager.launch_gemm(op, work);
}

Dims product_shape(const Tensor& a, const Tensor& b) {
  Dims shape = a->shape();
  shape[shape.size() - 1] = b->shape().back();
  return shape;
}

// The order of allocations: the result, copies of operands, the library's workspace.
Tensor product(Eager& eager, std::string_view op, const Tensor& a, const Tensor& b,
               const Tensor& added) {
  Tensor y = eager.empty(product_shape(a, b), a->type, op);
  const Tensor left = blas_operand(eager, a);
  const Tensor right = blas_operand(eager, b);
  launch_product(eager, op, left, right, added, y);
  return y;
}

bool is_column_major(const Layout& matrix) {
  return matrix.strides[0] == 1 && matrix.strides[1] == matrix.shape[0];
}

// Gradients of mm's operands take the operand's own layout.
Tensor left_gradient(Eager& eager, const Tensor& gradient, const Tensor& right,
                     bool left_column_major) {
  if (left_column_major)
    return transpose(eager, mm(eager, right, transpose(eager, gradient, 0, 1)), 0, 1);
  return mm(eager, gradient, transpose(eager, right, 0, 1));
}
Tensor right_gradient(Eager& eager, const Tensor& gradient, const Tensor& left,
                      bool right_column_major) {
  if (right_column_major)
    return transpose(eager, mm(eager, transpose(eager, gradient, 0, 1), left), 0, 1);
  return mm(eager, transpose(eager, left, 0, 1), gradient);
}

// Both: numbers[0], [1] whether left and right are column-major. saved of mm: left if the right
// operand wants a gradient, then right if the left one does; of addmm the other way round.
void mm_back(Eager& eager, Node& node, std::span<Tensor> gradients, std::span<Tensor> results) {
  if (!gradients[0]) return;
  if (node.needs(1))
    results[1] = right_gradient(eager, gradients[0], node.saved.front(), node.numbers[1] != 0);
  if (node.needs(0))
    results[0] = left_gradient(eager, gradients[0], node.saved.back(), node.numbers[0] != 0);
}

void addmm_back(Eager& eager, Node& node, std::span<Tensor> gradients, std::span<Tensor> results) {
  if (!gradients[0]) return;
  if (node.needs(1))
    results[1] = left_gradient(eager, gradients[0], node.saved.front(), node.numbers[0] != 0);
  if (node.needs(2))
    results[2] = right_gradient(eager, gradients[0], node.saved.back(), node.numbers[1] != 0);
  if (node.needs(0)) results[0] = gradients[0];
}

void bmm_back(Eager& eager, Node& node, std::span<Tensor> gradients, std::span<Tensor> results) {
  if (!gradients[0]) return;
  if (node.needs(1))
    results[1] = bmm(eager, transpose(eager, node.saved.front(), 1, 2), gradients[0]);
  if (node.needs(0))
    results[0] = bmm(eager, gradients[0], transpose(eager, node.saved.back(), 1, 2));
}

// Products times alpha, which is not 1 where baddbmm is used.
void baddbmm_back(Eager& eager, Node& node, std::span<Tensor> gradients,
                  std::span<Tensor> results) {
  if (!gradients[0]) return;
  if (node.needs(1))
    results[1] =
        mul_number(eager, bmm(eager, gradients[0], transpose(eager, node.saved.front(), 1, 2)));
  if (node.needs(2))
    results[2] =
        mul_number(eager, bmm(eager, transpose(eager, node.saved.back(), 1, 2), gradients[0]));
  if (node.needs(0)) results[0] = gradients[0];
}

constexpr NodeKind mm_backward{"MmBackward0", mm_back};
constexpr NodeKind addmm_backward{"AddmmBackward0", addmm_back};
constexpr NodeKind bmm_backward{"BmmBackward0", bmm_back};
constexpr NodeKind baddbmm_backward{"BaddbmmBackward0", baddbmm_back};

void note_layouts(Node& node, const Tensor& left, const Tensor& right) {
  node.numbers[0] = is_column_major(left->layout);
  node.numbers[1] = is_column_major(right->layout);
}

}  // namespace

Tensor mm(Eager& eager, const Tensor& a, const Tensor& b) {
  check_shapes(a, b, 2);
  Tensor y = product(eager, "mm", a, b, {});
  if (Node* node = eager.track(mm_backward, {&a, &b}, {&y})) {
    note_layouts(*node, a, b);
    if (node->needs(1)) eager.save(*node, a);
    if (node->needs(0)) eager.save(*node, b);
  }
  return y;
}

Tensor addmm(Eager& eager, const Tensor& bias, const Tensor& a, const Tensor& b) {
  check_shapes(a, b, 2);
  Tensor y = product(eager, "addmm", a, b, bias);
  if (Node* node = eager.track(addmm_backward, {&bias, &a, &b}, {&y})) {
    note_layouts(*node, a, b);
    if (node->needs(1)) eager.save(*node, b);
    if (node->needs(2)) eager.save(*node, a);
  }
  return y;
}

Tensor bmm(Eager& eager, const Tensor& a, const Tensor& b) {
  check_shapes(a, b, 3);
  Tensor y = product(eager, "bmm", a, b, {});
  if (Node* node = eager.track(bmm_backward, {&a, &b}, {&y})) {
    if (node->needs(1)) eager.save(*node, a);
    if (node->needs(0)) eager.save(*node, b);
  }
  return y;
}

Tensor baddbmm(Eager& eager, const Tensor& input, const Tensor& a, const Tensor& b) {
  if (eager.autocasting()) {
    const DataType low = eager.autocast_type();
    const Tensor low_b = eager.autocast(b, low);
    const Tensor low_a = eager.autocast(a, low);
    const Tensor low_input = eager.autocast(input, low);
    const BelowAutocast below(eager);
    return baddbmm(eager, low_input, low_a, low_b);
  }
  check_shapes(a, b, 3);
  Tensor y = product(eager, "baddbmm", a, b, input);
  if (Node* node = eager.track(baddbmm_backward, {&input, &a, &b}, {&y})) {
    if (node->needs(1)) eager.save(*node, b);
    if (node->needs(2)) eager.save(*node, a);
  }
  return y;
}

const Operator baddbmm_operator{"baddbmm", 3, 0, [](Eager& eager, const OperatorCall& call) {
                                  call.outputs[0] =
                                      baddbmm(eager, call.in(0), call.in(1), call.in(2));
                                }};

}  // namespace memsim::models
