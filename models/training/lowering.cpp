#include "models/training/lowering.hpp"

#include <string>
#include <utility>

#include "models/training/eager/unfit.hpp"
#include "models/training/script.hpp"

namespace memsim::models {
namespace {

class Defects {
 public:
  void at_least_one(const char* key, std::int64_t value) {
    add_if(value < 1, std::string(key) + ": " + std::to_string(value) + " is less than 1");
  }
  void add_if(bool wrong, std::string message) {
    if (wrong) found_.push_back({std::move(message)});
  }
  std::vector<sim::Error> take() { return std::move(found_); }

 private:
  std::vector<sim::Error> found_;
};

}  // namespace

std::vector<sim::Error> defects(const Network& network, const TrainingSpec& training) {
  Defects defects;
  defects.at_least_one("train.micro_batch", training.micro_batch);
  defects.at_least_one("train.accumulation", training.accumulation);
  defects.at_least_one("train.steps", training.steps);
  defects.at_least_one("train.sequence", training.sequence);
  defects.add_if(network.positions > 0 && training.sequence > network.positions,
                 "train.sequence: " + std::to_string(training.sequence) + " is beyond the " +
                     std::to_string(network.positions) + " positions of the network");
  defects.add_if(training.checkpointing != Checkpointing::none && network.layers == 0,
                 "train.checkpointing: the network has no layers to checkpoint");
  defects.add_if(training.gemm_workspace < sim::Bytes(0), "train.gemm_workspace: a size below 0");
  return defects.take();
}

sim::Result<LoweredTraining> lower_training(const Network& network, const TrainingSpec& training) {
  if (const auto wrong = defects(network, training); !wrong.empty())
    return sim::fail(wrong.front().message);
  try {
    return Script(network, training, Repetition::folded).run();
  } catch (const UnfitOperand& unfit) {
    return sim::fail(unfit.what());
  }
}

}  // namespace memsim::models
