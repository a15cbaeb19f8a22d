#include "validate/compare/torch_usage.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/core/units.hpp"
#include "sim/exec/program_walk.hpp"

namespace memsim::validate {
namespace {

constexpr std::int64_t rounding = 512;

// Operations that follow each other in one phase of the program.
struct Segment {
  std::uint32_t phase;
  std::vector<sim::Op> ops;
};

std::vector<Segment> segments(const sim::Program& program) {
  std::vector<Segment> list;
  sim::for_each_op(program, 0, [&](const sim::Op& op, std::uint32_t phase) {
    if (list.empty() || list.back().phase != phase) list.push_back({phase, {}});
    if (sim::names_slot(op.code)) list.back().ops.push_back(op);
  });
  return list;
}

// Bytes now, and the most since the phase and the step began.
struct Level {
  std::int64_t now = 0;
  std::int64_t phase_peak = 0;
  std::int64_t step_peak = 0;

  void begin_step() { step_peak = now; }
  void begin_phase() { phase_peak = now; }
  void change(std::int64_t bytes) {
    now += bytes;
    phase_peak = std::max(phase_peak, now);
    step_peak = std::max(step_peak, now);
  }
};

class Walk {
 public:
  Walk(const models::LoweredTraining& lowered, const models::TrainingSpec& training)
      : program_(&lowered.program),
        training_(&training),
        segments_(segments(lowered.program)),
        live_(slot_count(lowered.program)) {}

  TorchUsage run() {
    phase("load");
    for (std::int64_t i = 0; i < training_->steps; ++i) step(i);
    return std::move(usage_);
  }

 private:
  struct Tensor {
    std::int64_t id = 0;
    std::int64_t bytes = 0;
    bool conversion = false;
  };

  static std::size_t slot_count(const sim::Program& program) {
    std::size_t own = 0;
    for (const sim::Block& block : program.blocks)
      own = std::max<std::size_t>(own, block.slots - block.bound);
    return program.slots + own;
  }

  void step(std::int64_t index) {
    const bool train = training_->mode == models::Mode::train;
    const bool zero_first = training_->zero_at == models::ZeroGradAt::start;
    step_name_ = "step" + std::to_string(index) + "_";
    phase_prefix_ = "step" + std::to_string(std::min<std::int64_t>(index, 2)) + ".";
    plain_.begin_step();
    rounded_.begin_step();
    allocs_ = allocated_ = 0;
    record("start", plain_.now, rounded_.now);
    if (train && zero_first) step_phase("zero_grad", "");
    const std::int64_t micro_batches = train ? training_->accumulation : 1;
    for (std::int64_t i = 0; i < micro_batches; ++i) {
      const std::string number = micro_batches > 1 ? std::to_string(i) : "";
      step_phase("forward", number);
      if (train) step_phase("backward", number);
    }
    if (train) step_phase("optimizer", "");
    if (train && !zero_first) step_phase("zero_grad", "");
    usage_.events.push_back({TorchEventKind::marker, 0, 0, step_name_ + "end", false});
    phase(phase_prefix_ + "end");
    record("end", plain_.now, rounded_.now);
    record("peak", plain_.step_peak, rounded_.step_peak);
    quantities_["allocs"] = allocs_;
    quantities_["alloc_bytes"] = allocated_;
    usage_.steps.emplace_back(quantities_.begin(), quantities_.end());
    quantities_.clear();
  }

  void step_phase(const std::string& name, const std::string& number) {
    usage_.events.push_back({TorchEventKind::marker, 0, 0, step_name_ + name + number, false});
    const std::int64_t before = allocs_;
    phase(phase_prefix_ + name);
    record("after_" + name + number, plain_.now, rounded_.now);
    record("peak_" + name + number, plain_.phase_peak, rounded_.phase_peak);
    quantities_["allocs_" + name + number] = allocs_ - before;
  }

  // A phase in which nothing is allocated or released has no segment.
  void phase(const std::string& name) {
    plain_.begin_phase();
    rounded_.begin_phase();
    if (next_ == segments_.size() || program_->phases[segments_[next_].phase] != name) return;
    for (const sim::Op& op : segments_[next_].ops) {
      if (op.code == sim::OpCode::allocate) allocate(op);
      if (op.code == sim::OpCode::release) release(op);
    }
    ++next_;
  }

  void allocate(const sim::Op& op) {
    const bool conversion = program_->labels[op.label] == torch_conversion;
    live_[op.target] = {++ids_, op.amount, conversion};
    ++allocs_;
    allocated_ += op.amount;
    plain_.change(op.amount);
    rounded_.change(sim::round_up(op.amount, rounding));
    usage_.events.push_back({TorchEventKind::allocate, ids_, op.amount, {}, conversion});
  }

  void release(const sim::Op& op) {
    const Tensor& tensor = live_[op.target];
    plain_.change(-tensor.bytes);
    rounded_.change(-sim::round_up(tensor.bytes, rounding));
    usage_.events.push_back({TorchEventKind::release, tensor.id, 0, {}, tensor.conversion});
  }

  void record(const std::string& name, std::int64_t plain, std::int64_t rounded) {
    quantities_[name] = plain;
    quantities_[name + "_512"] = rounded;
  }

  const sim::Program* program_;
  const models::TrainingSpec* training_;
  std::vector<Segment> segments_;
  std::size_t next_ = 0;      // segment
  std::vector<Tensor> live_;  // by slot
  std::int64_t ids_ = 0;
  Level plain_, rounded_;
  std::int64_t allocs_ = 0, allocated_ = 0;  // in this step
  std::string step_name_, phase_prefix_;
  std::map<std::string, std::int64_t> quantities_;  // of this step
  TorchUsage usage_;
};

}  // namespace

TorchUsage torch_usage(const models::LoweredTraining& lowered,
                       const models::TrainingSpec& training) {
  return Walk(lowered, training).run();
}

}  // namespace memsim::validate
