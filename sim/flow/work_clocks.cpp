#include "sim/flow/work_clocks.hpp"

#include <algorithm>

namespace memsim::sim {
namespace {

// The first whole picosecond at which `work` is done; Time::max() beyond the end of time.
Time finish(Time now, Work work, std::int64_t rate) {
  if (rate == 0) return Time::max();
  const UInt128 wait =
      (static_cast<UInt128>(work) + static_cast<UInt128>(rate) - 1) / static_cast<UInt128>(rate);
  const auto left = static_cast<UInt128>((Time::max() - now).value());
  return wait >= left ? Time::max() : now + Duration(static_cast<std::int64_t>(wait));
}

}  // namespace

ClockId WorkClocks::add_clock() {
  clocks_.emplace_back(bundle_places_);
  finish_places_.push_back(IndexedHeap<Time>::absent);
  return static_cast<ClockId>(clocks_.size() - 1);
}

Work WorkClocks::add_flow(BundleId bundle, std::uint32_t flow, Work work, Time now) {
  if (queues_.size() <= bundle) {
    queues_.resize(bundle + 1);
    bundle_places_.resize(bundle + 1, IndexedHeap<Work>::absent);
  }
  Queue& queue = queues_[bundle];
  const Work due = count(bundle, now) + work;
  queue.flows.push_back({due, flow});
  std::push_heap(queue.flows.begin(), queue.flows.end(), std::greater<>());
  if (queue.clock != no_clock) place(bundle);
  return due;
}

void WorkClocks::set_rate(ClockId id, std::int64_t rate, Time now) {
  Clock& clock = clocks_[id];
  clock.value = value(clock, now);
  clock.at = now;
  clock.rate = rate;
  make_stale(id);
}

void WorkClocks::drive(BundleId bundle, ClockId id, Time now) {
  Queue& queue = queues_[bundle];
  if (queue.clock == id) return;
  const Work reached = count(bundle, now);
  if (queue.clock != no_clock) {
    clocks_[queue.clock].bundles.erase(bundle);
    make_stale(queue.clock);
  }
  queue.clock = id;
  queue.offset = reached - value(clocks_[id], now);
  place(bundle);
}

void WorkClocks::refresh() {
  for (const ClockId id : stale_) {
    Clock& clock = clocks_[id];
    clock.stale = false;
    const Time next = clock.bundles.empty()
                          ? Time::max()
                          : finish(clock.at, clock.bundles.top_key() - clock.value, clock.rate);
    if (next == Time::max())
      finishes_.erase(id);
    else
      finishes_.set(id, next);
  }
  stale_.clear();
}

void WorkClocks::take_done(Time now, std::vector<Done>& done) {
  while (!finishes_.empty() && finishes_.top_key() == now) {
    const ClockId id = finishes_.top();
    finishes_.erase(id);
    make_stale(id);
    const Clock& clock = clocks_[id];
    const Work reached = value(clock, now);
    while (!clock.bundles.empty() && clock.bundles.top_key() <= reached)
      take_done_of(clock.bundles.top(), reached, done);
  }
}

void WorkClocks::take_done_of(BundleId bundle, Work reached, std::vector<Done>& done) {
  Queue& queue = queues_[bundle];
  while (!queue.flows.empty() && queue.flows.front().count <= reached + queue.offset) {
    done.push_back({bundle, queue.flows.front().flow});
    std::pop_heap(queue.flows.begin(), queue.flows.end(), std::greater<>());
    queue.flows.pop_back();
  }
  if (!queue.flows.empty()) {
    place(bundle);
    return;
  }
  clocks_[queue.clock].bundles.erase(bundle);
  queue.clock = no_clock;
  queue.offset = 0;  // counts begin again, so that they stay within 128 bits
}

Work WorkClocks::count(BundleId bundle, Time now) const {
  const Queue& queue = queues_[bundle];
  return queue.offset + (queue.clock == no_clock ? 0 : value(clocks_[queue.clock], now));
}

std::int64_t WorkClocks::rate(BundleId bundle) const {
  const Queue& queue = queues_[bundle];
  return queue.clock == no_clock ? 0 : clocks_[queue.clock].rate;
}

void WorkClocks::make_stale(ClockId id) {
  if (!clocks_[id].stale) stale_.push_back(id);
  clocks_[id].stale = true;
}

// Puts the bundle where its first flow belongs in the heap of its clock.
void WorkClocks::place(BundleId bundle) {
  const Queue& queue = queues_[bundle];
  clocks_[queue.clock].bundles.set(bundle, queue.flows.front().count - queue.offset);
  make_stale(queue.clock);
}

}  // namespace memsim::sim
