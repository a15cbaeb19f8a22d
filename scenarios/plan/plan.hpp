// The planner: does one training job fit on one GPU of a machine, why, and what would change it.
#pragma once

#include <cstddef>
#include <string>

#include "models/machine/machine.hpp"
#include "models/network/network.hpp"
#include "models/training/training_spec.hpp"
#include "scenarios/plan/answer.hpp"
#include "scenarios/plan/failure.hpp"
#include "scenarios/plan/levers.hpp"
#include "scenarios/schema/setting.hpp"

namespace memsim::scenarios {

struct PlanRequest {
  const models::Machine& machine;
  std::size_t gpu = 0;
  std::string model;  // its name
  const models::Network& network;
  models::TrainingSpec training;
  Settings inputs;  // everything that was read: machine, model, training
  LeverScope levers = LeverScope::basic;
  PredictionError error = default_error;
};

Planned<PlanAnswer> plan(const PlanRequest& request);

}  // namespace memsim::scenarios
