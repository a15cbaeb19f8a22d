// Runs one operator alone: forward on leaves, backward with a ready gradient, and tells which
// operations allocated how much.
#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "models/training/eager/eager.hpp"

namespace memsim::models {

struct OperatorRun {
  std::vector<std::string> forward;  // "addmm 2048", in order
  std::vector<std::string> backward;
  std::vector<std::int64_t> saved;  // bytes of the unique storages that autograd holds, ascending
};

class OperatorBench {
 public:
  explicit OperatorBench(TorchRules rules = TorchRules::v1_13, sim::Bytes gemm_workspace = {})
      : eager(recorder, rules, gemm_workspace) {
    recorder.phase("operands");
  }

  // Tensors that are there before the operator runs. Leaves want a gradient.
  const Tensor& leaf(const Dims& shape, DataType type = DataType::fp32);
  const Tensor& constant(const Dims& shape, DataType type = DataType::fp32);

  // Calls an operator of networks by its name.
  Tensor call(std::string_view name, std::initializer_list<const Tensor*> inputs,
              std::initializer_list<std::int64_t> attributes = {});
  std::vector<Tensor> call_many(std::string_view name, std::initializer_list<const Tensor*> inputs,
                                std::initializer_list<std::int64_t> attributes,
                                std::size_t outputs);

  // Once. `forward` returns the tensor from which backward starts.
  OperatorRun run(const std::function<Tensor()>& forward, DataType autocast);
  OperatorRun run(const std::function<Tensor()>& forward);

  Recorder recorder;
  Eager eager;

 private:
  OperatorRun finish(OperatorRun run, Tensor output);

  std::deque<Tensor> kept_;
};

}  // namespace memsim::models
