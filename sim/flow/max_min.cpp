#include "sim/flow/max_min.hpp"

#include <algorithm>
#include <utility>

#include "sim/core/check.hpp"

namespace memsim::sim {
namespace {

FillKey cap_key(Bandwidth cap) { return FillKey(cap.value(), FillKey::no_number); }

}  // namespace

void MaxMin::add_resource(Bandwidth capacity) {
  MEMSIM_CHECK(capacity.value() > 0, "a capacity that is not positive");
  MEMSIM_CHECK(resources_.size() < no_bottleneck, "too many resources");
  resources_.push_back({.capacity = capacity.value(), .room = capacity.value()});
  keys_.push_back(FillKey::none());
  fillings_.emplace_back();
  watch_.push_back(FillKey::lowest());
  queue_places_.push_back(IndexedHeap<FillKey>::absent);
}

// --- membership ---------------------------------------------------------------------------------

void MaxMin::join(BundleId number) {
  if (bundles_.size() < table_->size()) bundles_.resize(table_->size());
  Bundle& bundle = bundles_[number];
  std::uint32_t hop_number = table_->first_hop(number);
  for (BundleHop& hop : table_->hops(number)) {
    Resource& resource = resources_[hop.resource];
    if (bundle.flows == 0) {
      MEMSIM_CHECK(resource.members.empty() || resource.members.back().bundle != number,
                   "a flow crosses a resource twice");
      hop.place = static_cast<std::uint32_t>(resource.members.size());
      resource.members.push_back({number, hop_number++, 0});
    }
    resource.load = checked_add(resource.load, hop.weight);
    resource.members[hop.place].load += hop.weight;
    mark_if_binding(hop.resource);
  }
  ++bundle.flows;
  make_dirty(number);
}

void MaxMin::leave(BundleId number) {
  Bundle& bundle = bundles_[number];
  --bundle.flows;
  for (const BundleHop& hop : table_->hops(number)) {
    Resource& resource = resources_[hop.resource];
    resource.load -= hop.weight;
    resource.members[hop.place].load -= hop.weight;
    if (bundle.flows == 0) remove_member(hop, bundle.counted);
    mark_if_binding(hop.resource);
  }
  if (bundle.flows == 0) {
    bundle.counted = 0;
    bundle.bottleneck = no_bottleneck;
  } else {
    make_dirty(number);
  }
}

void MaxMin::remove_member(const BundleHop& hop, Int128 counted) {
  Resource& resource = resources_[hop.resource];
  resource.room += counted * hop.weight;
  const Member last = resource.members.back();
  resource.members[hop.place] = last;
  table_->hop(last.hop).place = hop.place;
  resource.members.pop_back();
  if (!resource.members.empty()) return;
  keys_[hop.resource] = FillKey::none();
  watch_[hop.resource] = FillKey::lowest();
}

void MaxMin::make_dirty(BundleId bundle) {
  if (!bundles_[bundle].dirty) dirty_.push_back(bundle);
  bundles_[bundle].dirty = true;
}

// Resources that bind nobody stay left out until their room is gone.
void MaxMin::mark_if_binding(std::uint32_t resource) {
  if (keys_[resource] == FillKey::none()) return;
  resources_[resource].refill = true;
  mark(resource);
}

// --- solving ------------------------------------------------------------------------------------

void MaxMin::solve() {
  changed_.clear();
  for (const BundleId bundle : dirty_) {
    bundles_[bundle].dirty = false;
    if (bundles_[bundle].flows == 0) continue;
    touch(bundle);
    if (alone(bundle))
      solve_alone(bundle);
    else
      bundles_[bundle].lowest = look_up(bundle);
  }
  dirty_.clear();
  // Each round lets in resources that stay in for the rest of this solve, so the rounds end.
  do {
    review_marked();
    settle_queue();
    admit();
  } while (!marked_.empty());
  finish();
}

void MaxMin::finish() {
  for (const std::uint32_t number : changed_) {
    resources_[number].changed = false;
    resources_[number].raised = false;
    if (keys_[number] == FillKey::none()) watch_[number] = FillKey::lowest();
  }
  moved_.clear();
  for (const BundleId number : touched_) {
    Bundle& bundle = bundles_[number];
    const std::uint32_t bottleneck = bundle.lowest.first.resource();
    if (std::exchange(bundle.bottleneck, bottleneck) != bottleneck) moved_.push_back(number);
  }
  touched_.clear();
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
  const FillKey cap = cap_key(table_->cap(bundle));
  FillKey lowest = cap;
  for (const BundleHop& hop : table_->hops(bundle)) {
    const Resource& resource = resources_[hop.resource];
    lowest = std::min(lowest, FillKey(resource.capacity / resource.load, hop.resource));
  }
  bundles_[bundle].lowest = {lowest, lowest == cap ? FillKey::none() : cap};
  for (const BundleHop& hop : table_->hops(bundle)) {
    const bool binds = hop.resource == lowest.resource();
    keys_[hop.resource] = binds ? lowest : FillKey::none();
    watch_[hop.resource] = cap;
    if (binds)
      fillings_[hop.resource] = {
          .key = lowest, .lowest_free = cap, .free_load = resources_[hop.resource].load};
    note(hop.resource);
  }
}

TwoLowest MaxMin::look_up(BundleId bundle) const {
  TwoLowest lowest;
  lowest.add(cap_key(table_->cap(bundle)));
  for (const BundleHop& hop : table_->hops(bundle)) lowest.add(keys_[hop.resource]);
  return lowest;
}

void MaxMin::touch(BundleId bundle) {
  if (!bundles_[bundle].uncounted) uncounted_.push_back(bundle);
  bundles_[bundle].uncounted = true;
}

void MaxMin::note(std::uint32_t resource) {
  if (!resources_[resource].changed) changed_.push_back(resource);
  resources_[resource].changed = true;
}

// Fills the resource from the bottom up. Each pass freezes the members that lie below the level of
// the last one, which can only raise the level. As a pass raises it by no more than the passes
// before left over, there are few.
Filling MaxMin::fill(std::uint32_t number) const {
  const Resource& resource = resources_[number];
  Filling filling{.free_load = resource.load};
  for (;;) {
    Filling next;
    if (filling.free_load > 0) {
      const Int128 room = resource.capacity - filling.frozen_use;
      next.key = FillKey(static_cast<std::int64_t>(room) / filling.free_load, number);
    }
    for (const Member& member : resource.members)
      next.add(bundles_[member.bundle].lowest.without(number), member.load);
    if (next.free_load == filling.free_load) return next;
    filling = next;
  }
}

void MaxMin::mark(std::uint32_t resource) {
  if (!resources_[resource].marked) marked_.push_back(resource);
  resources_[resource].marked = true;
}

void MaxMin::review(std::uint32_t number) {
  Resource& resource = resources_[number];
  const bool left_out = watch_[number] == FillKey::lowest();
  if (left_out || resource.refill ||
      !fillings_[number].derive(resource.capacity, resource.load, number))
    fillings_[number] = fill(number);
  resource.refill = false;
  watch_[number] = fillings_[number].lowest_free;
}

void MaxMin::review_marked() {
  for (const std::uint32_t number : marked_) {
    resources_[number].marked = false;
    review(number);
    note(number);
    const FillKey implied = fillings_[number].key;
    if (implied == keys_[number])
      queue_.erase(number);
    else
      queue_.set(number, std::min(implied, keys_[number]));
  }
  marked_.clear();
}

// A key that is too low moves to the implied one at once, which spares the others a look at a
// resource that binds nobody; the second time in a solve it first becomes none(), so that no
// resource comes up more than a few times.
void MaxMin::settle_queue() {
  while (!queue_.empty()) {
    const std::uint32_t number = queue_.top();
    const FillKey implied = fillings_[number].key;
    FillKey key = implied;
    if (keys_[number] < implied && std::exchange(resources_[number].raised, true))
      key = FillKey::none();
    keys_[number] = key;
    if (key == implied)
      queue_.erase(number);
    else
      queue_.set(number, implied);
    spread(number);
    review_marked();
  }
}

// Tells the bundles of a resource its new key, and marks the resources to which that matters.
void MaxMin::spread(std::uint32_t number) {
  for (const Member& member : resources_[number].members) {
    Bundle& bundle = bundles_[member.bundle];
    const TwoLowest before = bundle.lowest;
    if (!bundle.lowest.change(number, keys_[number])) bundle.lowest = look_up(member.bundle);
    const TwoLowest after = bundle.lowest;
    if (before == after) continue;
    if (before.first != after.first) touch(member.bundle);
    const FillKey lowest = std::min(before.first, after.first);
    for (const BundleHop& hop : table_->hops(member.bundle)) {
      if (!(lowest < watch_[hop.resource])) continue;
      const FillKey was = before.without(hop.resource);
      const FillKey is = after.without(hop.resource);
      if (was == is) continue;
      Filling& filling = fillings_[hop.resource];
      if (filling.change(was, is, hop.weight * bundle.flows)) mark(hop.resource);
      watch_[hop.resource] = filling.lowest_free;
    }
  }
}

// Brings the room of its resources up to date with the rate of the bundle, and notes resources left
// out whose room looks too small. A bundle without a bottleneck so far has the rate of none(),
// which leaves no room anywhere: all its resources are let in. (Load x rate stays below 2^126.)
void MaxMin::count_usage(BundleId number) {
  Bundle& bundle = bundles_[number];
  const Int128 used = static_cast<Int128>(bundle.flows) * bundle.lowest.first.level();
  const Int128 more = used - bundle.counted;
  bundle.counted = used;
  for (const BundleHop& hop : table_->hops(number)) {
    Resource& resource = resources_[hop.resource];
    resource.room -= more * hop.weight;
    if (resource.room < resource.load && watch_[hop.resource] == FillKey::lowest())
      tight_.push_back(hop.resource);
  }
}

// Marks resources that were left out and may bind after all. With room for one more unit of rate on
// all its bundles, a resource that is filled up to any of their rates has at least one unit more to
// give to each bundle that is not frozen yet: all freeze elsewhere.
void MaxMin::admit() {
  tight_.clear();
  for (const BundleId number : uncounted_) {
    count_usage(number);
    bundles_[number].uncounted = false;
    touched_.push_back(number);
  }
  uncounted_.clear();
  for (const std::uint32_t number : tight_)
    if (resources_[number].room < resources_[number].load) mark(number);
}

}  // namespace memsim::sim
