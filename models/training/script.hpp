// The training script: puts the model on the device, then steps of zero_grad, forward, backward and
// optimizer, micro-batch by micro-batch.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/network/network.hpp"
#include "models/training/interpreter.hpp"
#include "models/training/lowering.hpp"
#include "models/training/optimizers/optimizer.hpp"

namespace memsim::models {

// folded: what recurs is written as a loop. written_out: micro-batch by micro-batch, step by step.
enum class Repetition : std::uint8_t { folded, written_out };

class Script {
 public:
  // Throws UnfitOperand. `network` and `training` outlive the script.
  Script(const Network& network, const TrainingSpec& training, Repetition repetition);
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  // Once. Throws UnfitOperand.
  LoweredTraining run();

 private:
  // All that decides how the script goes on: the slots of what it holds between two pieces.
  using State = std::vector<std::uint32_t>;

  // What has been recorded of a list of like pieces, and the states after them.
  struct History {
    std::vector<Mark> marks;  // n + 1 for n pieces
    std::vector<State> states;
  };

  void load();
  void load_inputs();
  void add_parameter(const Parameter& parameter);
  void run_steps();
  void step(std::int64_t index);
  void micro_batches(const std::string& prefix);
  void micro_batch(const std::string& prefix);
  void forward();
  void backward();
  void zero_grad();
  void end_step();
  void finish_totals();
  // After a piece: folds as many of the `left` pieces to come as recur. Returns how many it folded.
  std::int64_t fold(History& history, std::int64_t left, std::size_t first_foldable,
                    std::string_view from, std::string_view to);
  [[nodiscard]] State state();

  const Network* network_;
  const TrainingSpec* training_;
  Repetition repetition_;
  Recorder recorder_;
  Eager eager_;
  // Holders of tensors stand behind what owns them.
  Interpreter interpreter_;
  std::vector<TrainedParameter> parameters_;
  std::vector<Tensor> kept_;  // buffers and inputs
  std::unique_ptr<Optimizer> optimizer_;
  Interpreter::Result held_;  // the names `logits` and `loss`
  TensorTotals totals_;
};

}  // namespace memsim::models
