#include "sim/core/check.hpp"
#include "sim/flow/max_min.hpp"

namespace memsim::sim {

void MaxMin::check() const {
  MEMSIM_CHECK(
      dirty_.empty() && marked_.empty() && queue_.empty() && uncounted_.empty() && touched_.empty(),
      "something is left to solve");
  for (std::uint32_t number = 0; number < resources_.size(); ++number) check_resource(number);
  for (BundleId number = 0; number < bundles_.size(); ++number) {
    const Bundle& bundle = bundles_[number];
    MEMSIM_CHECK(!bundle.dirty && !bundle.uncounted && bundle.flows >= 0, "bundle flags");
    if (bundle.flows == 0) {
      MEMSIM_CHECK(bundle.counted == 0 && bundle.bottleneck == no_bottleneck, "an empty bundle");
      continue;
    }
    const TwoLowest lowest = look_up(number);
    MEMSIM_CHECK(bundle.lowest == lowest, "the lowest keys of a bundle are out of date");
    MEMSIM_CHECK(lowest.first != FillKey::none(), "a bundle without a bottleneck");
    MEMSIM_CHECK(bundle.bottleneck == lowest.first.resource(), "a move was not reported");
    MEMSIM_CHECK(bundle.counted == static_cast<Int128>(bundle.flows) * lowest.first.level(),
                 "usage is out of date");
  }
}

// The key is what the others imply, also where the resource was left out; the filling, load and
// room are those of the members; members and hops point at each other.
void MaxMin::check_resource(std::uint32_t number) const {
  const Resource& resource = resources_[number];
  const FillKey key = keys_[number];
  const Filling filling = fill(number);
  MEMSIM_CHECK(key == filling.key, "a key is not what the other keys imply");
  if (key == FillKey::none()) {
    MEMSIM_CHECK(watch_[number] == FillKey::lowest(), "a resource is not left out");
  } else {
    const Filling& kept = fillings_[number];
    MEMSIM_CHECK(kept.key == key && kept.frozen_use == filling.frozen_use &&
                     kept.free_load == filling.free_load,
                 "the sums of a filling");
    MEMSIM_CHECK(kept.highest_frozen >= filling.highest_frozen &&
                     !(filling.lowest_free < kept.lowest_free) &&
                     watch_[number] == kept.lowest_free,
                 "the limits of a filling");
  }
  std::int64_t load = 0;
  Int128 room = resource.capacity;
  for (std::size_t place = 0; place < resource.members.size(); ++place) {
    const Member& member = resource.members[place];
    const BundleHop& hop = table_->hop(member.hop);
    const Bundle& bundle = bundles_[member.bundle];
    MEMSIM_CHECK(hop.resource == number && hop.place == place, "a member lost its hop");
    MEMSIM_CHECK(bundle.flows > 0 && member.load == hop.weight * bundle.flows, "a member's load");
    load += member.load;
    room -= bundle.counted * hop.weight;
  }
  MEMSIM_CHECK(load == resource.load, "the load is not that of the members");
  MEMSIM_CHECK(room == resource.room && room >= 0, "the room is not what the members leave");
  MEMSIM_CHECK(!resource.marked && !resource.refill && !resource.raised && !resource.changed,
               "a mark is left");
}

}  // namespace memsim::sim
