#include "sim/flow/flow_network.hpp"

#include <algorithm>

#include "sim/core/check.hpp"
#include "sim/core/event_queue.hpp"
#include "sim/flow/bundle_table.hpp"
#include "sim/flow/max_min.hpp"
#include "sim/flow/work_clocks.hpp"

namespace memsim::sim {

// Times inside are counted from `origin_`, so that a shift moves everything at once.
class FlowNetwork::State {
 public:
  ResourceId add_resource(Bandwidth capacity);
  [[nodiscard]] Bandwidth capacity(ResourceId resource) const {
    return max_min_.capacity(static_cast<std::uint32_t>(resource));
  }
  FlowId start(Time now, const FlowSpec& spec);
  void collect(Time now, std::vector<Completion>& completed);
  void settle(Time now);
  [[nodiscard]] Time next_event() const;
  [[nodiscard]] Bandwidth rate(FlowId flow) const;
  [[nodiscard]] ResourceId bottleneck(FlowId flow) const;
  [[nodiscard]] std::size_t active_flows() const { return active_; }
  void add_state(Digest& digest, Time now) const;
  void shift(Duration by);

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  struct Flow {
    Work work = 0;  // pending: to do; active: its bundle's count of work when it is done
    std::uint64_t tag = 0;
    std::uint64_t start = 0;  // running number: ties are broken by the order of starts
    Time activation;
    BundleId bundle = none;
    std::uint32_t before = none;  // list of all flows in the order of their starts
    std::uint32_t after = none;
    bool active = false;
    bool alive = false;
  };

  void move_to(Time now);
  std::uint32_t make_flow(const FlowSpec& spec);
  void activate(std::uint32_t flow);
  void finish(std::uint32_t flow, std::vector<Completion>& completed);
  void drive(BundleId bundle);
  [[nodiscard]] Time next() const { return std::min(pending_.next_time(), clocks_.next()); }
  [[nodiscard]] const Flow& at(FlowId flow) const;

