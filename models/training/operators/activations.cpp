// Activations. ReLU, tanh and sigmoid save their result, GELU and SiLU their input.
#include <array>
#include <string_view>

#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"

namespace memsim::models {
namespace {

enum class Saves : std::uint8_t { input, result };

// Formulas differ in the name of their kernel only: gradient and saved tensor make the result.
template <const std::string_view& kernel>
void activation_back(Eager& eager, Node& node, std::span<Tensor> gradients,
                     std::span<Tensor> results) {
  if (gradients[0])
    results[0] = elementwise(eager, kernel, {&gradients[0], &node.saved[0]}, gradients[0]->type, 4);
}

constexpr std::string_view threshold_kernel = "threshold_backward";
constexpr std::string_view gelu_kernel = "gelu_backward";
constexpr std::string_view tanh_kernel = "tanh_backward";
constexpr std::string_view sigmoid_kernel = "sigmoid_backward";
constexpr std::string_view silu_kernel = "silu_backward";

constexpr NodeKind relu_backward{"ReluBackward0", activation_back<threshold_kernel>};
constexpr NodeKind gelu_backward{"GeluBackward0", activation_back<gelu_kernel>};
constexpr NodeKind tanh_backward{"TanhBackward0", activation_back<tanh_kernel>};
constexpr NodeKind sigmoid_backward{"SigmoidBackward0", activation_back<sigmoid_kernel>};
constexpr NodeKind silu_backward{"SiluBackward0", activation_back<silu_kernel>};

Tensor activate(Eager& eager, std::string_view op, const NodeKind& kind, const Tensor& x,
                Saves saves) {
  Tensor y = elementwise(eager, op, {&x}, x->type, 4);
  if (Node* node = eager.track(kind, {&x}, {&y}))
    eager.save(*node, saves == Saves::input ? x : eager.alias(y));
  return y;
}

// In place: the tensor itself is the result, and what is saved.
void run_relu_in_place(Eager& eager, const OperatorCall& call) {
  const Tensor& x = call.in(0);
  eager.stream("relu_", {&x}, {&x});
  if (Node* node = eager.track(relu_backward, {&x}, {&x})) eager.save(*node, eager.alias(x));
  call.outputs[0] = x;
}

}  // namespace

const Operator relu_operator{"relu", 1, 0, [](Eager& eager, const OperatorCall& call) {
                               call.outputs[0] = activate(eager, "relu", relu_backward, call.in(0),
                                                          Saves::result);
                             }};
const Operator relu_in_place_operator{"relu_", 1, 0, run_relu_in_place};
const Operator gelu_operator{"gelu", 1, 0, [](Eager& eager, const OperatorCall& call) {
                               call.outputs[0] =
                                   activate(eager, "gelu", gelu_backward, call.in(0), Saves::input);
                             }};
const Operator tanh_operator{"tanh", 1, 0, [](Eager& eager, const OperatorCall& call) {
                               call.outputs[0] = activate(eager, "tanh", tanh_backward, call.in(0),
                                                          Saves::result);
                             }};
const Operator sigmoid_operator{"sigmoid", 1, 0, [](Eager& eager, const OperatorCall& call) {
                                  call.outputs[0] = activate(eager, "sigmoid", sigmoid_backward,
                                                             call.in(0), Saves::result);
                                }};
const Operator silu_operator{"silu", 1, 0, [](Eager& eager, const OperatorCall& call) {
                               call.outputs[0] =
                                   activate(eager, "silu", silu_backward, call.in(0), Saves::input);
                             }};

}  // namespace memsim::models
