// Private pools: requests of a stream go to blocks of their own while a pool takes them.
#include <algorithm>

#include "sim/core/check.hpp"
#include "sim/memory/torch_caching.hpp"

namespace memsim::sim {

std::optional<TorchCachingAllocator::PoolsNumber> TorchCachingAllocator::find_private_pool(
    TorchPoolId id) const {
  for (std::size_t at = 0; at < private_pools_.size(); ++at)
    if (private_pools_[at].exists && private_pools_[at].id == id)
      return static_cast<PoolsNumber>(at + 1);
  return std::nullopt;
}

void TorchCachingAllocator::diversions_changed() {
  const StreamId stream = last_stream_;
  last_stream_ = StreamId{~static_cast<std::uint32_t>(stream)};  // any other: look it up again
  home_for(stream);
}

Result<void> TorchCachingAllocator::begin_pool(TorchPoolId id, StreamId stream) {
  auto pools = find_private_pool(id);
  if (pools && std::ranges::find(diversions_, *pools, &Diversion::pools) != diversions_.end())
    return fail("beginAllocateToPool: already recording to mempool_id");
  if (!pools) {
    private_pools_.push_back({id});
    pools = static_cast<PoolsNumber>(private_pools_.size());
  } else if (private_pool(*pools)->uses == 0) {
    return fail("beginAllocateToPool: the pool was released");
  }
  ++private_pool(*pools)->uses;
  diversions_.push_back({*pools, stream});
  diversions_changed();
  return {};
}

Result<void> TorchCachingAllocator::end_pool(TorchPoolId id) {
  const auto pools = find_private_pool(id);
  const auto diversion =
      pools ? std::ranges::find(diversions_, *pools, &Diversion::pools) : diversions_.end();
  if (diversion == diversions_.end())
    return fail("endAllocatePool: not currently recording to mempool_id");
  diversions_.erase(diversion);
  diversions_changed();
  return {};
}

Result<void> TorchCachingAllocator::release_pool(TorchPoolId id) {
  const auto pools = find_private_pool(id);
  if (!pools || private_pool(*pools)->uses == 0)
    return fail("releasePool: no pool of this mempool_id is in use");
  if (--private_pool(*pools)->uses == 0) unused_pools_.insert(id);
  return {};
}

void TorchCachingAllocator::count_device_alloc(std::uint32_t home, std::int64_t change) {
  if (PrivatePool* pool = private_pool(homes_[home].pools)) pool->device_allocs += change;
}

}  // namespace memsim::sim
