#include "models/training/eager/layout.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "models/training/eager/unfit.hpp"
#include "sim/core/check.hpp"
#include "sim/core/units.hpp"

namespace memsim::models {
namespace {

// Whether dimension `a` is nested outside `b`: 1 yes (swap), -1 no, 0 no operand tells.
int compare_dimensions(std::span<const Layout* const> operands, const Dims& shape, std::size_t a,
                       std::size_t b) {
  for (const Layout* operand : operands) {
    const std::int64_t stride_a = operand->strides[a];
    const std::int64_t stride_b = operand->strides[b];
    if (stride_a == 0 || stride_b == 0) continue;
    if (stride_a < stride_b) return -1;
    if (stride_a > stride_b) return 1;
    if (shape[a] > shape[b]) return 1;
  }
  return 0;
}

// The dimensions from the innermost to the outermost.
std::array<std::size_t, Dims::max_rank> nesting(std::span<const Layout* const> operands,
                                                const Dims& shape) {
  std::array<std::size_t, Dims::max_rank> order{};
  const std::size_t rank = shape.size();
  for (std::size_t i = 0; i < rank; ++i) order[i] = rank - 1 - i;
  for (std::size_t i = 1; i < rank; ++i) {
    std::size_t moving = i;
    for (std::size_t other = i; other-- > 0;) {
      const int comparison = compare_dimensions(operands, shape, order[other], order[moving]);
      if (comparison < 0) break;
      if (comparison == 0) continue;
      std::swap(order[other], order[moving]);
      moving = other;
    }
  }
  return order;
}

}  // namespace

Dims::Dims(std::initializer_list<std::int64_t> values)
    : Dims(std::span<const std::int64_t>(values.begin(), values.size())) {}

Dims::Dims(std::span<const std::int64_t> values) {
  for (const std::int64_t value : values) push_back(value);
}

void Dims::push_back(std::int64_t value) { insert(size_, value); }

void Dims::insert(std::size_t at, std::int64_t value) {
  if (size_ == max_rank) throw UnfitOperand("a tensor has more dimensions than memsim keeps");
  for (std::size_t i = size_; i > at; --i) values_[i] = values_[i - 1];
  values_[at] = value;
  ++size_;
}

void Dims::erase(std::size_t at) {
  for (std::size_t i = at; i + 1 < size_; ++i) values_[i] = values_[i + 1];
  values_[--size_] = 0;
}

std::int64_t element_count(const Dims& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count = sim::checked_mul(count, extent);
  return count;
}

std::size_t wrap(std::int64_t dim, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (dim < -signed_rank || dim >= signed_rank)
    throw UnfitOperand("dimension " + std::to_string(dim) + " of a tensor with " +
                       std::to_string(rank));
  return static_cast<std::size_t>(dim < 0 ? dim + signed_rank : dim);
}

Layout contiguous_layout(const Dims& shape) {
  Layout layout{shape, shape};
  std::int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    layout.strides[i] = stride;
    stride = sim::checked_mul(stride, std::max<std::int64_t>(shape[i], 1));
  }
  return layout;
}

bool is_contiguous(const Layout& layout) {
  std::int64_t stride = 1;
  for (std::size_t i = layout.shape.size(); i-- > 0;) {
    if (layout.shape[i] == 1) continue;
    if (layout.strides[i] != stride) return false;
    stride *= layout.shape[i];
  }
  return true;
}

bool is_dense(const Layout& layout) {
  // Extents above 1, from the innermost out.
  std::array<std::pair<std::int64_t, std::int64_t>, Dims::max_rank> dims{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < layout.shape.size(); ++i) {
    if (layout.shape[i] == 1) continue;
    std::size_t at = count++;
    for (; at > 0 && dims[at - 1].first > layout.strides[i]; --at) dims[at] = dims[at - 1];
    dims[at] = {layout.strides[i], layout.shape[i]};
  }
  std::int64_t stride = 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (dims[i].first != stride) return false;
    stride *= dims[i].second;
  }
  return true;
}

