// What would make a job fit, or run better: settings changed one at a time and together, each found
// by running the job again. The global batch stays as it is (a smaller micro-batch means more
// accumulation), so steps compare.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/machine/machine.hpp"
#include "models/network/network.hpp"
#include "models/training/training_spec.hpp"
#include "scenarios/plan/answer.hpp"
#include "scenarios/plan/assessment.hpp"
#include "scenarios/plan/host_memory.hpp"

namespace memsim::scenarios {

// basic: the change that people try first for each setting. all: every other value of every
// setting.
enum class LeverScope : std::uint8_t { none, basic, all };

// The job as it is: what levers are compared with.
struct LeverBase {
  const models::Machine& machine;
  std::size_t gpu;
  const models::Network& network;
  const models::TrainingSpec& training;
  const Assessment& assessment;
  const HostMemory& host;
  const PredictionError& error;
};

// Ends early, with LeverReport::complete false, when the budget is spent. Settings that the network
// or the GPU cannot be run with are left out.
LeverReport find_levers(const LeverBase& base, LeverScope scope, EventBudget& budget);

}  // namespace memsim::scenarios
