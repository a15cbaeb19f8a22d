// Changes of training settings that are worth trying.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "models/machine/spec.hpp"
#include "models/network/network.hpp"
#include "models/training/training_spec.hpp"
#include "scenarios/plan/levers.hpp"

namespace memsim::scenarios {

// Settings of one group exclude each other.
enum class LeverGroup : std::uint8_t {
  implementation,
  attention,
  checkpointing,
  micro_batch,
  precision,
  optimizer,
};

// 1: numerics change; 2: the training itself does.
inline constexpr std::int64_t highest_risk = 2;

struct LeverCandidate {
  LeverGroup group = LeverGroup::implementation;
  std::function<void(models::TrainingSpec&)> apply;
  std::int64_t risk = 0;         // 0: the same numbers are computed; up to highest_risk
  std::string_view side_effect;  // what else changes; may be empty
};

// What plays no part in the network is no candidate.
std::vector<LeverCandidate> lever_candidates(const models::Network& network,
                                             const models::TrainingSpec& training,
                                             const models::GpuSpec& gpu, LeverScope scope);

}  // namespace memsim::scenarios
