// The graph of a machine and the cheapest way through it. Knows costs, not bandwidths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/units.hpp"

namespace memsim::models {

// A connection of two nodes that can be crossed both ways.
struct Connection {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  sim::Duration forward;  // cost of crossing from -> to; > 0
  sim::Duration backward;
};

struct Crossing {
  std::uint32_t connection = 0;  // index
  bool forward = true;
};

struct Path {
  sim::Duration cost;
  std::vector<Crossing> crossings;  // empty: there is no way
};

// The cheapest way from `from` to `to`; nodes whose `forwards` is false are only entered or left at
// its ends. Of equal ways, the one whose connections have the lowest numbers, compared in order.
// Requires: from != to; both are indices of `forwards`.
Path cheapest_path(const std::vector<bool>& forwards, const std::vector<Connection>& connections,
                   std::uint32_t from, std::uint32_t to);

}  // namespace memsim::models
