// GPT-NeoX / Pythia family: rotary positions on a fraction of each head, attention and feed-forward
// part side by side on the same input, head of its own.
#pragma once

#include <cstdint>
#include <optional>

#include "models/network/network.hpp"
#include "sim/core/result.hpp"

namespace memsim::models {

struct GptNeoxSpec {
  std::int64_t vocabulary = 50304;
  std::int64_t positions = 2048;  // longest sequence
  std::int64_t layers = 16;
  std::int64_t heads = 8;
  std::int64_t hidden = 2048;
  std::int64_t inner = 0;                    // width of the feed-forward part; 0: 4 x hidden
  std::int64_t rotary_millionths = 250'000;  // fraction of the head that is rotated
  std::int64_t dropout_millionths = 0;       // after attention and feed-forward part
};

// What is wrong with a specification, named as the field; nothing if it can be built.
std::optional<sim::Error> defect(const GptNeoxSpec& spec);

// Inputs: token ids and labels, int64 [batch, sequence]. One layer per block. Requires:
// !defect(spec).
Network gpt_neox(const GptNeoxSpec& spec);

}  // namespace memsim::models
