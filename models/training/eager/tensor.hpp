// Tensors without data: a view (shape, strides, type) of a storage (bytes of device memory).
#pragma once

#include <cstdint>

#include "models/machine/data_type.hpp"
#include "models/training/eager/layout.hpp"
#include "models/training/eager/reference.hpp"
#include "sim/core/units.hpp"

namespace memsim::models {

class Eager;
struct Node;
struct TensorData;
void expire(TensorData& tensor);
void expire(Node& node);

// What memory a tensor's bytes are. parameter_cast: autocast's low-precision copy of a parameter.
enum class StorageKind : std::uint8_t { computed, parameter_cast, parameter, buffer, input };

// Whether the program made it, rather than the script before its steps.
constexpr bool is_computed(StorageKind kind) {
  return kind == StorageKind::computed || kind == StorageKind::parameter_cast;
}

// 8 PiB. Small sums and products of such sizes stay within 64 bits.
inline constexpr std::int64_t largest_tensor = std::int64_t{1} << 53;

struct Storage {
  std::uint32_t uses = 0;    // tensors that show it
  std::uint32_t record = 0;  // id at the recorder; meaningless when `bytes` is 0
  std::int64_t bytes = 0;
  StorageKind kind = StorageKind::computed;
  std::uint32_t visit = 0;  // of the last count of unique storages
};

using Tensor = Ref<TensorData>;

// Everything that can hold a tensor holds a Tensor: names of the program, saved tensors, gradients
// under way, the autocast cache.
struct TensorData {
  std::uint32_t uses = 0;
  Eager* owner = nullptr;
  Storage* storage = nullptr;
  Layout layout;
  DataType type = DataType::fp32;
  bool requires_grad = false;
  std::uint32_t output = 0;  // which output of `grad_fn` it is
  Ref<Node> grad_fn;         // how it was computed; none for a leaf
  Ref<Node> accumulator;     // of a leaf that requires grad
  Tensor grad;               // of such a leaf
  Tensor low_precision;      // of a parameter: its copy in the autocast cache

  [[nodiscard]] const Dims& shape() const { return layout.shape; }
  [[nodiscard]] std::size_t rank() const { return layout.shape.size(); }
  [[nodiscard]] std::int64_t elements() const { return element_count(layout.shape); }
  [[nodiscard]] std::int64_t bytes() const { return sim::checked_mul(elements(), size_of(type)); }
};

}  // namespace memsim::models
