#include "validate/compare/torch_usage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "sim/core/check.hpp"
#include "sim/core/units.hpp"
#include "sim/exec/program_walk.hpp"

namespace memsim::validate {
namespace {

constexpr std::int64_t rounding = 512;
// How the script makes parameters, buffers and inputs.
constexpr std::string_view creation = "empty.memory_format";

// One stretch of the script, and what it is called in the program, in a trace and in the data.
struct Stage {
  std::string phase;   // "step2.forward"
  std::string marker;  // "step3_forward0"
  std::string name;    // "forward0"; "end" is none of the data's phases
  bool begins_step = false;
};

// `load`, then the phases of each step.
std::vector<Stage> stages(const models::TrainingSpec& training) {
  std::vector<Stage> all{{"load", "model", "load", false}};
  const bool train = training.mode == models::Mode::train;
  const bool zero_first = training.zero_at == models::ZeroGradAt::start;
  const std::int64_t micro_batches = train ? training.accumulation : 1;
  for (std::int64_t step = 0; step < training.steps; ++step) {
    const std::size_t first = all.size();
    const auto add = [&](const std::string& name, const std::string& number) {
      all.push_back({fmt::format("step{}.{}", std::min<std::int64_t>(step, 2), name),
                     fmt::format("step{}_{}{}", step, name, number), name + number, false});
    };
    if (train && zero_first) add("zero_grad", "");
    for (std::int64_t i = 0; i < micro_batches; ++i) {
      const std::string number = micro_batches > 1 ? std::to_string(i) : "";
      add("forward", number);
      if (train) add("backward", number);
    }
    if (train) add("optimizer", "");
    if (train && !zero_first) add("zero_grad", "");
    add("end", "");
    all[first].begins_step = true;
  }
  return all;
}

// Bytes now, the most since the stage and the step began, and where the step's peak was reached.
struct Level {
  std::int64_t now = 0;
  std::int64_t stage_peak = 0;
  std::int64_t step_peak = 0;
  const Stage* peak_stage = nullptr;  // none: nothing in the step is above its start
  std::size_t peak_event = 0;

  void begin_step() {
    step_peak = now;
    peak_stage = nullptr;
  }
  void begin_stage() { stage_peak = now; }
  void change(std::int64_t bytes, const Stage& stage, std::size_t event) {
    now = sim::checked_add(now, bytes);
    stage_peak = std::max(stage_peak, now);
    if (now <= step_peak) return;
    step_peak = now;
    peak_stage = &stage;
    peak_event = event;
  }
};

class Walk {
 public:
  Walk(const models::LoweredTraining& lowered, const models::TrainingSpec& training)
      : program_(&lowered.program), stages_(stages(training)), live_(slot_count(lowered.program)) {}

  TorchUsage run(std::size_t inputs) {
    begin_stage();
    sim::for_each_op(*program_, 0, [&](const sim::Op& op, std::uint32_t phase) {
      while (stages_[stage_].phase != program_->phases[phase]) {
        end_stage(inputs);
        MEMSIM_CHECK(++stage_ < stages_.size(), "a program with a phase of its own");
        begin_stage();
      }
      visit(op);
    });
    end_stage(inputs);
    MEMSIM_CHECK(stage_ + 1 == stages_.size(), "a program that ends within a step");
    mark("finish");
    count_calls();
    return std::move(usage_);
  }

 private:
  struct Tensor {
    std::int64_t id = 0;
    std::int64_t bytes = 0;
    bool conversion = false;
    bool hidden = false;
  };

  static std::size_t slot_count(const sim::Program& program) {
    std::size_t own = 0;
    for (const sim::Block& block : program.blocks)
      own = std::max<std::size_t>(own, block.slots - block.bound);
    return program.slots + own;
  }

  [[nodiscard]] const Stage& stage() const { return stages_[stage_]; }

  void begin_stage() {
    if (stage().begins_step) {
      for (Level* level : {&plain_, &rounded_, &visible_}) level->begin_step();
      allocs_ = allocated_ = 0;
      record("start", plain_.now, rounded_.now);
    }
    for (Level* level : {&plain_, &rounded_, &visible_}) level->begin_stage();
    allocs_before_ = allocs_;
    mark(stage().marker);
  }

  void end_stage(std::size_t inputs) {
    if (stage_ == 0) return end_load(inputs);
    if (stage().name == "end") return end_step();
    record("after_" + stage().name, plain_.now, rounded_.now);
    record("peak_" + stage().name, plain_.stage_peak, rounded_.stage_peak);
    quantities_["allocs_" + stage().name] = exact_value(allocs_ - allocs_before_);
  }

