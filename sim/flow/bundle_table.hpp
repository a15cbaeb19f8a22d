// Bundles: flows that have the same hops (with weights) and the same cap always have the same rate,
// so sharing is solved for bundles, each with a number of flows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/flow/flow_network.hpp"

namespace memsim::sim {

using BundleId = std::uint32_t;

// One hop of a bundle. `place` belongs to the solver: where the bundle stands among the members of
// the resource.
struct BundleHop {
  std::uint32_t resource = 0;
  std::uint32_t place = 0;
  std::int64_t weight = 1;
};

// Finds or makes the bundle of a flow. A bundle without users stays findable until room is needed:
// what runs again and again keeps its bundle.
class BundleTable {
 public:
  BundleTable();

  // The bundle of (hops, cap), with one more user. Numbers are small and reused.
  // Requires: as FlowSpec; every hop names one of the first `resources` resources.
  BundleId acquire(std::span<const Hop> hops, Bandwidth cap, std::size_t resources);
  void release(BundleId bundle) { --bundles_[bundle].users; }

  // The number of bundles ever made at one time: all ids are below.
  [[nodiscard]] std::size_t size() const { return bundles_.size(); }
  [[nodiscard]] std::span<BundleHop> hops(BundleId bundle) {
    return {hops_.data() + ranges_[bundle].first, ranges_[bundle].count};
  }
  // Where the hops of the bundle begin, and all hops: members refer to hops by number.
  [[nodiscard]] std::uint32_t first_hop(BundleId bundle) const { return ranges_[bundle].first; }
  [[nodiscard]] BundleHop& hop(std::uint32_t number) { return hops_[number]; }
  [[nodiscard]] Bandwidth cap(BundleId bundle) const { return bundles_[bundle].cap; }
  // Follows from hops and cap alone: a fingerprint for digests.
  [[nodiscard]] std::uint64_t fingerprint(BundleId bundle) const {
    return bundles_[bundle].fingerprint;
  }

 private:
  struct Bundle {
    std::uint64_t fingerprint;
    Bandwidth cap;
    std::uint32_t users;
  };
  struct Range {
    std::uint32_t first;
    std::uint32_t count;
  };
  static constexpr std::uint32_t empty_slot = 0xFFFFFFFF;

  [[nodiscard]] bool equal(BundleId bundle, std::span<const Hop> hops, Bandwidth cap) const;
  BundleId make(std::span<const Hop> hops, Bandwidth cap, std::uint64_t fingerprint);
  void make_room();
  void insert(BundleId bundle);

  std::vector<Bundle> bundles_;
  std::vector<Range> ranges_;  // by bundle: its hops
  std::vector<BundleHop> hops_;
  std::vector<std::vector<BundleId>> free_;  // by number of hops, whose room is reused
  std::vector<BundleId> slots_;              // open addressing; a power of two
  std::size_t used_slots_ = 0;
};

}  // namespace memsim::sim
