// Two transfers share a link of 10 GB/s: 10 GB and 20 GB, started together.
//
// Both run at 5 GB/s until the small one has moved its 10 GB, after 2 s. The large one then has
// 10 GB left and the whole link: 1 s more, 3 s in all.
#include <cstdio>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/flow/flow_network.hpp"
#include "validate/compare/kind.hpp"

using namespace memsim::sim::literals;

int main() {
  memsim::sim::FlowNetwork network;
  const std::vector<memsim::sim::Hop> link{{network.add_resource(10_GBps)}};
  const memsim::sim::Time start;
  network.start(start, {.hops = link, .amount = (10_GB).value(), .tag = 1});
  network.start(start, {.hops = link, .amount = (20_GB).value(), .tag = 2});
  network.settle(start);

  std::vector<memsim::sim::Time> ends(3);
  std::vector<memsim::sim::FlowNetwork::Completion> completed;
  while (network.next_event() != memsim::sim::Time::max()) {
    const memsim::sim::Time now = network.next_event();
    completed.clear();
    network.collect(now, completed);
    for (const auto& completion : completed) ends[completion.tag] = now;
    network.settle(now);
  }

  const bool right = ends[1] == start + 2_s && ends[2] == start + 3_s;
  std::printf("ends after %lld and %lld ps; %zu kinds of data\n",
              static_cast<long long>(ends[1].value()), static_cast<long long>(ends[2].value()),
              memsim::validate::kinds().size());
  return right && !memsim::validate::kinds().empty() ? 0 : 1;
}
