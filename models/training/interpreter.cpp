#include "models/training/interpreter.hpp"

#include <array>
#include <string>
#include <utility>

#include "models/training/checkpoint.hpp"
#include "sim/core/check.hpp"
#include "sim/core/units.hpp"

namespace memsim::models {
namespace {

constexpr std::size_t most_operands = 8;
constexpr std::size_t most_results = 8;

}  // namespace

Interpreter::Interpreter(Eager& eager, const Network& network, const TrainingSpec& training)
    : eager_(&eager),
      network_(&network),
      batch_(training.micro_batch),
      sequence_(training.sequence),
      attention_(training.attention == AttentionKind::eager ? Presence::eager_attention
                                                            : Presence::flash_attention),
      checkpointing_(training.mode == Mode::train ? training.checkpointing : Checkpointing::none),
      globals_(network.values),
      main_(network.values) {
  for (const std::string& name : network.operators) {
    operators_.push_back(find_operator(name));
    if (operators_.back() == nullptr) throw UnfitOperand("memsim has no operator " + name);
  }
  for (std::uint32_t i = 0; i < network.statements.size(); ++i) {
    const Statement& statement = network.statements[i];
    if (statement.kind == StatementKind::layer) layers_.push_back(i);
    if (statement.kind != StatementKind::call) continue;
    const Operator& op = *operators_[statement.op];
    MEMSIM_CHECK(statement.inputs >= op.inputs && statement.inputs <= most_operands &&
                     statement.attributes >= op.attributes && statement.outputs <= most_results,
                 "a call of " + std::string(op.name) + " with the wrong number of operands");
  }
}

const Tensor& Interpreter::value(ValueId id, const Frame& frame) const {
  static const Tensor absent;
  if (id == no_value) return absent;
  return globals_[id] ? globals_[id] : frame[id];
}

std::int64_t Interpreter::resolve(Extent extent, const Statement& statement, std::size_t place,
                                  const Frame& frame) const {
  switch (extent.base) {
    case Extent::Base::one:
      return extent.factor;
    case Extent::Base::batch:
      return sim::checked_mul(extent.factor, batch_);
    case Extent::Base::sequence:
      return sim::checked_mul(extent.factor, sequence_);
    case Extent::Base::rest:
      return -1;
    case Extent::Base::same:
      break;
  }
  const Tensor& first = value(operand(statement, 0), frame);
  return first->shape()[wrap(static_cast<std::int64_t>(place), first->rank())];
}

void Interpreter::call(const Statement& statement, Frame& frame) {
  std::array<const Tensor*, most_operands> inputs{};
  std::array<Tensor, most_results> outputs;
  for (std::uint32_t i = 0; i < statement.inputs; ++i)
    inputs[i] = &value(operand(statement, i), frame);
  attributes_.clear();
  for (std::uint32_t i = 0; i < statement.attributes; ++i)
    attributes_.push_back(
        resolve(network_->attributes[statement.first_attribute + i], statement, i, frame));
  const Operator& op = *operators_[statement.op];
  try {
    op.run(*eager_,
           {{inputs.data(), statement.inputs}, attributes_, {outputs.data(), statement.outputs}});
  } catch (const UnfitOperand& unfit) {
    throw UnfitOperand("operator " + std::string(op.name) + ": " + unfit.what());
  }
  for (std::uint32_t i = 0; i < statement.outputs; ++i)
    frame[operand(statement, statement.inputs + i)] = std::move(outputs[i]);
}

void Interpreter::drop(const Statement& statement, Frame& frame) {
  for (std::uint32_t i = 0; i < statement.inputs; ++i) frame[operand(statement, i)].reset();
}

void Interpreter::run(std::uint32_t begin, std::uint32_t end, Frame& frame) {
  for (std::uint32_t i = begin; i < end; ++i) {
    const Statement& statement = network_->statements[i];
    switch (statement.kind) {
      case StatementKind::call:
        call(statement, frame);
        break;
      case StatementKind::drop:
        drop(statement, frame);
        break;
      case StatementKind::bind:
        frame[operand(statement, 1)] = std::move(frame[operand(statement, 0)]);
        break;
      case StatementKind::branch:
        if (statement.presence != attention_) i = statement.end - 1;
        break;
      case StatementKind::layer:
        i = enter_layer(i, frame) - 1;
        break;
      case StatementKind::layer_end:
        leave_layer();
        break;
      case StatementKind::result:
        result_ = {value(operand(statement, 1), frame), value(operand(statement, 0), frame)};
        break;
    }
  }
}

Interpreter::Result Interpreter::forward() {
  eager_->layer = no_layer;
  run(0, static_cast<std::uint32_t>(network_->statements.size()), main_);
  return std::exchange(result_, {});
}

std::vector<Tensor> Interpreter::arguments(const Statement& layer, const Frame& frame) const {
  std::vector<Tensor> tensors;
  tensors.reserve(layer.inputs);
  for (std::uint32_t i = 0; i < layer.inputs; ++i)
    tensors.push_back(value(operand(layer, i), frame));
  return tensors;
}

std::uint32_t Interpreter::enter_layer(std::uint32_t index, Frame& frame) {
  eager_->recorder().cut();
  eager_->layer = static_cast<std::int32_t>(network_->statements[index].index);
  if (checkpointing_ == Checkpointing::reentrant) return run_checkpointed(index, frame);
  if (checkpointing_ == Checkpointing::nonreentrant) start_packing(index, frame);
  return index + 1;
}

void Interpreter::leave_layer() {
  eager_->packing = nullptr;
  packing_.reset();
  eager_->layer = no_layer;
  eager_->recorder().cut();
}

std::uint32_t Interpreter::run_checkpointed(std::uint32_t index, Frame& frame) {
  const Statement& layer = network_->statements[index];
  {
    const Setting<bool> grad(eager_->grad_enabled, false);
    run(index + 1, layer.end, frame);
  }
  const std::vector<Tensor> inputs = arguments(layer, frame);
  track_checkpoint(*eager_, *this, layer.index, inputs,
                   frame[operand(network_->statements[layer.end], 0)]);
  return layer.end;
}

void Interpreter::start_packing(std::uint32_t index, Frame& frame) {
  const Statement& layer = network_->statements[index];
  const bool autocasting = eager_->autocasting();
  const DataType type = eager_->autocast_type();
  const std::uint32_t number = layer.index;
  packing_ = Ref<Recomputation>(new Recomputation(
      arguments(layer, frame), [this, number, autocasting, type](std::span<const Tensor> inputs) {
        const Setting<bool> grad(eager_->grad_enabled, true);
        Tensor unused;
        const AutocastScope autocast(*eager_, autocasting, type);
        unused = run_layer(number, inputs);
      }));
  eager_->packing = packing_.get();
}

Tensor Interpreter::run_layer(std::uint32_t layer, std::span<const Tensor> inputs) {
  const std::uint32_t index = layers_[layer];
  const Statement& statement = network_->statements[index];
  Frame frame;
  if (spare_.empty()) {
    frame.resize(network_->values);
  } else {
    frame = std::move(spare_.back());
    spare_.pop_back();
  }
  eager_->recorder().cut();
  const Setting<std::int32_t> current(eager_->layer, static_cast<std::int32_t>(layer));
  for (std::uint32_t i = 0; i < statement.inputs; ++i) frame[operand(statement, i)] = inputs[i];
  run(index + 1, statement.end, frame);
  for (std::uint32_t i = 0; i < statement.inputs; ++i) frame[operand(statement, i)].reset();
  Tensor output = std::move(frame[operand(network_->statements[statement.end], 0)]);
  spare_.push_back(std::move(frame));
  eager_->recorder().cut();
  return output;
}

}  // namespace memsim::models
