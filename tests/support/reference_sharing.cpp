#include "tests/support/reference_sharing.hpp"

#include <algorithm>
#include <utility>

namespace memsim::test {
namespace {

using sim::Int128;
using sim::Time;

struct PlainResource {
  std::int64_t room;
  sim::ResourceId id;                                       // no_resource: a cap
  std::vector<std::pair<std::size_t, std::int64_t>> flows;  // flow, weight
};

std::int64_t unfrozen_weight(const PlainResource& resource, const std::vector<bool>& frozen) {
  std::int64_t sum = 0;
  for (const auto& [flow, weight] : resource.flows) sum += frozen[flow] ? 0 : weight;
  return sum;
}

// The resource with the least level, the first of several; with its level.
std::pair<PlainResource*, std::int64_t> least_filled(std::vector<PlainResource>& resources,
                                                     const std::vector<bool>& frozen) {
  std::pair<PlainResource*, std::int64_t> least{nullptr, 0};
  for (PlainResource& resource : resources) {
    const std::int64_t weight = unfrozen_weight(resource, frozen);
    if (weight == 0) continue;
    const std::int64_t level = resource.room / weight;
    if (least.first == nullptr || level < least.second) least = {&resource, level};
  }
  return least;
}

}  // namespace

std::vector<ReferenceShare> fill_from_scratch(const std::vector<std::int64_t>& capacities,
                                              const std::vector<ReferenceDemand>& flows) {
  std::vector<PlainResource> resources;
  for (std::uint32_t i = 0; i < capacities.size(); ++i)
    resources.push_back({capacities[i], sim::ResourceId{i}, {}});
  for (std::size_t flow = 0; flow < flows.size(); ++flow) {
    for (const sim::Hop& hop : flows[flow].hops)
      resources[static_cast<std::size_t>(hop.resource)].flows.emplace_back(flow, hop.weight);
    if (flows[flow].cap != sim::Bandwidth::max().value())
      resources.push_back({flows[flow].cap, sim::no_resource, {{flow, 1}}});
  }
  std::vector<ReferenceShare> shares(flows.size());
  std::vector<bool> frozen(flows.size(), false);
  for (;;) {
    const auto [least, level] = least_filled(resources, frozen);
    if (least == nullptr) return shares;
    for (const auto& [flow, unused] : least->flows) {
      if (frozen[flow]) continue;
      frozen[flow] = true;
      shares[flow] = {level, least->id};
      for (const sim::Hop& hop : flows[flow].hops)
        resources[static_cast<std::size_t>(hop.resource)].room -= level * hop.weight;
    }
  }
}

std::size_t ReferenceNetwork::start(Time now, ReferenceDemand demand, std::int64_t amount,
                                    sim::Duration latency) {
  advance(now);
  Flow flow{std::move(demand),
            static_cast<Int128>(amount) * sim::picoseconds_per_second,
            now + latency,
            pending_state,
            {}};
  if (latency == sim::Duration(0) && amount > 0) flow.state = active_state;
  flows_.push_back(std::move(flow));
  return flows_.size() - 1;
}

void ReferenceNetwork::advance(Time now) {
  for (Flow& flow : flows_)
    if (flow.state == active_state)
      flow.left -= static_cast<Int128>(flow.share.rate) * (now - now_).value();
  now_ = now;
}

std::vector<std::size_t> ReferenceNetwork::collect(Time now) {
  advance(now);
  std::vector<std::size_t> completed;
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    Flow& flow = flows_[i];
    const bool due = flow.state == pending_state && flow.activation <= now;
    if (due && flow.left > 0) flow.state = active_state;
    if ((due || flow.state == active_state) && flow.left <= 0) {
      flow.state = done_state;
      completed.push_back(i);
    }
  }
  return completed;
}

void ReferenceNetwork::settle(Time now) {
  advance(now);
  std::vector<ReferenceDemand> demands;
  for (const Flow& flow : flows_)
    if (flow.state == active_state) demands.push_back(flow.demand);
  const std::vector<ReferenceShare> shares = fill_from_scratch(capacities_, demands);
  std::size_t next = 0;
  for (Flow& flow : flows_)
    if (flow.state == active_state) flow.share = shares[next++];
}

Time ReferenceNetwork::next_event() const {
  Time next = Time::max();
  for (const Flow& flow : flows_) {
    if (flow.state == pending_state) next = std::min(next, flow.activation);
    if (flow.state != active_state || flow.share.rate == 0) continue;
    const Int128 wait = (flow.left + flow.share.rate - 1) / flow.share.rate;
    if (wait < (Time::max() - now_).value())
      next = std::min(next, now_ + sim::Duration(sim::narrow(wait)));
  }
  return next;
}

}  // namespace memsim::test
