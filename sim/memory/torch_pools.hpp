// Private pools of the PyTorch caching allocator (CUDA graphs, torch.cuda.MemPool).
#pragma once

#include <compare>
#include <cstdint>

#include "sim/memory/torch_stream_order.hpp"

namespace memsim::sim {

// The name of a private pool: pools of graphs have a first number, pools of users only a second.
// (0, 0) is the default pool.
struct TorchPoolId {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  friend auto operator<=>(const TorchPoolId&, const TorchPoolId&) = default;
};

inline std::uint64_t torch_pool_hash(const TorchPoolId& id) {
  return id.first != 0 ? id.first : id.second;
}
using TorchPoolOrder = TorchHashOrder<TorchPoolId, torch_pool_hash>;

}  // namespace memsim::sim
