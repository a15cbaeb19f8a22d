#include "scenarios/transfer/shares.hpp"

#include <algorithm>
#include <map>

#include "sim/flow/flow_network.hpp"

namespace memsim::scenarios {
namespace {

// What the network gives these transfers when they flow together.
std::vector<Share> shares_of(const models::Machine& machine,
                             const std::vector<models::CopyWay>& ways,
                             const std::vector<std::size_t>& together) {
  sim::FlowNetwork network = machine.network();
  std::vector<sim::FlowId> flows;
  for (const std::size_t transfer : together) {
    const sim::Route& route = ways[transfer].route;
    flows.push_back(
        network.start(sim::Time(0), {.hops = route.hops, .amount = 1, .cap = route.cap}));
  }
  std::vector<sim::FlowNetwork::Completion> none;
  network.collect(sim::Time(0), none);
  network.settle(sim::Time(0));
  std::vector<Share> shares;
  shares.reserve(together.size());
  for (std::size_t i = 0; i < together.size(); ++i)
    shares.push_back({together[i], network.rate(flows[i]), network.bottleneck(flows[i])});
  return shares;
}

struct Change {
  sim::Time time;
  std::size_t transfer;
  bool begins;
};

}  // namespace

std::vector<Stretch> stretches(const models::Machine& machine,
                               const std::vector<models::CopyWay>& ways,
                               const std::vector<Flowing>& flowing) {
  std::vector<Change> changes;
  for (const Flowing& each : flowing) {
    changes.push_back({each.begin, each.transfer, true});
    changes.push_back({each.end, each.transfer, false});
  }
  std::ranges::stable_sort(changes, {}, &Change::time);
  std::map<std::vector<std::size_t>, std::vector<Share>> known;
  std::vector<std::int64_t> open(ways.size(), 0);
  std::vector<Stretch> result;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    open[changes[i].transfer] += changes[i].begins ? 1 : -1;
    if (i + 1 == changes.size() || changes[i + 1].time == changes[i].time) continue;
    std::vector<std::size_t> together;
    for (std::size_t t = 0; t < open.size(); ++t)
      if (open[t] > 0) together.push_back(t);
    if (together.empty()) continue;
    const auto [entry, is_new] = known.try_emplace(together);
    if (is_new) entry->second = shares_of(machine, ways, together);
    result.push_back({changes[i + 1].time - changes[i].time, entry->second});
  }
  return result;
}

}  // namespace memsim::scenarios