  BundleTable bundles_;
  MaxMin max_min_{bundles_};
  WorkClocks clocks_;  // of resources and, where needed, of the caps of bundles
  std::vector<ClockId> resource_clocks_;
  std::vector<ClockId> cap_clocks_;  // by bundle
  EventQueue pending_;               // activations; the payload is the flow
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> free_;
  std::vector<WorkClocks::Done> done_;
  std::uint32_t first_ = none;
  std::uint32_t last_ = none;
  std::uint64_t starts_ = 0;
  std::size_t active_ = 0;
  Duration origin_;
  Time now_;
  bool settled_ = true;
};

// --- flows --------------------------------------------------------------------------------------

ResourceId FlowNetwork::State::add_resource(Bandwidth capacity) {
  max_min_.add_resource(capacity);
  resource_clocks_.push_back(clocks_.add_clock());
  return ResourceId{static_cast<std::uint32_t>(max_min_.resources() - 1)};
}

void FlowNetwork::State::move_to(Time now) {
  const Time inside = now - origin_;
  MEMSIM_CHECK(inside >= now_, "the flow network cannot go back in time");
  MEMSIM_CHECK(inside <= next(), "the flow network would miss an event");
  MEMSIM_CHECK(settled_ || inside == now_, "rates are not settled before time goes on");
  now_ = inside;
}

FlowId FlowNetwork::State::start(Time now, const FlowSpec& spec) {
  MEMSIM_CHECK(spec.amount >= 0 && spec.latency >= Duration(0), "a negative amount or latency");
  move_to(now);
  const std::uint32_t flow = make_flow(spec);
  if (spec.latency == Duration(0) && spec.amount > 0)
    activate(flow);
  else
    pending_.push(flows_[flow].activation, EventPhase::arrive, flow);
  return FlowId{flow};
}

std::uint32_t FlowNetwork::State::make_flow(const FlowSpec& spec) {
  const BundleId bundle = bundles_.acquire(spec.hops, spec.cap, max_min_.resources());
  auto slot = static_cast<std::uint32_t>(flows_.size());
  if (free_.empty()) {
    flows_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  flows_[slot] = {static_cast<Work>(spec.amount) * picoseconds_per_second,
                  spec.tag,
                  starts_++,
                  now_ + spec.latency,
                  bundle,
                  last_,
                  none,
                  false,
                  true};
  (last_ == none ? first_ : flows_[last_].after) = slot;
  last_ = slot;
  return slot;
}

void FlowNetwork::State::activate(std::uint32_t slot) {
  Flow& flow = flows_[slot];
  flow.active = true;
  flow.work = clocks_.add_flow(flow.bundle, slot, flow.work, now_);
  max_min_.join(flow.bundle);
  ++active_;
  settled_ = false;
}

void FlowNetwork::State::collect(Time now, std::vector<Completion>& completed) {
  move_to(now);
  const std::size_t old_size = completed.size();
  done_.clear();
  clocks_.take_done(now_, done_);
  for (const auto& [bundle, flow] : done_) {
    max_min_.leave(bundle);
    --active_;
    settled_ = false;
    finish(flow, completed);
  }
  while (pending_.next_time() == now_) {
    const auto flow = static_cast<std::uint32_t>(pending_.pop().payload);
    if (flows_[flow].work > 0)
      activate(flow);
    else
      finish(flow, completed);
  }
  if (completed.size() - old_size < 2) return;
  std::sort(completed.begin() + static_cast<std::ptrdiff_t>(old_size), completed.end(),
            [this](const Completion& a, const Completion& b) {
              return flows_[static_cast<std::size_t>(a.flow)].start <
                     flows_[static_cast<std::size_t>(b.flow)].start;
            });
}

void FlowNetwork::State::finish(std::uint32_t slot, std::vector<Completion>& completed) {
  Flow& flow = flows_[slot];
  completed.push_back({FlowId{slot}, flow.tag});
  bundles_.release(flow.bundle);
  (flow.before == none ? first_ : flows_[flow.before].after) = flow.after;
  (flow.after == none ? last_ : flows_[flow.after].before) = flow.before;
  flow.active = false;
  flow.alive = false;
  free_.push_back(slot);
}

// --- rates --------------------------------------------------------------------------------------

void FlowNetwork::State::settle(Time now) {
  move_to(now);
  if (settled_) return;
  max_min_.solve();
  for (const std::uint32_t resource : max_min_.changed_resources()) {
    const FillKey key = max_min_.key(resource);
    if (key != FillKey::none()) clocks_.set_rate(resource_clocks_[resource], key.level(), now_);
  }
  for (const BundleId bundle : max_min_.moved_bundles()) drive(bundle);
  clocks_.refresh();
  settled_ = true;
}

// Lets the clock of its bottleneck drive the bundle: that of a resource or, at its cap, its own.
void FlowNetwork::State::drive(BundleId bundle) {
  const FillKey bottleneck = max_min_.bottleneck(bundle);
  if (bottleneck.resource() != FillKey::no_number) {
    clocks_.drive(bundle, resource_clocks_[bottleneck.resource()], now_);
    return;
  }
  if (cap_clocks_.size() <= bundle) cap_clocks_.resize(bundle + 1, no_clock);
  ClockId& clock = cap_clocks_[bundle];
  if (clock == no_clock) clock = clocks_.add_clock();
  clocks_.set_rate(clock, bottleneck.level(), now_);
  clocks_.drive(bundle, clock, now_);
}

Time FlowNetwork::State::next_event() const {
  const Time time = next();
  return time == Time::max() ? time : time + origin_;
}

const FlowNetwork::State::Flow& FlowNetwork::State::at(FlowId flow) const {
  const auto slot = static_cast<std::size_t>(flow);
  MEMSIM_CHECK(slot < flows_.size() && flows_[slot].alive, "unknown flow");
  return flows_[slot];
}

Bandwidth FlowNetwork::State::rate(FlowId id) const {
  const Flow& flow = at(id);
  return Bandwidth(flow.active ? clocks_.rate(flow.bundle) : 0);
}

ResourceId FlowNetwork::State::bottleneck(FlowId id) const {
  const Flow& flow = at(id);
  return flow.active ? ResourceId{max_min_.bottleneck(flow.bundle).resource()} : no_resource;
}

// --- state --------------------------------------------------------------------------------------

void FlowNetwork::State::add_state(Digest& digest, Time now) const {
  MEMSIM_CHECK(settled_ && now - origin_ >= now_, "the state is not settled");
  const Time inside = now - origin_;
  for (std::uint32_t slot = first_; slot != none; slot = flows_[slot].after) {
    const Flow& flow = flows_[slot];
    digest.add(flow.tag).add(bundles_.fingerprint(flow.bundle));
    const Work work = flow.active ? flow.work - clocks_.count(flow.bundle, inside) : flow.work;
    digest.add(static_cast<std::uint64_t>(static_cast<UInt128>(work) >> 64));
    digest.add(static_cast<std::uint64_t>(work));
    // An active flow has no time left to its activation; a pending one may be due right now.
    digest.add(flow.active ? Duration(-1) : flow.activation - inside);
  }
}

void FlowNetwork::State::shift(Duration by) {
  MEMSIM_CHECK(settled_ && by >= Duration(0), "a shift into the past, or before settling");
  origin_ += by;
}

// --- the interface ------------------------------------------------------------------------------

FlowNetwork::FlowNetwork() : state_(std::make_unique<State>()) {}
FlowNetwork::~FlowNetwork() = default;
FlowNetwork::FlowNetwork(FlowNetwork&&) noexcept = default;
FlowNetwork& FlowNetwork::operator=(FlowNetwork&&) noexcept = default;

ResourceId FlowNetwork::add_resource(Bandwidth capacity) { return state_->add_resource(capacity); }
Bandwidth FlowNetwork::capacity(ResourceId resource) const { return state_->capacity(resource); }
FlowId FlowNetwork::start(Time now, const FlowSpec& spec) { return state_->start(now, spec); }
void FlowNetwork::collect(Time now, std::vector<Completion>& completed) {
  state_->collect(now, completed);
}
void FlowNetwork::settle(Time now) { state_->settle(now); }
Time FlowNetwork::next_event() const { return state_->next_event(); }
Bandwidth FlowNetwork::rate(FlowId flow) const { return state_->rate(flow); }
ResourceId FlowNetwork::bottleneck(FlowId flow) const { return state_->bottleneck(flow); }
std::size_t FlowNetwork::active_flows() const { return state_->active_flows(); }
void FlowNetwork::add_state(Digest& digest, Time now) const { state_->add_state(digest, now); }
void FlowNetwork::shift(Duration by) { state_->shift(by); }

}  // namespace memsim::sim
