#include "models/training/optimizers/optimizer.hpp"

namespace memsim::models {

Tensor Optimizer::new_state(Eager& eager, const TrainedParameter& parameter, const Dims& shape,
                            DataType type, std::string_view op) {
  Tensor state = eager.persistent(shape, type, parameter.name, sim::Category::optimizer,
                                  StorageKind::computed);
  eager.stream(op, {}, {&state}, 0);
  ++state_tensors_;
  state_bytes_ += state->bytes();
  return state;
}

std::unique_ptr<Optimizer> make_optimizer(Eager& eager, const TrainingSpec& training,
                                          const std::vector<TrainedParameter>& parameters) {
  switch (training.optimizer) {
    case OptimizerKind::sgd:
    case OptimizerKind::sgd_momentum:
      return make_sgd(eager, training, parameters);
    case OptimizerKind::adam:
    case OptimizerKind::adamw:
      break;
  }
  return make_adam(eager, training, parameters);
}

}  // namespace memsim::models
