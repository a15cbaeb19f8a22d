// The peer of flow_bench.cpp: the same scenarios in SimGrid, and how far its completion times are
// from memsim's. Built where SimGrid is installed.
//
// Network model CM02 without TCP effects, as the scenarios mean it. A flow is a communication
// between two hosts that no other flow uses, over a route of its own.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "tests/bench/flow_scenarios.hpp"
#include "validate/compare/flow_runner.hpp"

namespace {

using namespace memsim;
namespace s4u = simgrid::s4u;

double in_seconds(std::int64_t picoseconds) { return static_cast<double>(picoseconds) / 1e12; }

class Simulation {
 public:
  Simulation(s4u::Engine& engine, const validate::FlowScenario& scenario)
      : engine_(engine), scenario_(scenario), ends_(scenario.flows.size(), -1) {
    build_hosts();
    build_links_and_routes();
    build_flows();
  }

  // Completion times in seconds, by flow.
  const std::vector<double>& run() {
    engine_.run();
    return ends_;
  }

 private:
  // Every flow has its own ordered pair of hosts: n hosts serve n (n - 1) flows.
  void build_hosts() {
    while (hosts_.size() * (hosts_.empty() ? 0 : hosts_.size() - 1) < scenario_.flows.size())
      hosts_.push_back(zone_->create_host("h" + std::to_string(hosts_.size()), 1e9));
  }
  s4u::Host* source(std::size_t flow) const { return hosts_[flow / (hosts_.size() - 1)]; }
  s4u::Host* destination(std::size_t flow) const {
    const std::size_t from = flow / (hosts_.size() - 1);
    const std::size_t to = flow % (hosts_.size() - 1);
    return hosts_[to < from ? to : to + 1];
  }

  void build_links_and_routes() {
    std::vector<s4u::Link*> links;
    for (const auto& link : scenario_.links)
      links.push_back(zone_
                          ->create_link("l" + std::to_string(links.size()),
                                        static_cast<double>(link.bandwidth.value()))
                          ->set_latency(in_seconds(link.latency.value()))
                          ->seal());
    for (std::size_t i = 0; i < scenario_.flows.size(); ++i) {
      std::vector<s4u::LinkInRoute> route;
      for (const std::uint32_t link : scenario_.flows[i].links) route.emplace_back(links[link]);
      zone_->add_route(source(i)->get_netpoint(), destination(i)->get_netpoint(), nullptr, nullptr,
                       route, false);
    }
    zone_->seal();
  }

  // One actor per flow: it waits for its start time and its predecessors, then sends.
  void build_flows() {
    for (std::size_t i = 0; i < scenario_.flows.size(); ++i)
      released_.push_back(s4u::Semaphore::create(0));
    std::vector<std::vector<std::size_t>> followers(scenario_.flows.size());
    for (std::size_t i = 0; i < scenario_.flows.size(); ++i)
      for (const std::uint32_t earlier : scenario_.flows[i].after) followers[earlier].push_back(i);
    for (std::size_t i = 0; i < scenario_.flows.size(); ++i)
      s4u::Actor::create("flow", hosts_[0], [this, i, released = followers[i]] {
        const auto& flow = scenario_.flows[i];
        if (flow.start > sim::Time(0)) s4u::this_actor::sleep_until(in_seconds(flow.start.value()));
        for (std::size_t k = 0; k < flow.after.size(); ++k) released_[i]->acquire();
        s4u::Comm::sendto(source(i), destination(i),
                          static_cast<std::uint64_t>(flow.bytes.value()));
        ends_[i] = s4u::Engine::get_clock();
        for (const std::size_t follower : released) released_[follower]->release();
      });
  }

  s4u::Engine& engine_;
  const validate::FlowScenario& scenario_;
  s4u::NetZone* zone_ = s4u::create_full_zone("zone");
  std::vector<s4u::Host*> hosts_;
  std::vector<s4u::SemaphorePtr> released_;  // by flow: once per predecessor
  std::vector<double> ends_;
};

// SimGrid allows one engine per process.
void run_here(const bench::NamedScenario& named) {
  std::vector<std::string> arguments{"simgrid",
                                     "--cfg=network/model:CM02",
                                     "--cfg=network/bandwidth-factor:1",
                                     "--cfg=network/latency-factor:1",
                                     "--cfg=network/weight-S:0",
                                     "--cfg=network/TCP-gamma:0",
                                     "--cfg=network/crosstraffic:0",
                                     "--cfg=surf/precision:1e-12",
                                     "--cfg=contexts/stack-size:64",
                                     "--cfg=contexts/guard-size:0",
                                     "--log=root.thresh:error"};
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  s4u::Engine engine(&count, pointers.data());
  Simulation simulation(engine, named.scenario);
  const std::clock_t begin = std::clock();
  const std::vector<double>& ends = simulation.run();
  const double cpu_seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const auto expected = validate::run_flow_scenario(named.scenario);
  double worst = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const double own = in_seconds(expected[i].value_or(sim::Time::max()).value());
    worst = std::max(worst, std::abs(ends[i] - own) / own);
  }
  std::printf("%-28s %10.0f completions/s of CPU   largest difference %.1e\n", named.name.c_str(),
              static_cast<double>(ends.size()) / cpu_seconds, worst);
  std::fflush(stdout);
}

}  // namespace

// Arguments: the names of the scenarios to run; none: all.
int main(int count, char** arguments) {
  const std::vector<std::string> names(arguments + 1, arguments + count);
  for (const bench::NamedScenario& named : bench::flow_scenarios()) {
    if (!names.empty() && std::find(names.begin(), names.end(), named.name) == names.end())
      continue;
    const pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) {
      run_here(named);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) return 1;
  }
  return 0;
}
