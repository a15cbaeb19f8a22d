// torch.optim.Adam and AdamW.
#include <utility>

#include "models/training/operators/operators.hpp"
#include "models/training/optimizers/tensor_list.hpp"

namespace memsim::models {
namespace {

class Adam : public Optimizer {
 public:
  Adam(Eager& eager, const TrainingSpec& training, const std::vector<TrainedParameter>& parameters)
      : eager_(&eager),
        implementation_(training.implementation),
        rules_(training.optimizer_rules),
        decoupled_(training.optimizer == OptimizerKind::adamw),
        weight_decay_(training.weight_decay),
        all_(&parameters),
        means_(parameters.size()),
        squares_(parameters.size()),
        steps_(parameters.size()) {}

  void step() override {
    make_state();
    switch (implementation_) {
      case OptimizerImplementation::plain:
        step_plain();
        break;
      case OptimizerImplementation::foreach:
        step_foreach();
        break;
      case OptimizerImplementation::fused:
        step_fused();
        break;
    }
  }

 private:
  struct Lists {
    std::vector<const TrainedParameter*> taking_part;
    TensorList parameters, gradients, means, squares;
  };

  // All parameters get their state before the first is updated.
  void make_state() {
    for (std::size_t i = 0; i < all_->size(); ++i) {
      const TrainedParameter& parameter = (*all_)[i];
      if (!parameter.tensor->grad || means_[i]) continue;
      if (i > 0 && parameter.layer != (*all_)[i - 1].layer) eager_->recorder().cut();
      const Dims& shape = parameter.tensor->shape();
      if (implementation_ == OptimizerImplementation::fused)
        steps_[i] = new_state(*eager_, parameter, Dims{}, DataType::fp32, "zeros");
      means_[i] = new_state(*eager_, parameter, shape, parameter.tensor->type, "zeros_like");
      squares_[i] = new_state(*eager_, parameter, shape, parameter.tensor->type, "zeros_like");
    }
  }

  // The names `grad` and `denom` live on into the next round, until they are bound again.
  void step_plain() {
    Tensor gradient;
    Tensor denominator;
    for (std::size_t i = 0; i < all_->size(); ++i) {
      const TrainedParameter& parameter = (*all_)[i];
      if (!parameter.tensor->grad) continue;
      if (i > 0 && parameter.layer != (*all_)[i - 1].layer) eager_->recorder().cut();
      gradient = parameter.tensor->grad;
      if (weight_decay_) gradient = decay_plain(parameter.tensor, gradient);
      average_plain(means_[i], gradient);
      eager_->stream("mul_", {&squares_[i]}, {&squares_[i]});
      eager_->stream("addcmul_", {&squares_[i], &gradient}, {&squares_[i]}, 3);
      Tensor root = elementwise(*eager_, "sqrt", {&squares_[i]}, squares_[i]->type);
      Tensor scaled = elementwise(*eager_, "div.Tensor", {&root}, root->type);
      root.reset();
      denominator = std::move(scaled);
      eager_->stream("add_", {&denominator}, {&denominator});
      eager_->stream("addcdiv_", {&parameter.tensor, &means_[i], &denominator}, {&parameter.tensor},
                     3);
    }
    gradient.reset();
    denominator.reset();
  }

  // AdamW shrinks the parameter in place; Adam adds to the gradient in a new tensor.
  Tensor decay_plain(const Tensor& parameter, const Tensor& gradient) {
    if (!decoupled_) return add(*eager_, gradient, parameter);
    eager_->stream("mul_", {&parameter}, {&parameter});
    return gradient;
  }

