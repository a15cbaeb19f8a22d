// Shapes and strides of tensors, by the rules of PyTorch: they decide which view is possible and
// which operand has to be copied first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

namespace memsim::models {

// The extents or strides of a tensor. Invariant: size() <= max_rank.
class Dims {
 public:
  static constexpr std::size_t max_rank = 6;

  Dims() = default;
  Dims(std::initializer_list<std::int64_t> values);
  explicit Dims(std::span<const std::int64_t> values);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  std::int64_t& operator[](std::size_t i) { return values_[i]; }
  const std::int64_t& operator[](std::size_t i) const { return values_[i]; }
  [[nodiscard]] std::int64_t back() const { return values_[size_ - 1]; }
  [[nodiscard]] auto begin() const { return values_.begin(); }
  [[nodiscard]] auto end() const { return values_.begin() + size_; }
  void push_back(std::int64_t value);
  void insert(std::size_t at, std::int64_t value);
  void erase(std::size_t at);

  // Values behind the end stay 0, so whole arrays compare.
  friend bool operator==(const Dims&, const Dims&) = default;

 private:
  std::array<std::int64_t, max_rank> values_{};
  std::uint8_t size_ = 0;
};

// Invariant: as many strides as extents. Strides count elements.
struct Layout {
  Dims shape;
  Dims strides;
};

std::int64_t element_count(const Dims& shape);

// `dim` counted from the end if negative. Throws UnfitOperand (unfit.hpp) if there is no such
// dimension.
std::size_t wrap(std::int64_t dim, std::size_t rank);

Layout contiguous_layout(const Dims& shape);
bool is_contiguous(const Layout& layout);
// No gaps and no overlaps: every element of the storage belongs to exactly one index.
bool is_dense(const Layout& layout);

// Strides that show the same elements under `shape`, or nothing if they have to be copied.
// Requires: equal element counts.
std::optional<Dims> view_strides(const Layout& layout, const Dims& shape);

// `shape` with its -1 replaced by what `elements` leave over. Throws UnfitOperand if they do not
// fit.
Dims infer_rest(const Dims& shape, std::int64_t elements);

// The shape of an elementwise operation. Throws UnfitOperand if the operands do not fit together.
Dims broadcast(const Dims& a, const Dims& b);

// Broadcasts a layout: added and stretched dimensions get stride 0.
Layout expand_layout(const Layout& layout, const Dims& shape);

Layout transpose_layout(const Layout& layout, std::size_t dim0, std::size_t dim1);
Layout permute_layout(const Layout& layout, const Dims& order);

// The layout of a new tensor that an elementwise operation over `operands` fills: dense, with its
// dimensions nested as the operands' are (TensorIterator: stable sort of the dimensions by stride,
// the first operand that tells two dimensions apart decides, broadcast dimensions tell nothing).
Layout elementwise_layout(std::span<const Layout* const> operands, const Dims& shape);

}  // namespace memsim::models
