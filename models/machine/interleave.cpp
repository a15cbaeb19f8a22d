#include "models/machine/interleave.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/core/check.hpp"

namespace memsim::models {

Interleave::Interleave(std::vector<NodeShare> shares) {
  MEMSIM_CHECK(!shares.empty(), "a buffer on no memory");
  std::ranges::sort(shares, {}, &NodeShare::node);
  std::int64_t divisor = 0;
  for (const NodeShare& share : shares) {
    MEMSIM_CHECK(share.weight > 0, "a share of nothing");
    if (!shares_.empty() && shares_.back().node == share.node) {
      shares_.back().weight += share.weight;
    } else {
      shares_.push_back(share);
    }
  }
  for (const NodeShare& share : shares_) {
    MEMSIM_CHECK(shares_.size() == 1 || share.node.kind == NodeKind::numa,
                 "only host memory is interleaved");
    divisor = std::gcd(divisor, share.weight);
  }
  for (NodeShare& share : shares_) share.weight /= divisor;
}

std::int64_t Interleave::total() const {
  std::int64_t sum = 0;
  for (const NodeShare& share : shares_) sum += share.weight;
  return sum;
}

}  // namespace memsim::models
