#include "tests/sim/flow/flow_run.hpp"

#include <algorithm>

namespace memsim::test {

using sim::Time;

std::vector<Time> run_requests(
    sim::FlowNetwork& network, const std::vector<Request>& requests,
    const std::function<void(Time, const std::vector<sim::FlowId>&)>& after_settle) {
  std::vector<Time> completions(requests.size(), Time::max());
  std::vector<sim::FlowId> ids(requests.size());
  std::vector<bool> started(requests.size(), false);
  std::vector<sim::FlowNetwork::Completion> completed;
  for (;;) {
    Time now = network.next_event();
    for (std::size_t i = 0; i < requests.size(); ++i)
      if (!started[i]) now = std::min(now, requests[i].start);
    if (now == Time::max()) return completions;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (started[i] || requests[i].start != now) continue;
      const Request& request = requests[i];
      ids[i] = network.start(now, {request.hops, request.amount, request.latency, request.cap, i});
      started[i] = true;
    }
    while (network.next_event() == now) {
      completed.clear();
      network.collect(now, completed);
      for (const auto& completion : completed) completions[completion.tag] = now;
    }
    network.settle(now);
    if (after_settle) after_settle(now, ids);
  }
}

}  // namespace memsim::test