std::optional<Dims> view_strides(const Layout& layout, const Dims& shape) {
  Dims strides = shape;
  std::size_t target = shape.size();  // dimensions of `shape` not yet given a stride
  std::size_t source = layout.shape.size();
  if (source == 0 || element_count(shape) == 0) return contiguous_layout(shape).strides;
  // Walk from the inside out over chunks of source dimensions that lie next to each other.
  std::int64_t base = layout.strides[source - 1];
  std::int64_t chunk = 1;
  std::int64_t viewed = 1;
  while (source-- > 0) {
    chunk *= layout.shape[source];
    const bool ends = source == 0 ||
                      (layout.shape[source - 1] != 1 && layout.strides[source - 1] != chunk * base);
    if (!ends) continue;
    while (target > 0 && (viewed < chunk || shape[target - 1] == 1)) {
      strides[target - 1] = viewed * base;
      viewed *= shape[target - 1];
      --target;
    }
    if (viewed != chunk) return std::nullopt;
    if (source > 0) {
      base = layout.strides[source - 1];
      chunk = 1;
      viewed = 1;
    }
  }
  if (target != 0) return std::nullopt;
  return strides;
}

Dims infer_rest(const Dims& shape, std::int64_t elements) {
  std::int64_t known = 1;
  std::optional<std::size_t> rest;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == -1) {
      if (rest) throw UnfitOperand("a view leaves two extents open");
      rest = i;
    } else {
      known = sim::checked_mul(known, shape[i]);
    }
  }
  Dims complete = shape;
  if (rest && known > 0) complete[*rest] = elements / known;
  if (element_count(complete) != elements)
    throw UnfitOperand("a view of " + std::to_string(elements) + " elements as " +
                       std::to_string(known) + (rest ? " times a whole number" : ""));
  return complete;
}

Dims broadcast(const Dims& a, const Dims& b) {
  const Dims& longer = a.size() >= b.size() ? a : b;
  const Dims& shorter = a.size() >= b.size() ? b : a;
  Dims shape = longer;
  const std::size_t lead = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::int64_t& extent = shape[lead + i];
    if (extent == shorter[i] || shorter[i] == 1) continue;
    if (extent != 1)
      throw UnfitOperand("extents " + std::to_string(extent) + " and " +
                         std::to_string(shorter[i]) + " do not broadcast");
    extent = shorter[i];
  }
  return shape;
}

Layout expand_layout(const Layout& layout, const Dims& shape) {
  Layout expanded{shape, shape};
  if (shape.size() < layout.shape.size()) throw UnfitOperand("an expansion drops dimensions");
  const std::size_t lead = shape.size() - layout.shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool stretched = i < lead || (layout.shape[i - lead] == 1 && shape[i] != 1);
    if (!stretched && layout.shape[i - lead] != shape[i])
      throw UnfitOperand("extent " + std::to_string(layout.shape[i - lead]) +
                         " cannot be expanded to " + std::to_string(shape[i]));
    expanded.strides[i] = stretched ? 0 : layout.strides[i - lead];
  }
  return expanded;
}

Layout transpose_layout(const Layout& layout, std::size_t dim0, std::size_t dim1) {
  Layout transposed = layout;
  std::swap(transposed.shape[dim0], transposed.shape[dim1]);
  std::swap(transposed.strides[dim0], transposed.strides[dim1]);
  return transposed;
}

Layout permute_layout(const Layout& layout, const Dims& order) {
  if (order.size() != layout.shape.size())
    throw UnfitOperand("a permutation of " + std::to_string(order.size()) + " dimensions for " +
                       std::to_string(layout.shape.size()));
  Layout permuted;
  std::array<bool, Dims::max_rank> taken{};
  for (const std::int64_t dim : order) {
    const std::size_t from = wrap(dim, layout.shape.size());
    if (taken[from]) throw UnfitOperand("a permutation names a dimension twice");
    taken[from] = true;
    permuted.shape.push_back(layout.shape[from]);
    permuted.strides.push_back(layout.strides[from]);
  }
  return permuted;
}

Layout elementwise_layout(std::span<const Layout* const> operands, const Dims& shape) {
  bool plain = true;
  for (const Layout* operand : operands)
    plain = plain && operand->shape == shape && is_contiguous(*operand);
  if (plain) return contiguous_layout(shape);

  std::array<Layout, 4> expanded;
  std::array<const Layout*, 4> pointers{};
  MEMSIM_CHECK(operands.size() <= expanded.size(), "elementwise operation with many operands");
  for (std::size_t i = 0; i < operands.size(); ++i) {
    expanded[i] = expand_layout(*operands[i], shape);
    pointers[i] = &expanded[i];
  }
  const auto order = nesting(std::span(pointers.data(), operands.size()), shape);
  Layout layout{shape, shape};
  std::int64_t stride = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    layout.strides[order[i]] = stride;
    stride = sim::checked_mul(stride, std::max<std::int64_t>(shape[order[i]], 1));
  }
  return layout;
}

}  // namespace memsim::models
