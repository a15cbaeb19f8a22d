#include "sim/flow/bundle_table.hpp"

#include "sim/core/check.hpp"
#include "sim/core/digest.hpp"

namespace memsim::sim {
namespace {

std::uint64_t fingerprint_of(std::span<const Hop> hops, Bandwidth cap) {
  Digest digest;
  digest.add(cap);
  for (const Hop& hop : hops) {
    digest.add(static_cast<std::uint32_t>(hop.resource));
    digest.add(hop.weight);
  }
  return digest.value();
}

void check_spec(std::span<const Hop> hops, Bandwidth cap, std::size_t resources) {
  MEMSIM_CHECK(cap.value() > 0, "a rate cap that is not positive");
  MEMSIM_CHECK(!hops.empty() || cap < Bandwidth::max(), "a flow without hops and without a cap");
  for (const Hop& hop : hops) {
    MEMSIM_CHECK(static_cast<std::size_t>(hop.resource) < resources, "unknown resource");
    MEMSIM_CHECK(hop.weight > 0, "a weight that is not positive");
  }
}

}  // namespace

BundleTable::BundleTable() : slots_(16, empty_slot) {}

BundleId BundleTable::acquire(std::span<const Hop> hops, Bandwidth cap, std::size_t resources) {
  const std::uint64_t fingerprint = fingerprint_of(hops, cap);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = fingerprint & mask; slots_[slot] != empty_slot;
       slot = (slot + 1) & mask) {
    const BundleId bundle = slots_[slot];
    if (bundles_[bundle].fingerprint == fingerprint && equal(bundle, hops, cap)) {
      ++bundles_[bundle].users;
      return bundle;
    }
  }
  check_spec(hops, cap, resources);
  return make(hops, cap, fingerprint);
}

bool BundleTable::equal(BundleId bundle, std::span<const Hop> hops, Bandwidth cap) const {
  const Range range = ranges_[bundle];
  if (bundles_[bundle].cap != cap || range.count != hops.size()) return false;
  for (std::size_t i = 0; i < hops.size(); ++i) {
    const BundleHop& hop = hops_[range.first + i];
    if (hop.resource != static_cast<std::uint32_t>(hops[i].resource) ||
        hop.weight != hops[i].weight)
      return false;
  }
  return true;
}

BundleId BundleTable::make(std::span<const Hop> hops, Bandwidth cap, std::uint64_t fingerprint) {
  if ((used_slots_ + 1) * 2 > slots_.size()) make_room();
  if (free_.size() <= hops.size()) free_.resize(hops.size() + 1);
  std::vector<BundleId>& reusable = free_[hops.size()];
  BundleId bundle = 0;
  if (reusable.empty()) {
    bundle = static_cast<BundleId>(bundles_.size());
    bundles_.push_back({fingerprint, cap, 1});
    ranges_.push_back(
        {static_cast<std::uint32_t>(hops_.size()), static_cast<std::uint32_t>(hops.size())});
    hops_.resize(hops_.size() + hops.size());
  } else {
    bundle = reusable.back();
    reusable.pop_back();
    bundles_[bundle] = {fingerprint, cap, 1};
  }
  for (std::size_t i = 0; i < hops.size(); ++i)
    hops_[ranges_[bundle].first + i] = {static_cast<std::uint32_t>(hops[i].resource), 0,
                                        hops[i].weight};
  insert(bundle);
  return bundle;
}

// Forgets the bundles without users; if that frees less than half, doubles the table. So forgetting
// costs O(1) per bundle made, and the table stays below four times the bundles in use.
void BundleTable::make_room() {
  std::vector<BundleId> old(slots_.size(), empty_slot);
  old.swap(slots_);
  used_slots_ = 0;
  std::size_t in_use = 0;
  for (const BundleId bundle : old) in_use += bundle != empty_slot && bundles_[bundle].users > 0;
  if (in_use * 4 > old.size()) slots_.assign(old.size() * 2, empty_slot);
  for (const BundleId bundle : old) {
    if (bundle == empty_slot) continue;
    if (bundles_[bundle].users > 0)
      insert(bundle);
    else
      free_[ranges_[bundle].count].push_back(bundle);
  }
}

void BundleTable::insert(BundleId bundle) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = bundles_[bundle].fingerprint & mask;
  while (slots_[slot] != empty_slot) slot = (slot + 1) & mask;
  slots_[slot] = bundle;
  ++used_slots_;
}

}  // namespace memsim::sim
