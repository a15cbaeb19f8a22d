// Multi-layer perceptron: nn.Sequential of Linear, activation and Dropout, cross-entropy over the
// last width.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/network/network.hpp"
#include "sim/core/result.hpp"

namespace memsim::models {

enum class Activation : std::uint8_t { relu, gelu, tanh, sigmoid, silu };

struct MlpSpec {
  std::vector<std::int64_t> widths;  // input, hidden ..., classes
  Activation activation = Activation::relu;
  bool in_place = false;  // nn.ReLU(inplace=True); the others have no such form
  bool bias = true;
  std::int64_t dropout_millionths = 0;  // after each activation; 0: no module
};

// What is wrong with a specification, named as the field; nothing if it can be built.
std::optional<sim::Error> defect(const MlpSpec& spec);

// Inputs: x [batch, widths[0]], labels int64 [batch]. Requires: !defect(spec).
Network mlp(const MlpSpec& spec);

}  // namespace memsim::models
