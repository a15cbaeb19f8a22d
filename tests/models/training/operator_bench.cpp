#include "tests/models/training/operator_bench.hpp"

#include <algorithm>

#include "models/training/eager/engine.hpp"
#include "models/training/operators/operators.hpp"
#include "models/training/saved_tensors.hpp"
#include "sim/core/check.hpp"
#include "sim/exec/program_walk.hpp"

namespace memsim::models {

const Tensor& OperatorBench::constant(const Dims& shape, DataType type) {
  kept_.push_back(
      eager.persistent(shape, type, "operand", sim::Category::buffers, StorageKind::input));
  return kept_.back();
}

const Tensor& OperatorBench::leaf(const Dims& shape, DataType type) {
  const Tensor& tensor = constant(shape, type);
  eager.require_grad(tensor);
  return tensor;
}

std::vector<Tensor> OperatorBench::call_many(std::string_view name,
                                             std::initializer_list<const Tensor*> inputs,
                                             std::initializer_list<std::int64_t> attributes,
                                             std::size_t outputs) {
  const Operator* const op = find_operator(name);
  MEMSIM_CHECK(op != nullptr, "no such operator: " + std::string(name));
  std::vector<Tensor> results(outputs);
  op->run(eager,
          {{inputs.begin(), inputs.size()}, {attributes.begin(), attributes.size()}, results});
  return results;
}

Tensor OperatorBench::call(std::string_view name, std::initializer_list<const Tensor*> inputs,
                           std::initializer_list<std::int64_t> attributes) {
  return std::move(call_many(name, inputs, attributes, 1).front());
}

OperatorRun OperatorBench::run(const std::function<Tensor()>& forward) {
  recorder.phase("forward");
  OperatorRun result;
  Tensor output = forward();
  return finish(std::move(result), std::move(output));
}

OperatorRun OperatorBench::run(const std::function<Tensor()>& forward, DataType autocast) {
  recorder.phase("forward");
  OperatorRun result;
  Tensor output;
  {
    const AutocastScope scope(eager, true, autocast);
    output = forward();
  }
  return finish(std::move(result), std::move(output));
}

OperatorRun OperatorBench::finish(OperatorRun result, Tensor output) {
  for_each_saved_tensor(eager, output, [&](const Node&, const TensorData& tensor, bool first) {
    if (first) result.saved.push_back(tensor.storage->bytes);
  });
  std::sort(result.saved.begin(), result.saved.end());
  recorder.phase("gradient");
  const Setting<bool> grad(eager.grad_enabled, false);
  const Setting<bool> thread(eager.in_backward, true);
  Tensor gradient = eager.empty(output->shape(), output->type, "gradient");
  recorder.phase("backward");
  if (output->requires_grad) run_backward(eager, output, gradient);
  const Recorder::Recording recording = recorder.finish();
  const sim::Program& program = recording.program;
  sim::for_each_op(program, 0, [&](const sim::Op& op, std::uint32_t phase) {
    if (op.code != sim::OpCode::allocate) return;
    const std::string line = program.labels[op.label] + " " + std::to_string(op.amount);
    if (program.phases[phase] == "forward") result.forward.push_back(line);
    if (program.phases[phase] == "backward") result.backward.push_back(line);
  });
  return result;
}

}  // namespace memsim::models
