#include "models/machine/copy_way.hpp"

#include <algorithm>
#include <utility>

namespace memsim::models {
namespace {

// What a route reaches alone, its own cap aside.
sim::Bandwidth alone(const MachineGraph& graph, const sim::Route& route) {
  sim::Bandwidth rate = sim::Bandwidth::max();
  for (const sim::Hop& hop : route.hops) {
    const Resource& resource = graph.resources()[static_cast<std::size_t>(hop.resource)];
    rate = std::min(rate, resource.capacity / hop.weight);
  }
  return rate;
}

// Each byte passes the one, then the other: 1 / (1/a + 1/b), rounded down.
sim::Bandwidth one_after_the_other(sim::Bandwidth a, sim::Bandwidth b) {
  return sim::Bandwidth(sim::scale(a.value(), b.value(), (a + b).value()));
}

}  // namespace

sim::Route dma_route(const MachineGraph& graph, NodeRef from, NodeRef to) {
  sim::Route route = graph.links(from, to);
  graph.add_memory_hop(route, from, Access::read);
  graph.add_memory_hop(route, to, Access::write);
  return route;
}

sim::Route staged_route(const MachineGraph& graph, NodeRef from, NodeRef to, NodeRef host) {
  sim::Route route = graph.links(from, to);
  const bool down = from == host;
  route.cap = graph.numa().at(host.index).memcpy;
  if (graph.spec().host.staging == Staging::serial)
    route.cap = one_after_the_other(route.cap, alone(graph, dma_route(graph, from, to)));
  graph.add_memory_hop(route, host, Access::mixed, 3);
  graph.add_memory_hop(route, down ? to : from, down ? Access::write : Access::read);
  graph.add_thread_hops(route, host.index);
  return route;
}

sim::Route bounced_route(const MachineGraph& graph, NodeRef from, NodeRef host, NodeRef to) {
  sim::Route route = dma_route(graph, from, host);
  const sim::Route second = dma_route(graph, host, to);
  for (const sim::Hop& hop : second.hops) add_hop(route, hop.resource, hop.weight);
  route.latency += second.latency;
  route.cap = std::min(route.cap, second.cap);
  route.name = graph.name(from) + " to " + graph.name(to);
  return route;
}

sim::Route local_route(const MachineGraph& graph, NodeRef at) {
  sim::Route route;
  route.name = graph.name(at) + " to itself";
  graph.add_memory_hop(route, at, Access::mixed, 2);
  if (at.kind == NodeKind::numa) {
    graph.add_thread_hops(route, at.index);
    route.cap = graph.numa().at(at.index).memcpy;
  }
  return route;
}

sim::Route thread_route(const MachineGraph& graph, NodeRef from, NodeRef to) {
  sim::Route route = dma_route(graph, from, to);
  route.cap = graph.numa().at(from.index).memcpy;
  return route;
}

}  // namespace memsim::models
