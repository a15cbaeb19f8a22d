// How a network is trained: the settings that decide memory and time.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/core/units.hpp"

namespace memsim::models {

enum class Mode : std::uint8_t { train, infer };

// autocast_*: fp32 parameters, operators cast as torch.autocast does. pure_*: parameters, buffers
// and floating inputs in that type.
enum class Precision : std::uint8_t { fp32, autocast_bf16, autocast_fp16, pure_bf16, pure_fp16 };

enum class OptimizerKind : std::uint8_t { sgd, sgd_momentum, adam, adamw };

// How the optimizer walks the parameters: one by one, in lists (multi-tensor), or in one kernel.
enum class OptimizerImplementation : std::uint8_t { plain, foreach, fused };

// none: everything is saved. reentrant / nonreentrant: torch.utils.checkpoint around each layer
// ("full" recomputation), by its two implementations.
enum class Checkpointing : std::uint8_t { none, reentrant, nonreentrant };

// eager: scores and probabilities are tensors. flash: one kernel, saves q, k, v, the output and its
// log-sum-exp (scaled_dot_product_attention on a CUDA device).
enum class AttentionKind : std::uint8_t { eager, flash };

// Which PyTorch the lowering follows where versions differ.
enum class TorchRules : std::uint8_t { v1_13, v2 };

enum class ZeroGradAt : std::uint8_t { start, end };

struct TrainingSpec {
  Mode mode = Mode::train;
  std::int64_t sequence = 1024;
  std::int64_t micro_batch = 1;
  std::int64_t accumulation = 1;  // micro-batches per optimizer step
  std::int64_t steps = 3;         // simulated; the third is steady
  Precision precision = Precision::autocast_bf16;
  OptimizerKind optimizer = OptimizerKind::adamw;
  OptimizerImplementation implementation = OptimizerImplementation::foreach;
  bool weight_decay = true;  // adamw: decoupled; sgd, adam: added to the gradient
  Checkpointing checkpointing = Checkpointing::none;
  AttentionKind attention = AttentionKind::eager;
  bool zero_to_none = true;  // zero_grad(set_to_none=True)
  ZeroGradAt zero_at = ZeroGradAt::start;
  bool hold_outputs =
      false;  // the script keeps logits and loss until the next forward has returned
  TorchRules rules = TorchRules::v2;
  TorchRules optimizer_rules = TorchRules::v2;  // of the multi-tensor optimizers' temporaries
  sim::Bytes
      gemm_workspace;  // cuBLAS: once per thread that multiplies (forward, backward); 0 = none
};

}  // namespace memsim::models
