#include "models/training/lowering.hpp"

#include <optional>
#include <string>

#include "models/training/eager/unfit.hpp"
#include "models/training/script.hpp"

namespace memsim::models {
namespace {

std::optional<sim::Error> too_small(const char* key, std::int64_t value) {
  if (value >= 1) return std::nullopt;
  return sim::Error{std::string(key) + ": " + std::to_string(value) + " is less than 1"};
}

std::optional<sim::Error> defect(const Network& network, const TrainingSpec& training) {
  if (auto error = too_small("train.micro_batch", training.micro_batch)) return error;
  if (auto error = too_small("train.accumulation", training.accumulation)) return error;
  if (auto error = too_small("train.steps", training.steps)) return error;
  if (auto error = too_small("train.seq", training.sequence)) return error;
  if (network.positions > 0 && training.sequence > network.positions)
    return sim::Error{"train.seq: " + std::to_string(training.sequence) + " is beyond the " +
                      std::to_string(network.positions) + " positions of the network"};
  if (training.checkpointing != Checkpointing::none && network.layers == 0)
    return sim::Error{"train.checkpointing: the network has no layers to checkpoint"};
  if (training.gemm_workspace < sim::Bytes(0))
    return sim::Error{"train.gemm_workspace: a size below 0"};
  return std::nullopt;
}

}  // namespace

sim::Result<LoweredTraining> lower_training(const Network& network, const TrainingSpec& training) {
  if (auto error = defect(network, training)) return sim::fail(error->message);
  try {
    return Script(network, training, Repetition::folded).run();
  } catch (const UnfitOperand& unfit) {
    return sim::fail(unfit.what());
  }
}

}  // namespace memsim::models
