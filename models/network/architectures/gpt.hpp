// GPT-2 / GPT-3 / Megatron family, as nanoGPT writes it: learned positions, pre-norm blocks, head
// tied to the token embedding.
#pragma once

#include <cstdint>
#include <optional>

#include "models/network/network.hpp"
#include "sim/core/result.hpp"

namespace memsim::models {

struct GptSpec {
  std::int64_t vocabulary = 50257;
  std::int64_t positions = 1024;  // longest sequence
  std::int64_t layers = 12;
  std::int64_t heads = 12;
  std::int64_t hidden = 768;
  std::int64_t inner = 0;  // width of the feed-forward part; 0: 4 x hidden
  bool bias = true;        // of Linear and LayerNorm
  std::int64_t dropout_millionths = 0;
  DataType mask_type = DataType::boolean;  // of each layer's causal mask [positions, positions]
};

// What is wrong with a specification, named as the field; nothing if it can be built.
std::optional<sim::Error> defect(const GptSpec& spec);

// Inputs: token ids and labels, int64 [batch, sequence]. One layer per block. With flash attention
// there is no mask buffer. Requires: !defect(spec).
Network gpt(const GptSpec& spec);

}  // namespace memsim::models
