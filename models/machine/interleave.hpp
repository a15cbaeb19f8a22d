// Memory that a buffer is on: one node, or several NUMA nodes whose pages take turns.
#pragma once

#include <cstdint>
#include <vector>

#include "models/machine/spec.hpp"

namespace memsim::models {

struct NodeShare {
  NodeRef node;
  std::int64_t weight = 1;  // pages in a row, before the next node's turn

  friend bool operator==(const NodeShare&, const NodeShare&) = default;
};

class Interleave {
 public:
  Interleave(NodeRef node) : shares_{{node, 1}} {}  // NOLINT(google-explicit-constructor)
  // Requires: at least one share, weights > 0; of several different nodes all are NUMA nodes.
  explicit Interleave(std::vector<NodeShare> shares);

  friend bool operator==(const Interleave&, const Interleave&) = default;

  // Different nodes by ascending number, weights without a common divisor.
  [[nodiscard]] const std::vector<NodeShare>& shares() const { return shares_; }
  [[nodiscard]] std::int64_t total() const;  // of the weights
  // The only node, or the first of several.
  [[nodiscard]] NodeRef node() const { return shares_.front().node; }

 private:
  std::vector<NodeShare> shares_;
};

}  // namespace memsim::models
