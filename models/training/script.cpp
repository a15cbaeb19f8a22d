#include "models/training/script.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "models/training/eager/engine.hpp"
#include "models/training/operators/operators.hpp"
#include "models/training/saved_tensors.hpp"
#include "sim/core/check.hpp"
#include "sim/core/units.hpp"

namespace memsim::models {
namespace {

// The type in which floating parameters, buffers and inputs are stored.
DataType stored_type(DataType type, Precision precision) {
  if (type != DataType::fp32) return type;
  if (precision == Precision::pure_bf16) return DataType::bf16;
  if (precision == Precision::pure_fp16) return DataType::fp16;
  return type;
}

bool autocasts(Precision precision) {
  return precision == Precision::autocast_bf16 || precision == Precision::autocast_fp16;
}

DataType autocast_type(Precision precision) {
  return precision == Precision::autocast_fp16 ? DataType::fp16 : DataType::bf16;
}

// Steps after the second share one set of phases.
std::string step_name(std::int64_t index) {
  return "step" + std::to_string(std::min<std::int64_t>(index, 2));
}

}  // namespace

Script::Script(const Network& network, const TrainingSpec& training, Repetition repetition)
    : network_(&network),
      training_(&training),
      repetition_(repetition),
      eager_(recorder_, training.rules, training.gemm_workspace),
      interpreter_(eager_, network, training) {}

LoweredTraining Script::run() {
  load();
  load_inputs();
  if (training_->mode == Mode::train) optimizer_ = make_optimizer(eager_, *training_, parameters_);
  run_steps();
  finish_totals();
  Recorder::Recording recording = recorder_.finish();
  return {std::move(recording.program), std::move(recording.kernels), totals_};
}

void Script::add_parameter(const Parameter& parameter) {
  Tensor tensor =
      eager_.persistent(Dims(parameter.shape), stored_type(DataType::fp32, training_->precision),
                        parameter.name, sim::Category::parameters, StorageKind::parameter);
  eager_.require_grad(tensor);
  interpreter_.bind(parameter.value, tensor);
  totals_.parameters += tensor->elements();
  totals_.parameter_bytes += sim::Bytes(tensor->bytes());
  const auto index = static_cast<std::size_t>(&parameter - network_->parameters.data());
  parameters_[index] = {std::move(tensor), parameter.name, parameter.layer};
}

void Script::load() {
  recorder_.phase("load");
  parameters_.resize(network_->parameters.size());
  const Presence unused = training_->attention == AttentionKind::eager ? Presence::flash_attention
                                                                       : Presence::eager_attention;
  for (const Placed& placed : network_->placement) {
    if (!placed.is_buffer) {
      add_parameter(network_->parameters[placed.index]);
      continue;
    }
    const Buffer& buffer = network_->buffers[placed.index];
    if (buffer.presence == unused) continue;
    kept_.push_back(eager_.persistent(Dims(buffer.shape),
                                      stored_type(buffer.type, training_->precision), buffer.name,
                                      sim::Category::buffers, StorageKind::buffer));
    interpreter_.bind(buffer.value, kept_.back());
    totals_.buffer_bytes += sim::Bytes(kept_.back()->bytes());
  }
}

void Script::load_inputs() {
  for (const Input& input : network_->inputs) {
    Dims shape;
    for (const Extent extent : input.shape)
      shape.push_back(extent.base == Extent::Base::one
                          ? extent.factor
                          : sim::checked_mul(extent.factor, extent.base == Extent::Base::batch
                                                                ? training_->micro_batch
                                                                : training_->sequence));
    kept_.push_back(eager_.persistent(shape, stored_type(input.type, training_->precision),
                                      input.name, sim::Category::buffers, StorageKind::input));
    interpreter_.bind(input.value, kept_.back());
    totals_.inputs.emplace_back(kept_.back()->bytes());
    totals_.input_bytes += totals_.inputs.back();
  }
}

void Script::run_steps() {
  History history{{recorder_.mark()}, {}};
  for (std::int64_t i = 0; i < training_->steps; ++i) {
    step(i);
    history.marks.push_back(recorder_.mark());
    // Phases of the first step keep their name; the second's may stand for later ones.
    i += fold(history, training_->steps - i - 1, 1, "step1.", "step2.");
  }
}

std::int64_t Script::fold(History& history, std::int64_t left, std::size_t first_foldable,
                          std::string_view from, std::string_view to) {
  history.states.push_back(state());
  if (repetition_ == Repetition::written_out) return 0;
  const std::size_t count = history.states.size();
  // The state after piece j is that of now: pieces j + 1 ... now come again.
  for (std::size_t j = count - 1; j-- > 0;) {
    if (history.states[j] != history.states.back()) continue;
    if (j + 1 < first_foldable) return 0;
    const auto period = static_cast<std::int64_t>(count - 1 - j);
    const std::int64_t times = left / period;
    recorder_.repeat(history.marks[j + 1], history.marks[count], times, from, to);
    if (times > 0) history = {{recorder_.mark()}, {}};
    return times * period;
  }
  return 0;
}

void Script::step(std::int64_t index) {
  const std::string prefix = step_name(index);
  const bool train = training_->mode == Mode::train;
  const bool zero_first = train && training_->zero_at == ZeroGradAt::start;
  if (zero_first) {
    recorder_.phase(prefix + ".zero_grad");
    zero_grad();
  }
  micro_batches(prefix);
  if (train) {
    recorder_.phase(prefix + ".optimizer");
    const Setting<sim::Category> category(eager_.category, sim::Category::temporaries);
    const Setting<bool> grad(eager_.grad_enabled, false);
    optimizer_->step();
  }
  if (train && !zero_first) {
    recorder_.phase(prefix + ".zero_grad");
    zero_grad();
  }
  recorder_.phase(prefix + ".end");
  end_step();
}

void Script::micro_batches(const std::string& prefix) {
  History history{{recorder_.mark()}, {}};
  const std::int64_t count = training_->mode == Mode::train ? training_->accumulation : 1;
  for (std::int64_t i = 0; i < count; ++i) {
    micro_batch(prefix);
    history.marks.push_back(recorder_.mark());
    i += fold(history, count - i - 1, 0, "", "");
  }
}

void Script::micro_batch(const std::string& prefix) {
  const std::int64_t before = recorder_.flops();
  recorder_.phase(prefix + ".forward");
  forward();
  totals_.flops_forward = recorder_.flops() - before;
  if (training_->mode == Mode::infer) return;
  totals_.saved = count_saved_tensors(eager_, held_.loss);
  recorder_.phase(prefix + ".backward");
  backward();
  totals_.flops_backward = recorder_.flops() - before - totals_.flops_forward;
}

void Script::forward() {
  const bool train = training_->mode == Mode::train;
  const Setting<bool> grad(eager_.grad_enabled, train);
  eager_.training = train;
  Interpreter::Result result;
  {
    const AutocastScope autocast(eager_, autocasts(training_->precision),
                                 autocast_type(training_->precision));
    result = interpreter_.forward();
    if (!training_->hold_outputs) result.output.reset();
  }
  // The names are bound again when autocast has been left.
  held_.output = std::move(result.output);
  held_.loss = std::move(result.loss);
  if (!train || training_->accumulation == 1) return;
  recorder_.cut();
  const Setting<Lifetime> lifetime(eager_.lifetime, Lifetime::named);
  held_.loss = div_number(eager_, held_.loss);
}

void Script::backward() {
  const Setting<bool> grad(eager_.grad_enabled, false);
  const Setting<bool> thread(eager_.in_backward, true);
  const Tensor gradient = ones_like(eager_, held_.loss);
  const Eager::GradientSums before = eager_.gradient_sums;
  run_backward(eager_, held_.loss, gradient);
  totals_.gradient_sums = eager_.gradient_sums.all - before.all;
  totals_.gradient_sums_in_place = eager_.gradient_sums.in_place - before.in_place;
  recorder_.cut();
}

void Script::zero_grad() {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (i > 0 && parameters_[i].layer != parameters_[i - 1].layer) recorder_.cut();
    Tensor& gradient = parameters_[i].tensor->grad;
    if (training_->zero_to_none) {
      gradient.reset();
    } else if (gradient) {
      eager_.stream("zero_", {}, {&gradient}, 0);
    }
  }
}

void Script::end_step() {
  if (!training_->hold_outputs) held_ = {};
  recorder_.synchronize();
}

Script::State Script::state() {
  const auto slot = [this](const Tensor& tensor) {
    return tensor && tensor->storage->bytes > 0 ? recorder_.slot(tensor->storage->record)
                                                : Recorder::no_slot;
  };
  State state;
  for (const TrainedParameter& parameter : parameters_)
    state.push_back(slot(parameter.tensor->grad));
  state.push_back(slot(held_.output));
  state.push_back(slot(held_.loss));
  state.push_back(optimizer_ ? static_cast<std::uint32_t>(optimizer_->state_tensors()) : 0);
  return state;
}

void Script::finish_totals() {
  if (!optimizer_) return;
  totals_.optimizer_bytes = sim::Bytes(optimizer_->state_bytes());
  totals_.optimizer_tensors = static_cast<std::int64_t>(optimizer_->state_tensors());
  for (const TrainedParameter& parameter : parameters_) {
    ++totals_.gradients;
    totals_.gradient_bytes += sim::Bytes(parameter.tensor->bytes());
  }
}

}  // namespace memsim::models
