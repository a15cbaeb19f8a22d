// Operators as PyTorch eager runs them. Each stands in one place: the shape and layout of its
// results, the tensors that it allocates and in which order, what autograd saves, the backward
// formula with its own allocations, floating-point operations and bytes moved, and what autocast
// does to its operands.
//
// Sources: PyTorch 1.13's derivatives.yaml, FunctionsManual, native CUDA kernels and
// autocast_mode.cpp, checked against recorded sequences of allocations (validate/data/torch).
// Operands of a formula are computed in the alphabetical order of their names there; saved tensors
// are dropped in the order in which the formulas, so ordered, name them.
//
// A new operator is one .cpp with its function, its NodeKind and its Operator, and one line in
// table.cpp. Operands that do not fit throw UnfitOperand.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "models/training/eager/eager.hpp"

namespace memsim::models {

// One call of a network's statement.
struct OperatorCall {
  std::span<const Tensor* const> inputs;     // undefined tensors where an operand is absent
  std::span<const std::int64_t> attributes;  // extents resolved; Extent::rest is -1
  std::span<Tensor> outputs;

  [[nodiscard]] const Tensor& in(std::size_t i) const { return *inputs[i]; }
};

struct Operator {
  std::string_view name;
  std::size_t inputs = 1;      // operands it takes
  std::size_t attributes = 0;  // least number of attributes
  void (*run)(Eager& eager, const OperatorCall& call) = nullptr;
};

// nullptr if there is none of that name.
const Operator* find_operator(std::string_view name);

// Views and copies.
Tensor reshape(Eager& eager, const Tensor& x, const Dims& shape);  // -1 for the rest
Tensor transpose(Eager& eager, const Tensor& x, std::int64_t dim0, std::int64_t dim1);
Tensor permute(Eager& eager, const Tensor& x, const Dims& order);
Tensor unsqueeze(Eager& eager, const Tensor& x, std::int64_t dim);
Tensor expand(Eager& eager, const Tensor& x, const Dims& shape);
Tensor slice(Eager& eager, const Tensor& x, std::int64_t dim, std::int64_t begin, std::int64_t end);
Tensor clone(Eager& eager, const Tensor& x);  // contiguous
Tensor contiguous(Eager& eager, const Tensor& x);
Tensor to_type(Eager& eager, const Tensor& x, DataType type);
// The contiguous copy that kernel `op` makes of an operand, or the operand itself.
Tensor kernel_contiguous(Eager& eager, const Tensor& x, std::string_view op);

// Elementwise and reductions.
Tensor add(Eager& eager, const Tensor& a, const Tensor& b);
Tensor add_in_place(Eager& eager, Tensor a, const Tensor& b);  // a += b; `a` has no other view
Tensor mul(Eager& eager, const Tensor& a, const Tensor& b);
Tensor mul_number(Eager& eager, const Tensor& x);
Tensor div_number(Eager& eager, const Tensor& x);
Tensor neg(Eager& eager, const Tensor& x);
Tensor where(Eager& eager, const Tensor& condition, const Tensor& x, const Tensor& y);
// Sums over the dimensions that broadcasting to x's shape had added or stretched. No gradient.
Tensor sum_to(Eager& eager, const Tensor& x, const Dims& shape);
// A new tensor over broadcast operands, without gradient.
Tensor elementwise(Eager& eager, std::string_view op, std::initializer_list<const Tensor*> operands,
                   DataType type, std::int64_t flops_per_element = 1);
// The type of an operation on both (wider of two floating types).
DataType promote(const Tensor& a, const Tensor& b);

// Matrix products.
Tensor addmm(Eager& eager, const Tensor& bias, const Tensor& a, const Tensor& b);
Tensor mm(Eager& eager, const Tensor& a, const Tensor& b);
Tensor bmm(Eager& eager, const Tensor& a, const Tensor& b);
Tensor baddbmm(Eager& eager, const Tensor& input, const Tensor& a, const Tensor& b);
Tensor matmul(Eager& eager, const Tensor& a, const Tensor& b);
Tensor linear(Eager& eager, const Tensor& x, const Tensor& weight, const Tensor& bias);

// Normalisation, loss.
Tensor softmax(Eager& eager, const Tensor& x, std::int64_t dim);
Tensor log_softmax(Eager& eager, const Tensor& x, std::int64_t dim);
Tensor nll_loss(Eager& eager, const Tensor& log_probabilities, const Tensor& target);

// New tensors.
Tensor zeros(Eager& eager, const Dims& shape, DataType type);
Tensor ones_like(Eager& eager, const Tensor& x);

}  // namespace memsim::models
