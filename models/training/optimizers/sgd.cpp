// torch.optim.SGD.
#include <utility>

#include "models/training/operators/operators.hpp"
#include "models/training/optimizers/tensor_list.hpp"

namespace memsim::models {
namespace {

class Sgd : public Optimizer {
 public:
  Sgd(Eager& eager, const TrainingSpec& training, const std::vector<TrainedParameter>& parameters)
      : eager_(&eager),
        implementation_(training.implementation),
        momentum_(training.optimizer == OptimizerKind::sgd_momentum),
        weight_decay_(training.weight_decay),
        all_(&parameters),
        buffers_(parameters.size()) {}

  void step() override {
    if (implementation_ == OptimizerImplementation::plain) {
      step_plain();
    } else {
      step_lists();
    }
  }

 private:
  // One parameter after the other; the name of a decayed gradient is bound again in the next round.
  void step_plain() {
    Tensor direction;
    for (std::size_t i = 0; i < all_->size(); ++i) {
      const TrainedParameter& parameter = (*all_)[i];
      if (!parameter.tensor->grad) continue;
      if (i > 0 && parameter.layer != (*all_)[i - 1].layer) eager_->recorder().cut();
      direction = parameter.tensor->grad;
      if (weight_decay_) direction = add(*eager_, direction, parameter.tensor);
      if (momentum_) direction = plain_momentum(i, direction);
      eager_->stream("add_", {&parameter.tensor, &direction}, {&parameter.tensor}, 2);
    }
  }

  // The buffer starts as a copy of the first gradient.
  Tensor plain_momentum(std::size_t i, const Tensor& gradient) {
    Tensor& buffer = buffers_[i];
    if (!buffer) {
      buffer = new_state(*eager_, (*all_)[i], gradient->shape(), gradient->type, "clone");
    } else {
      eager_->stream("mul_", {&buffer}, {&buffer});
      eager_->stream("add_", {&buffer, &gradient}, {&buffer});
    }
    return buffer;
  }

  void step_lists() {
    std::vector<const TrainedParameter*> taking_part;
    TensorList parameters;
    TensorList gradients;
    for (const TrainedParameter& parameter : *all_) {
      if (!parameter.tensor->grad) continue;
      taking_part.push_back(&parameter);
      parameters.push_back(parameter.tensor);
      gradients.push_back(parameter.tensor->grad);
    }
    ListOperations lists(*eager_, taking_part);
    const bool fused = implementation_ == OptimizerImplementation::fused;
    TensorList decayed;
    if (weight_decay_ && !fused) {
      decayed = lists.make("_foreach_add.List");
      lists.apply("_foreach_add.List", {&gradients, &parameters}, {&decayed}, 2);
    }
    const TensorList& direction = decayed.empty() ? gradients : decayed;
    TensorList buffers;
    if (momentum_) buffers = list_momentum(lists, direction, fused);
    const TensorList& update = momentum_ ? buffers : direction;
    if (momentum_) lists.drop(decayed);
    if (fused) {
      lists.apply("_fused_sgd_", {&parameters, &gradients}, {&parameters}, 4);
    } else {
      lists.apply("_foreach_add_.List", {&parameters, &update}, {&parameters}, 2);
    }
    lists.drop(decayed);
  }

  TensorList list_momentum(ListOperations& lists, const TensorList& gradients, bool fused) {
    TensorList buffers;
    bool complete = true;
    for (std::size_t i = 0; i < all_->size(); ++i) {
      const TrainedParameter& parameter = (*all_)[i];
      if (!parameter.tensor->grad) continue;
      if (i > 0 && parameter.layer != (*all_)[i - 1].layer) eager_->recorder().cut();
      if (!buffers_[i]) {
        complete = false;
        buffers_[i] = new_state(*eager_, parameter, parameter.tensor->shape(),
                                parameter.tensor->type, fused ? "empty_like" : "clone");
      }
      buffers.push_back(buffers_[i]);
    }
    if (complete && !fused) {
      lists.apply("_foreach_mul_.Scalar", {&buffers}, {&buffers}, 1);
      lists.apply("_foreach_add_.List", {&buffers, &gradients}, {&buffers}, 2);
    }
    return buffers;
  }

  Eager* eager_;
  OptimizerImplementation implementation_;
  bool momentum_;
  bool weight_decay_;
  const std::vector<TrainedParameter>* all_;
  TensorList buffers_;
};

}  // namespace

std::unique_ptr<Optimizer> make_sgd(Eager& eager, const TrainingSpec& training,
                                    const std::vector<TrainedParameter>& parameters) {
  return std::make_unique<Sgd>(eager, training, parameters);
}

}  // namespace memsim::models
