// Runs the forward function of a network on the eager tensors: every value is a name that holds a
// tensor until the network's statements drop it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/network/network.hpp"
#include "models/training/eager/eager.hpp"
#include "models/training/operators/operators.hpp"

namespace memsim::models {

class Interpreter : public LayerRunner {
 public:
  // Throws UnfitOperand if the network calls an operator that memsim does not have.
  Interpreter(Eager& eager, const Network& network, const TrainingSpec& training);

  // Binds a parameter, buffer or input.
  void bind(ValueId value, const Tensor& tensor) { globals_[value] = tensor; }

  struct Result {
    Tensor output;  // what the model returns beside the loss
    Tensor loss;
  };
  // Runs the forward function and leaves it. Throws UnfitOperand, naming the statement.
  Result forward();

  Tensor run_layer(std::uint32_t layer, std::span<const Tensor> arguments) override;

 private:
  using Frame = std::vector<Tensor>;  // by value; empty for what is bound or not computed

  void run(std::uint32_t begin, std::uint32_t end, Frame& frame);
  void call(const Statement& statement, Frame& frame);
  void drop(const Statement& statement, Frame& frame);
  // Both return the statement at which to go on.
  std::uint32_t enter_layer(std::uint32_t index, Frame& frame);
  std::uint32_t run_checkpointed(std::uint32_t index, Frame& frame);
  void start_packing(std::uint32_t index, Frame& frame);
  void leave_layer();
  std::int64_t resolve(Extent extent, const Statement& statement, std::size_t place,
                       const Frame& frame) const;
  [[nodiscard]] const Tensor& value(ValueId id, const Frame& frame) const;
  [[nodiscard]] std::vector<Tensor> arguments(const Statement& layer, const Frame& frame) const;
  [[nodiscard]] ValueId operand(const Statement& statement, std::uint32_t i) const {
    return network_->operands[statement.first_operand + i];
  }

  Eager* eager_;
  const Network* network_;
  std::int64_t batch_;
  std::int64_t sequence_;
  Presence attention_;
  Checkpointing checkpointing_;
  std::vector<const Operator*> operators_;  // by Network::operators
  std::vector<std::uint32_t> layers_;       // their first statements
  Frame globals_;
  Frame main_;
  std::vector<Frame> spare_;              // frames of layers that have returned
  std::vector<std::int64_t> attributes_;  // of the call under way
  Result result_;
  Ref<Recomputation> packing_;
};

}  // namespace memsim::models
