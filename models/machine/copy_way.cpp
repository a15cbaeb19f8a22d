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

// Each byte passes the one, then the other: 1 / (1/a + 1/b), rounded down. The largest bandwidth
// stands for no limit.
sim::Bandwidth one_after_the_other(sim::Bandwidth a, sim::Bandwidth b) {
  if (a == sim::Bandwidth::max()) return b;
  if (b == sim::Bandwidth::max()) return a;
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
  const NumaSpec& memory = graph.numa().at(host.index);
  route.cap = down ? memory.memcpy : memory.memcpy_up.value_or(memory.memcpy);
  if (graph.spec().host.staging == Staging::serial)
    route.cap = one_after_the_other(route.cap, alone(graph, dma_route(graph, from, to)));
  graph.add_memory_hop(route, host, Access::mixed, 3);
  graph.add_memory_hop(route, down ? to : from, down ? Access::write : Access::read);
  graph.add_thread_hops(route, host.index);
  return route;
}

sim::Route relayed_route(const MachineGraph& graph, NodeRef from, NodeRef host, NodeRef to) {
  sim::Route route = dma_route(graph, from, host);
  const sim::Route second = dma_route(graph, host, to);
  for (const sim::Hop& hop : second.hops) add_hop(route, hop.resource, hop.weight);
  route.latency += second.latency;
  route.cap = std::min(route.cap, second.cap);
  route.name = graph.name(from) + " to " + graph.name(to);
  return route;
}

sim::Route bounced_route(const MachineGraph& graph, NodeRef from, NodeRef host, NodeRef to) {
  sim::Route route = relayed_route(graph, from, host, to);
  const BounceSpec& bounce = graph.spec().gpus.at(from.index).part.bounce;
  if (bounce.wait.value() == 0) return route;
  const sim::Duration chunk = sim::transfer_time(bounce.chunk, alone(graph, route)) + bounce.wait;
  const std::int64_t per_byte =
      sim::ceil_div(sim::checked_mul(chunk.value(), bounce_unit), bounce.chunk.value());
  for (const NodeRef gpu : {from, to}) {
    const sim::ResourceId chunks = graph.bounce(gpu.index);
    if (chunks != sim::no_resource) add_hop(route, chunks, per_byte);
  }
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

sim::Route cached_route(const MachineGraph& graph, NodeRef gpu) {
  sim::Route route;
  route.name = graph.name(gpu) + " L2";
  route.cap = graph.spec().gpus.at(gpu.index).part.l2.bandwidth / 2;
  return route;
}

bool fits_cache(const GpuSpec& gpu, sim::Bytes copied) {
  return gpu.l2.bandwidth.value() > 1 && copied * 2 <= gpu.l2.size;
}

CopyWay striped(const Interleave& from, const Interleave& to,
                const std::function<sim::Route(NodeRef, NodeRef)>& leg) {
  CopyWay way;
  way.stripe = from.total() * to.total();
  for (const NodeShare& source : from.shares()) {
    for (const NodeShare& target : to.shares()) {
      const sim::Route one = leg(source.node, target.node);
      const std::int64_t weight = source.weight * target.weight;
      if (way.route.name.empty()) way.route.name = one.name;
      way.route.latency = std::max(way.route.latency, one.latency);
      for (const sim::Hop& hop : one.hops) add_hop(way.route, hop.resource, hop.weight * weight);
      if (one.cap < sim::Bandwidth::max())
        way.route.cap = one_after_the_other(way.route.cap, one.cap / weight);
    }
  }
  return way;
}

}  // namespace memsim::models
