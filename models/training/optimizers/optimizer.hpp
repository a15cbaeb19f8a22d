// Optimizers as torch.optim runs them: lazy state, temporaries and their order.
//
// Plain: parameter by parameter. Foreach: lists over all parameters, one multi-tensor operation at
// a time; its temporaries are whole lists. Fused: one kernel, no temporaries. State is of the
// parameter's type; Adam's step counter is a number on the host, except fused (fp32, on the
// device). Source: torch/optim/{sgd,adam,adamw}.py of 1.13 and 2.x,
// ATen/native/cuda/MultiTensorApply.cuh.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/training/eager/eager.hpp"

namespace memsim::models {

struct TrainedParameter {
  Tensor tensor;
  std::string name;
  std::int32_t layer = any_layer;
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  // Updates all parameters that have a gradient; makes their state first if they have none.
  virtual void step() = 0;
  // State made so far.
  [[nodiscard]] std::size_t state_tensors() const { return state_tensors_; }
  [[nodiscard]] std::int64_t state_bytes() const { return state_bytes_; }

 protected:
  Tensor new_state(Eager& eager, const TrainedParameter& parameter, const Dims& shape,
                   DataType type, std::string_view op);

 private:
  std::size_t state_tensors_ = 0;
  std::int64_t state_bytes_ = 0;
};

// `parameters` are in the order of Module.parameters() and outlive the optimizer, as does `eager`.
std::unique_ptr<Optimizer> make_optimizer(Eager& eager, const TrainingSpec& training,
                                          const std::vector<TrainedParameter>& parameters);
std::unique_ptr<Optimizer> make_sgd(Eager& eager, const TrainingSpec& training,
                                    const std::vector<TrainedParameter>& parameters);
std::unique_ptr<Optimizer> make_adam(Eager& eager, const TrainingSpec& training,
                                     const std::vector<TrainedParameter>& parameters);

}  // namespace memsim::models
