// Nodes of the autograd graph: what an operator leaves behind for backward.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "models/training/eager/tensor.hpp"

namespace memsim::models {

class Recomputation;

// The shape and type that a gradient must have: those of the tensor it belongs to.
struct GradientType {
  Dims shape;
  DataType type = DataType::fp32;
};

struct Edge {
  Ref<Node> node;
  std::uint32_t input = 0;  // which of the node's incoming gradients
};

// gradients: one per output of the operator, undefined where none came. results: one per operand,
// left undefined where the operand's edge is.
using BackwardFunction = void (*)(Eager& eager, Node& node, std::span<Tensor> gradients,
                                  std::span<Tensor> results);

// One kind per backward formula, named as PyTorch names the node.
struct NodeKind {
  std::string_view name;
  BackwardFunction backward = nullptr;
};

inline constexpr std::uint64_t accumulator_sequence = std::numeric_limits<std::uint64_t>::max();
inline constexpr std::int32_t any_layer = -2;

// Runs a layer of the network again, for the formula of reentrant checkpointing.
class LayerRunner {
 public:
  virtual ~LayerRunner() = default;
  // What layer number `layer` returns for these arguments, in the modes that are set.
  virtual Tensor run_layer(std::uint32_t layer, std::span<const Tensor> arguments) = 0;
};

struct Node {
  std::uint32_t uses = 0;
  Eager* owner = nullptr;
  const NodeKind* kind = nullptr;
  std::uint64_t sequence = 0;         // later nodes run first
  std::int32_t layer = any_layer;     // in which it was made
  std::vector<Edge> next;             // by operand
  std::vector<GradientType> outputs;  // by output of the operator
  std::vector<Tensor> saved;          // in the order in which they are dropped
  Dims dims;  // what else the formula needs: a shape, an order of dimensions
  std::array<std::int64_t, 4> numbers{};
  LayerRunner* runner = nullptr;     // of a checkpointed layer
  TensorData* variable = nullptr;    // of an accumulator: the leaf, which holds the accumulator
  Ref<Recomputation> recomputation;  // its saved tensors come from running a layer again
  std::uint32_t first_packed = 0;    // place of saved[0] in that layer's list

  // While a backward pass runs:
  std::uint64_t pass = 0;       // which one the two below belong to
  std::uint32_t waits_for = 0;  // gradients still to come
  std::vector<Tensor> incoming;

  [[nodiscard]] bool needs(std::size_t operand) const {
    return operand < next.size() && next[operand].node;
  }
};

void expire(Recomputation& recomputation);

}  // namespace memsim::models
