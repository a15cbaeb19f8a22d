// cross_entropy = log_softmax in the logits' own type, then nll_loss.
#include "models/training/eager/unfit.hpp"
#include "models/training/operators/operators.hpp"
#include "models/training/operators/table.hpp"

namespace memsim::models {
namespace {

// saved: the log-probabilities, the target, the total weight.
void nll_loss_back(Eager& eager, Node& node, std::span<Tensor> gradients,
                   std::span<Tensor> results) {
  if (!gradients[0]) return;
  const Tensor& input = node.saved[0];
  results[0] = eager.empty(input->shape(), input->type, "nll_loss_backward");
  eager.stream("nll_loss_backward", {&node.saved[1]}, {&results[0]}, 0);
}

constexpr NodeKind nll_loss_backward{"NllLossBackward0", nll_loss_back};

}  // namespace

// Mean reduction: the loss and the total weight are scalars. Autocast runs it in fp32.
Tensor nll_loss(Eager& eager, const Tensor& log_probabilities, const Tensor& target) {
  if (eager.autocasting()) {
    const Tensor wide = eager.autocast(log_probabilities, DataType::fp32);
    const BelowAutocast below(eager);
    return nll_loss(eager, wide, target);
  }
  if (log_probabilities->rank() != 2 || target->rank() != 1 ||
      target->shape()[0] != log_probabilities->shape()[0])
    throw UnfitOperand("cross_entropy: logits are [N, classes], labels [N]");
  const Tensor dense = kernel_contiguous(eager, log_probabilities, "nll_loss_forward~contiguous");
  Tensor loss = eager.empty(Dims{}, log_probabilities->type, "nll_loss_forward");
  const Tensor total_weight = eager.empty(Dims{}, log_probabilities->type, "nll_loss_forward");
  eager.stream("nll_loss_forward", {&target}, {&loss, &total_weight});
  if (Node* node = eager.track(nll_loss_backward, {&log_probabilities}, {&loss})) {
    eager.save(*node, log_probabilities);
    eager.save(*node, target);
    eager.save(*node, total_weight);
  }
  return loss;
}

const Operator cross_entropy_operator{
    "cross_entropy", 2, 0, [](Eager& eager, const OperatorCall& call) {
      call.outputs[0] = nll_loss(eager, log_softmax(eager, call.in(0), 1), call.in(1));
    }};

}  // namespace memsim::models
