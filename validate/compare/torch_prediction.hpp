// What memsim says about one configuration of `data/torch`, by the rules of PyTorch 1.13 and 2.x.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "models/network/network.hpp"
#include "models/training/training_spec.hpp"
#include "validate/compare/row.hpp"
#include "validate/compare/torch_trace.hpp"

namespace memsim::validate {

struct TorchPrediction {
  // By scope and name of quantity, as TorchExpectation has them.
  std::map<std::pair<std::string, std::string>, Value> quantities;
  std::vector<std::string> nodes;      // kinds of autograd nodes that save something, by name
  std::vector<std::string> operators;  // that make new tensors, by name
  std::vector<TorchEvent> events;      // PyTorch 1.13
  std::vector<TorchEvent> events_2x;
};

// Why there is no prediction.
struct TorchRefusal {
  Status status = Status::input_error;  // or not_modelled
  std::string reason;
};

// Lowers `steps` steps and walks through them.
tl::expected<TorchPrediction, TorchRefusal> predict_torch(const models::Network& network,
                                                          models::TrainingSpec training,
                                                          std::size_t steps);

}  // namespace memsim::validate
