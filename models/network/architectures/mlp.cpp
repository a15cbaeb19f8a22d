#include "models/network/architectures/mlp.hpp"

#include <string>

#include "models/network/architectures/spec_checks.hpp"
#include "models/network/functional.hpp"
#include "sim/core/check.hpp"

namespace memsim::models {
namespace {

Var activate(const Arg& x, const MlpSpec& spec) {
  switch (spec.activation) {
    case Activation::relu:
      return relu(x, spec.in_place);
    case Activation::gelu:
      return gelu(x);
    case Activation::tanh:
      return tanh(x);
    case Activation::sigmoid:
      return sigmoid(x);
    case Activation::silu:
      return silu(x);
  }
  MEMSIM_CHECK(false, "unknown activation");
}

// nn.Sequential rebinds one name, `input`; the caller keeps its own.
Var forward(Arg x, const std::vector<Linear>& layers, const MlpSpec& spec) {
  const Scope scope(x);
  Var input = x.name();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    input = linear(input, layers[i]);
    if (i + 1 == layers.size()) break;
    input = activate(input, spec);
    if (spec.dropout_millionths > 0) input = dropout(input, spec.dropout_millionths);
  }
  return input;
}

}  // namespace

std::optional<sim::Error> defect(const MlpSpec& spec) {
  if (spec.widths.size() > most_layers)
    return sim::Error{"widths: more than " + std::to_string(most_layers)};
  if (spec.widths.size() < 2) return sim::Error{"widths: at least the input and the classes"};
  for (const std::int64_t width : spec.widths)
    if (width < 1 || width > most_elements)
      return sim::Error{"widths: " + std::to_string(width) + " is not between 1 and " +
                        std::to_string(most_elements)};
  if (spec.dropout_millionths < 0 || spec.dropout_millionths > 1'000'000)
    return sim::Error{"dropout: not between 0 and 1"};
  return std::nullopt;
}

Network mlp(const MlpSpec& spec) {
  Builder builder;
  const Var x = builder.input("x", {batch_extent, spec.widths.front()}, DataType::fp32);
  const Var labels = builder.input("labels", {batch_extent}, DataType::int64);
  // Dropout and activation modules count in the names of nn.Sequential.
  const std::size_t stride = spec.dropout_millionths > 0 ? 3 : 2;
  std::vector<Linear> layers;
  for (std::size_t i = 0; i + 1 < spec.widths.size(); ++i)
    layers.push_back(make_linear(builder, std::to_string(i * stride), spec.widths[i],
                                 spec.widths[i + 1], spec.bias));
  {
    const Scope scope(builder);
    const Var logits = forward(x, layers, spec);
    const Var loss = cross_entropy(logits, labels);
    builder.result(loss, logits);
  }
  return builder.finish();
}

}  // namespace memsim::models
