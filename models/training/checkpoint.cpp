#include "models/training/checkpoint.hpp"

#include <utility>
#include <vector>

#include "models/training/eager/engine.hpp"

namespace memsim::models {
namespace {

// numbers: the layer, whether autocast was on, its type. saved: the arguments.
void checkpoint_back(Eager& eager, Node& node, std::span<Tensor> gradients,
                     std::span<Tensor> results) {
  if (!gradients[0]) return;
  std::vector<Tensor> inputs;
  for (const Tensor& argument : node.saved) {
    inputs.push_back(eager.alias(argument));
    if (argument->requires_grad) eager.require_grad(inputs.back());
  }
  Tensor output;
  {
    const Setting<bool> grad(eager.grad_enabled, true);
    const AutocastScope autocast(eager, node.numbers[1] != 0,
                                 static_cast<DataType>(node.numbers[2]));
    output = node.runner->run_layer(static_cast<std::uint32_t>(node.numbers[0]), inputs);
  }
  // The script's frame holds the incoming gradient too, so the engine adds to it out of place.
  run_backward(eager, output, gradients[0]);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (node.needs(i)) results[i] = std::move(inputs[i]->grad);
}

constexpr NodeKind checkpoint_backward{"CheckpointFunctionBackward", checkpoint_back};

}  // namespace

void track_checkpoint(Eager& eager, LayerRunner& runner, std::uint32_t layer,
                      std::span<const Tensor> arguments, Tensor& output) {
  std::vector<const Tensor*> operands;
  for (const Tensor& argument : arguments) operands.push_back(&argument);
  Node* node = eager.track(checkpoint_backward, operands, {&output, 1});
  if (node == nullptr) return;
  node->runner = &runner;
  node->numbers = {layer, eager.autocasting(), static_cast<std::int64_t>(eager.autocast_type())};
  for (const Tensor& argument : arguments) eager.save(*node, argument);
}

}  // namespace memsim::models
