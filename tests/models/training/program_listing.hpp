// What a lowered program does, as lists that tests compare.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/training/lowering.hpp"

namespace memsim::models {

// One operation with its slot and the name of its phase.
struct ListedOp {
  sim::Op op;
  std::string phase;

  friend bool operator==(const ListedOp&, const ListedOp&) = default;
};
std::vector<ListedOp> list_ops(const sim::Program& program);

// "add.Tensor 64" for each allocation, "- add.Tensor 64" for each release, in phases whose names
// begin with `phase`.
std::vector<std::string> list_memory(const sim::Program& program, std::string_view phase);

// Bytes by category at the end of the last operation of a phase (its last occurrence).
struct CategoryBytes {
  std::int64_t parameters = 0, gradients = 0, optimizer = 0, activations = 0, temporaries = 0,
               buffers = 0;
  [[nodiscard]] std::int64_t total() const {
    return parameters + gradients + optimizer + activations + temporaries + buffers;
  }
};
CategoryBytes bytes_after(const sim::Program& program, std::string_view phase);

}  // namespace memsim::models