  // The inputs come last.
  void end_load(std::size_t inputs) {
    MEMSIM_CHECK(inputs < usage_.events.size(), "a program without a model");
    TorchEvent marker;
    marker.name = "inputs";
    usage_.events.insert(usage_.events.end() - static_cast<std::ptrdiff_t>(inputs),
                         std::move(marker));
    mark("optimizer_init");
  }

  void end_step() {
    record("end", plain_.now, rounded_.now);
    record("peak", plain_.step_peak, rounded_.step_peak);
    quantities_["peak_without_hidden"] = exact_value(visible_.step_peak);
    quantities_["allocs"] = exact_value(allocs_);
    quantities_["alloc_bytes"] = exact_value(allocated_);
    if (plain_.peak_stage != nullptr) {
      quantities_["peak_phase"] = text_value(plain_.peak_stage->name);
      quantities_["peak_op"] = text_value(usage_.events[plain_.peak_event].name);
    }
    if (rounded_.peak_stage != nullptr)
      quantities_["peak_512_phase"] = text_value(rounded_.peak_stage->name);
    usage_.steps.push_back(std::exchange(quantities_, {}));
  }

  void mark(const std::string& name) {
    TorchEvent marker;
    marker.name = name;
    usage_.events.push_back(std::move(marker));
  }

  void visit(const sim::Op& op) {
    if (op.code == sim::OpCode::allocate) allocate(op);
    if (op.code == sim::OpCode::release) release(op);
    if (op.code == sim::OpCode::launch) launch(op);
  }

  // An operator is one launch, however many kernels that takes.
  void launch(const sim::Op& op) {
    ++launches_[op.label];
    if (!unnamed_) return;
    // States of optimizers carry the names of their parameters; the kernel that fills one follows.
    usage_.events.back().name = program_->labels[op.label];
    unnamed_ = false;
  }

  void count_calls() {
    std::set<std::string_view> makers;
    for (const TorchEvent& event : usage_.events)
      if (event.kind == TorchEventKind::allocate) makers.insert(event.name);
    for (const auto& [label, launches] : launches_)
      if (const std::string& name = program_->labels[label];
          makers.contains(name) && name.find('~') == std::string::npos)
        usage_.calls[name] = launches;
  }

  [[nodiscard]] std::string_view operator_of(const sim::Op& op) const {
    if (stage_ == 0) return creation;
    return program_->labels[op.label];
  }

  void allocate(const sim::Op& op) {
    const std::string_view name = operator_of(op);
    const Tensor tensor{++ids_, op.amount, name == torch_conversion,
                        name.find('~') != std::string_view::npos};
    live_[op.target] = tensor;
    ++allocs_;
    allocated_ = sim::checked_add(allocated_, op.amount);
    if (tensor.hidden) ++usage_.hidden;
    const std::size_t event = usage_.events.size();
    usage_.events.push_back({.kind = TorchEventKind::allocate,
                             .id = tensor.id,
                             .bytes = op.amount,
                             .name = std::string(name),
                             .conversion = tensor.conversion});
    change(tensor, op.amount, sim::round_up(op.amount, rounding), event);
    unnamed_ = op.category == sim::Category::optimizer;
  }

  void release(const sim::Op& op) {
    const Tensor& tensor = live_[op.target];
    usage_.events.push_back({.kind = TorchEventKind::release,
                             .id = tensor.id,
                             .name = "",
                             .conversion = tensor.conversion});
    change(tensor, -tensor.bytes, -sim::round_up(tensor.bytes, rounding), 0);
  }

  void change(const Tensor& tensor, std::int64_t bytes, std::int64_t rounded, std::size_t event) {
    plain_.change(bytes, stage(), event);
    rounded_.change(rounded, stage(), event);
    if (!tensor.hidden) visible_.change(bytes, stage(), event);
  }

  void record(const std::string& name, std::int64_t plain, std::int64_t rounded) {
    quantities_[name] = exact_value(plain);
    quantities_[name + "_512"] = exact_value(rounded);
  }

  const sim::Program* program_;
  std::vector<Stage> stages_;
  std::size_t stage_ = 0;
  std::vector<Tensor> live_;  // by slot
  std::int64_t ids_ = 0;
  bool unnamed_ = false;             // the last event is an allocation whose operator is to come
  Level plain_, rounded_, visible_;  // visible: without what kernels allocate inside
  std::int64_t allocs_ = 0, allocated_ = 0;         // in this step
  std::int64_t allocs_before_ = 0;                  // this stage
  std::map<std::string, Value> quantities_;         // of this step
  std::map<std::uint32_t, std::int64_t> launches_;  // by label
  TorchUsage usage_;
};

}  // namespace

TorchUsage torch_usage(const models::Network& network, const models::LoweredTraining& lowered,
                       const models::TrainingSpec& training) {
  return Walk(lowered, training).run(network.inputs.size());
}

}  // namespace memsim::validate
