#include "sim/flow/max_min.hpp"

#include <algorithm>

#include "sim/core/check.hpp"

namespace memsim::sim {

void MaxMin::add_resource(Bandwidth capacity) {
  MEMSIM_CHECK(capacity.value() > 0, "a capacity that is not positive");
  MEMSIM_CHECK(resources_.size() < FillKey::no_number, "too many resources");
  resources_.push_back({capacity.value(), 0, 0, FillKey::none(), 0, 0, false, false, {}});
  keys_.push_back(FillKey::none());
  queue_places_.push_back(IndexedHeap<FillKey>::absent);
}

// --- membership ---------------------------------------------------------------------------------

void MaxMin::join(BundleId bundle) {
  if (shares_.size() < table_->size()) {
    shares_.resize(table_->size());
    lowest_.resize(table_->size());
  }
  Share& share = shares_[bundle];
  if (share.flows == 0) attach(bundle);
  ++share.flows;
  for (const BundleHop& hop : table_->hops(bundle)) {
    Resource& resource = resources_[hop.resource];
    resource.load = checked_add(resource.load, hop.weight);
    resource.members[hop.place].load += hop.weight;
  }
  mark_dirty(bundle);
}

void MaxMin::leave(BundleId bundle) {
  Share& share = shares_[bundle];
  --share.flows;
  for (const BundleHop& hop : table_->hops(bundle)) {
    Resource& resource = resources_[hop.resource];
    resource.load -= hop.weight;
    resource.members[hop.place].load -= hop.weight;
  }
  if (share.flows == 0) detach(bundle);
  mark_dirty(bundle);
}

// Resources that bind nobody are not marked: they stay left out until their room is gone.
void MaxMin::mark_dirty(BundleId bundle) {
  for (const BundleHop& hop : table_->hops(bundle))
    if (keys_[hop.resource] != FillKey::none()) mark(hop.resource);
  if (!shares_[bundle].dirty) dirty_.push_back(bundle);
  shares_[bundle].dirty = true;
}

void MaxMin::attach(BundleId bundle) {
  std::uint32_t number = table_->first_hop(bundle);
  for (BundleHop& hop : table_->hops(bundle)) {
    std::vector<Member>& members = resources_[hop.resource].members;
    MEMSIM_CHECK(members.empty() || members.back().bundle != bundle,
                 "a flow crosses a resource twice");
    hop.place = static_cast<std::uint32_t>(members.size());
    members.push_back({bundle, number++, 0});
  }
  lowest_[bundle] = look_up(bundle);
}

void MaxMin::detach(BundleId bundle) {
  Share& share = shares_[bundle];
  for (const BundleHop& hop : table_->hops(bundle)) {
    Resource& resource = resources_[hop.resource];
    resource.usage -= share.counted * hop.weight;
    const Member last = resource.members.back();
    resource.members[hop.place] = last;
    table_->hop(last.hop).place = hop.place;
    resource.members.pop_back();
    if (resource.members.empty()) {
      keys_[hop.resource] = FillKey::none();
      resource.implied = FillKey::none();
    }
  }
  share.counted = 0;
}

// --- solving ------------------------------------------------------------------------------------

void MaxMin::solve() {
  ++solve_number_;
  for (const BundleId bundle : touched_) shares_[bundle].touched = false;
  touched_.clear();
  for (const std::uint32_t resource : changed_) resources_[resource].changed = false;
  changed_.clear();
  for (const BundleId bundle : dirty_) {
    Share& share = shares_[bundle];
    share.dirty = false;
    if (share.flows == 0) continue;
    touch(bundle);
    if (alone(bundle)) {
      solve_alone(bundle);
    } else {
      if (lowest_[bundle].first == FillKey::none()) mark_left_out(bundle);
    }
  }
  dirty_.clear();
  // Each round lets in resources that stay in for the rest of this solve, so the rounds end.
  do {
    review_marked();
    settle_queue();
    admit();
  } while (!marked_.empty());
}

bool MaxMin::alone(BundleId bundle) const {
  const auto hops = table_->hops(bundle);
  return std::all_of(hops.begin(), hops.end(), [this](const BundleHop& hop) {
    return resources_[hop.resource].members.size() == 1;
  });
}

// Nobody else is on any of its resources: the lowest level is the rate, and no other resource
// binds.
void MaxMin::solve_alone(BundleId bundle) {
  TwoLowest lowest;
  lowest.add(FillKey(table_->cap(bundle).value(), FillKey::no_number));
  for (const BundleHop& hop : table_->hops(bundle)) {
    const Resource& resource = resources_[hop.resource];
    lowest.add(FillKey(resource.capacity / resource.load, hop.resource));
  }
  for (const BundleHop& hop : table_->hops(bundle)) {
    const FillKey key = hop.resource == lowest.first.resource() ? lowest.first : FillKey::none();
    resources_[hop.resource].implied = key;
    resources_[hop.resource].let_in = solve_number_;
    set_key(hop.resource, key);
  }
  lowest_[bundle] = look_up(bundle);
}

void MaxMin::touch(BundleId bundle) {
  if (!shares_[bundle].touched) touched_.push_back(bundle);
  shares_[bundle].touched = true;
}

void MaxMin::set_key(std::uint32_t resource, FillKey key) {
  keys_[resource] = key;
  if (!resources_[resource].changed) changed_.push_back(resource);
  resources_[resource].changed = true;
}

TwoLowest MaxMin::look_up(BundleId bundle) const {
  TwoLowest lowest;
  lowest.add(FillKey(table_->cap(bundle).value(), FillKey::no_number));
  for (const BundleHop& hop : table_->hops(bundle)) lowest.add(keys_[hop.resource]);
  return lowest;
}

// Fills the resource while bundles freeze elsewhere: a bundle with a lower key takes its share off,
// which can only raise the level. Each pass freezes all that lie below the level of the last one;
// as a pass raises the level by no more than the passes before left over, there are few.
FillKey MaxMin::implied_key(std::uint32_t resource) const {
  const Resource& state = resources_[resource];
  std::int64_t room = state.capacity;
  std::int64_t load = state.load;
  while (load > 0) {
    const FillKey key(room / load, resource);
    room = state.capacity;
    std::int64_t free_load = state.load;
    for (const Member& member : state.members) {
      const FillKey elsewhere = lowest_[member.bundle].without(resource);
      if (!(elsewhere < key)) continue;
      room -= elsewhere.level() * member.load;
      free_load -= member.load;
    }
    if (free_load == load) return key;
    load = free_load;
  }
  return FillKey::none();
}

bool MaxMin::looked_at(std::uint32_t resource) const {
  return keys_[resource] != FillKey::none() || resources_[resource].let_in == solve_number_;
}

void MaxMin::mark(std::uint32_t resource) {
  if (!resources_[resource].marked) marked_.push_back(resource);
  resources_[resource].marked = true;
}

// The bundle has no bottleneck yet: one of the resources left out must be it.
void MaxMin::mark_left_out(BundleId bundle) {
  for (const BundleHop& hop : table_->hops(bundle))
    if (!looked_at(hop.resource)) mark(hop.resource);
}

void MaxMin::review_marked() {
  for (const std::uint32_t number : marked_) {
    Resource& resource = resources_[number];
    resource.marked = false;
    resource.let_in = solve_number_;
    resource.implied = implied_key(number);
    if (resource.implied == keys_[number])
      queue_.erase(number);
    else
      queue_.set(number, std::min(resource.implied, keys_[number]));
  }
  marked_.clear();
}

// A key that is too low moves to the implied one at once, which spares the others a look at a
// resource that binds nobody; the second time in a solve it first becomes none(), so that no
// resource comes up more than a few times.
void MaxMin::settle_queue() {
  while (!queue_.empty()) {
    const std::uint32_t number = queue_.top();
    Resource& resource = resources_[number];
    FillKey key = resource.implied;
    if (keys_[number] < resource.implied) {
      if (resource.raised == solve_number_) key = FillKey::none();
      resource.raised = solve_number_;
    }
    set_key(number, key);
    if (key == resource.implied)
      queue_.erase(number);
    else
      queue_.set(number, resource.implied);
    spread(number);
    review_marked();
  }
}

// Tells the bundles of a resource its new key, and marks the resources to which that matters.
void MaxMin::spread(std::uint32_t resource) {
  for (const Member& member : resources_[resource].members) {
    const TwoLowest before = lowest_[member.bundle];
    const TwoLowest after = look_up(member.bundle);
    if (before == after) continue;
    lowest_[member.bundle] = after;
    if (before.first != after.first) touch(member.bundle);
    for (const BundleHop& hop : table_->hops(member.bundle)) {
      if (hop.resource == resource || !looked_at(hop.resource)) continue;
      const FillKey was = before.without(hop.resource);
      const FillKey is = after.without(hop.resource);
      if (was != is && std::min(was, is) < resources_[hop.resource].implied) mark(hop.resource);
    }
  }
}

void MaxMin::count_usage(BundleId bundle) {
  Share& share = shares_[bundle];
  const Int128 now = static_cast<Int128>(share.flows) * lowest_[bundle].first.level();
  for (const BundleHop& hop : table_->hops(bundle))
    resources_[hop.resource].usage += (now - share.counted) * hop.weight;
  share.counted = now;
}

// Marks resources that were left out and may bind after all. With room for one more unit of rate on
// all its bundles, a resource that is filled up to any of their rates has at least one unit more to
// give to each bundle that is not frozen yet: all freeze elsewhere.
void MaxMin::admit() {
  for (const BundleId bundle : touched_) {
    if (lowest_[bundle].first == FillKey::none())
      mark_left_out(bundle);
    else
      count_usage(bundle);
  }
  for (const BundleId bundle : touched_) {
    for (const BundleHop& hop : table_->hops(bundle)) {
      const Resource& resource = resources_[hop.resource];
      if (resource.capacity - resource.usage < resource.load && !looked_at(hop.resource))
        mark(hop.resource);
    }
  }
}

}  // namespace memsim::sim
