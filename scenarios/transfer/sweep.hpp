// A question asked for many sizes: the curve of a transfer.
#pragma once

#include <optional>
#include <vector>

#include "scenarios/transfer/question.hpp"
#include "scenarios/transfer/transfer.hpp"

namespace memsim::scenarios {

struct SweepPoint {
  sim::Bytes size;
  TransferAnswer answer;
};

struct Sweep {
  std::vector<SweepPoint> points;  // one by size of the question
  // The smallest size, to the byte, from which between two points half the rate of the last one is
  // reached; empty where the first point is above it, or there is one point only.
  std::optional<sim::Bytes> half_rate;
};

Planned<Sweep> sweep(const TransferQuestion& question);

}  // namespace memsim::scenarios