  // The mean moves towards the gradient: two kernels in 1.13, one in 2.x.
  void average_plain(const Tensor& mean, const Tensor& gradient) {
    if (rules_ == TorchRules::v2) return eager_->stream("lerp_", {&mean, &gradient}, {&mean}, 3);
    eager_->stream("mul_", {&mean}, {&mean});
    eager_->stream("add_", {&mean, &gradient}, {&mean}, 2);
  }
  void average_lists(ListOperations& ops, const TensorList& means, const TensorList& gradients) {
    if (rules_ == TorchRules::v2)
      return ops.apply("_foreach_lerp_.Scalar", {&means, &gradients}, {&means}, 3);
    ops.apply("_foreach_mul_.Scalar", {&means}, {&means}, 1);
    ops.apply("_foreach_add_.List", {&means, &gradients}, {&means}, 2);
  }

  Lists lists() const {
    Lists lists;
    for (std::size_t i = 0; i < all_->size(); ++i) {
      const TrainedParameter& parameter = (*all_)[i];
      if (!parameter.tensor->grad) continue;
      lists.taking_part.push_back(&parameter);
      lists.parameters.push_back(parameter.tensor);
      lists.gradients.push_back(parameter.tensor->grad);
      lists.means.push_back(means_[i]);
      lists.squares.push_back(squares_[i]);
    }
    return lists;
  }

  void step_foreach() {
    const Lists l = lists();
    ListOperations ops(*eager_, l.taking_part);
    TensorList decayed = decay_lists(ops, l);
    const TensorList& gradients = decayed.empty() ? l.gradients : decayed;
    average_lists(ops, l.means, gradients);
    ops.apply("_foreach_mul_.Scalar", {&l.squares}, {&l.squares}, 1);
    ops.apply("_foreach_addcmul_.Scalar", {&l.squares, &gradients}, {&l.squares}, 3);
    ops.drop(decayed);
    TensorList roots = ops.make("_foreach_sqrt");
    ops.apply("_foreach_sqrt", {&l.squares}, {&roots}, 1);
    ops.apply("_foreach_div_.Scalar", {&roots}, {&roots}, 1);
    if (rules_ == TorchRules::v1_13) {
      TensorList denominators = ops.make("_foreach_add.Scalar");
      ops.apply("_foreach_add.Scalar", {&roots}, {&denominators}, 1);
      finish(ops, l, denominators);
      ops.drop(denominators);
    } else {
      ops.apply("_foreach_add_.Scalar", {&roots}, {&roots}, 1);
      finish(ops, l, roots);
    }
    ops.drop(roots);
  }

  void finish(ListOperations& ops, const Lists& l, const TensorList& denominators) {
    ops.apply("_foreach_addcdiv_.Scalar", {&l.parameters, &l.means, &denominators}, {&l.parameters},
              3);
  }

  // Adam's decayed gradients are a new list in 2.x, in place in 1.13.
  TensorList decay_lists(ListOperations& ops, const Lists& l) {
    if (!weight_decay_) return {};
    if (decoupled_) {
      ops.apply("_foreach_mul_.Scalar", {&l.parameters}, {&l.parameters}, 1);
      return {};
    }
    if (rules_ == TorchRules::v1_13) {
      ops.apply("_foreach_add_.List", {&l.gradients, &l.parameters}, {&l.gradients}, 2);
      return {};
    }
    TensorList decayed = ops.make("_foreach_add.List");
    ops.apply("_foreach_add.List", {&l.gradients, &l.parameters}, {&decayed}, 2);
    return decayed;
  }

  void step_fused() {
    const Lists l = lists();
    ListOperations ops(*eager_, l.taking_part);
    ops.apply("_fused_adam_", {&l.parameters, &l.gradients, &l.means, &l.squares},
              {&l.parameters, &l.means, &l.squares}, 12);
  }

  Eager* eager_;
  OptimizerImplementation implementation_;
  TorchRules rules_;
  bool decoupled_;
  bool weight_decay_;
  const std::vector<TrainedParameter>* all_;
  TensorList means_, squares_, steps_;
};

}  // namespace

std::unique_ptr<Optimizer> make_adam(Eager& eager, const TrainingSpec& training,
                                     const std::vector<TrainedParameter>& parameters) {
  return std::make_unique<Adam>(eager, training, parameters);
}

}  // namespace memsim::models
