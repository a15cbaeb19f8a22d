// Max-min fair levels of resources, solved again only where a change reaches.
//
// Every resource has a key (fill_key.hpp): the level at which it is filled, or none() while it
// limits nobody. The rate of a bundle is the lowest level among its resources and its cap. The key
// of a resource follows from the keys of the other resources of its bundles: bundles with a lower
// key elsewhere are frozen there and take their share off the capacity; the rest is divided by the
// weights of the others, rounded down. As only lower keys count, there is one solution, and filling
// from scratch finds it from the bottom up.
//
// A change is carried through in the same order. A resource whose key is not what the others imply
// waits in a queue under the lower of the two. The first of the queue is set right: all keys below
// it are final, so its new key is right as far as they decide, and only keys above it can be
// affected. A resource of key none() is left out as long as it has room for one more unit of rate
// on all its bundles (which rules out that it binds); where a solution leaves less, the resource is
// let in and the solution is carried on from there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/check.hpp"
#include "sim/core/int128.hpp"
#include "sim/core/units.hpp"
#include "sim/flow/bundle_table.hpp"
#include "sim/flow/fill_key.hpp"
#include "sim/flow/filling.hpp"
#include "sim/flow/indexed_heap.hpp"

namespace memsim::sim {

// Invariants after solve(): every key is what the other keys imply.
class MaxMin {
 public:
  // `table` outlives the solver.
  explicit MaxMin(BundleTable& table) : table_(&table), queue_(queue_places_) {}
  MaxMin(const MaxMin&) = delete;
  MaxMin& operator=(const MaxMin&) = delete;

  // Requires: capacity > 0.
  void add_resource(Bandwidth capacity);
  [[nodiscard]] std::size_t resources() const { return resources_.size(); }

  [[nodiscard]] Bandwidth capacity(std::uint32_t resource) const {
    return Bandwidth(resources_[resource].capacity);
  }

  // One flow more or less is active in the bundle. Takes effect in solve().
  void join(BundleId bundle);
  void leave(BundleId bundle);

  void solve();

  // Of the last solve: bundles that have another bottleneck than before (or their first), resources
  // whose key may have changed.
  [[nodiscard]] std::span<const BundleId> moved_bundles() const { return moved_; }
  [[nodiscard]] std::span<const std::uint32_t> changed_resources() const { return changed_; }

  // The bottleneck of a bundle that has flows, with its level.
  [[nodiscard]] FillKey bottleneck(BundleId bundle) const { return bundles_[bundle].lowest.first; }
  [[nodiscard]] FillKey key(std::uint32_t resource) const { return keys_[resource]; }

  // Checks everything that holds after solve(), in O(all). Throws InternalError.
  void check() const;

 private:
  static constexpr std::uint32_t no_bottleneck = FillKey::no_number - 1;

  struct Member {
    BundleId bundle;
    std::uint32_t hop;  // number in the bundle table
    std::int64_t load;  // weight x flows
  };
  struct alignas(64) Resource {
    std::int64_t capacity;
    std::int64_t load = 0;  // of all members
    Int128 room;            // capacity - weight x rate of all members, as of the last admit()
    bool refill = false;    // members came, left or changed their load
    bool raised = false;    // its key was raised in this solve
    bool marked = false;
    bool changed = false;
    std::vector<Member> members = {};
  };
  struct alignas(64) Bundle {
    TwoLowest lowest;    // of the keys of its resources and its cap
    Int128 counted = 0;  // flows x rate, as the room of its resources has it
    std::int64_t flows = 0;
    std::uint32_t bottleneck = no_bottleneck;  // after the last solve
    bool dirty = false;
    bool uncounted = false;  // its bottleneck or its flows changed since the last count
  };

  void remove_member(const BundleHop& hop, Int128 counted);
  void make_dirty(BundleId bundle);
  void mark_if_binding(std::uint32_t resource);
  [[nodiscard]] bool alone(BundleId bundle) const;
  void solve_alone(BundleId bundle);
  [[nodiscard]] TwoLowest look_up(BundleId bundle) const;
  void touch(BundleId bundle);
  void note(std::uint32_t resource);
  [[nodiscard]] Filling fill(std::uint32_t resource) const;
  void review(std::uint32_t resource);
  void mark(std::uint32_t resource);
  void review_marked();
  void settle_queue();
  void spread(std::uint32_t resource);
  void count_usage(BundleId bundle);
  void admit();
  void finish();
  void check_resource(std::uint32_t resource) const;

  BundleTable* table_;
  std::vector<Bundle> bundles_;
  std::vector<Resource> resources_;
  // By resource. The key of the filling is what the other keys imply; it differs from the key only
  // while the resource is queued or marked. A resource that is left out has no filling.
  std::vector<FillKey> keys_;
  std::vector<Filling> fillings_;
  // By resource: a key elsewhere that stays at or above it needs no look. The lowest key of a free
  // member, or lowest() for a resource that is left out.
  std::vector<FillKey> watch_;
  std::vector<std::uint32_t> queue_places_;
  IndexedHeap<FillKey> queue_;         // resources by the lower of key and implied key
  std::vector<BundleId> dirty_;        // joined or left since the last solve
  std::vector<std::uint32_t> marked_;  // their implied key is to be found again
  std::vector<std::uint32_t> changed_;
  std::vector<BundleId> uncounted_;
  std::vector<BundleId> touched_;  // counted in this solve, perhaps more than once
  std::vector<BundleId> moved_;
  std::vector<std::uint32_t> tight_;  // scratch of admit()
};

}  // namespace memsim::sim
