#include "models/machine/machine.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/machine/link_curve.hpp"
#include "models/machine/machine_graph.hpp"

namespace memsim::models {

namespace {

// The host part of a copy's call: the largest that a link on the way states.
std::optional<sim::Duration> copy_overhead(const MachineGraph& graph, NodeRef from, NodeRef to) {
  std::optional<sim::Duration> largest;
  for (const Crossing& crossing : graph.path(from, to).crossings) {
    const Lane& lane = graph.lanes()[crossing.connection];
    if (lane.link) largest = std::max(largest, graph.spec().links[*lane.link].part.overhead);
  }
  return largest;
}

std::uint32_t engine_count(const GpuSpec& gpu) {
  return static_cast<std::uint32_t>(gpu.copy.host_to_device + gpu.copy.device_to_host +
                                    gpu.copy.peer);
}

sim::Route through(std::vector<sim::Hop> hops) {
  sim::Route route;
  route.hops = std::move(hops);
  return route;
}

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

// A copy from or to pageable memory. A staged byte crosses DDR three times (read and written by the
// copying thread, read or written by the DMA) and passes through one thread's memcpy. Overlapped,
// the slower of memcpy and DMA decides; serial, the copy alone takes the time of both.
sim::Route staged(const MachineGraph& graph, NodeRef from, NodeRef to, NodeRef host) {
  sim::Route route = graph.links(from, to);
  const bool down = from == host;
  const auto add_device = [&](sim::Route& way) {
    graph.add_memory_hop(way, down ? to : from, down ? Access::write : Access::read);
  };
  route.cap = graph.numa().at(host.index).memcpy;
  if (graph.spec().host.staging == Staging::serial) {
    sim::Route dma = route;
    graph.add_memory_hop(dma, host, down ? Access::read : Access::write);
    add_device(dma);
    route.cap = one_after_the_other(route.cap, alone(graph, dma));
  }
  graph.add_memory_hop(route, host, Access::mixed, 3);
  add_device(route);
  graph.add_thread_hops(route, host.index);
  return route;
}

}  // namespace

std::uint32_t engine_index(const GpuSpec& gpu, CopyEngine kind, std::int64_t which) {
  const CopyEngineSpec& engines = gpu.copy;
  std::int64_t first = 0;
  std::int64_t count = engines.host_to_device;
  if (kind != CopyEngine::host_to_device) {
    first += count;
    count = engines.device_to_host;
  }
  if (kind == CopyEngine::peer) {
    first += count;
    count = engines.peer;
  }
  MEMSIM_CHECK(which >= 0 && which < count, "a copy engine that the GPU does not have");
  return static_cast<std::uint32_t>(first + which);
}

Machine::Machine(SystemSpec spec) : graph_(std::make_unique<const MachineGraph>(std::move(spec))) {}
Machine::~Machine() = default;
Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;

const SystemSpec& Machine::spec() const { return graph_->spec(); }

const GpuSpec& Machine::gpu(std::size_t index) const {
  MEMSIM_CHECK(index < gpu_count(), "a GPU that the machine does not have");
  return graph_->spec().gpus[index].part;
}

std::size_t Machine::gpu_count() const { return graph_->spec().gpus.size(); }

std::span<const Resource> Machine::resources() const { return graph_->resources(); }

std::string_view Machine::resource_name(sim::ResourceId id) const {
  const auto at = static_cast<std::size_t>(id);
  MEMSIM_CHECK(at < graph_->resources().size(), "a resource that the machine does not have");
  return graph_->resources()[at].name;
}

sim::FlowNetwork Machine::network() const {
  sim::FlowNetwork network;
  for (const Resource& resource : graph_->resources()) network.add_resource(resource.capacity);
  return network;
}

std::string Machine::node_name(NodeRef node) const { return graph_->name(node); }

std::uint32_t Machine::home_numa(std::size_t gpu) const {
  const NodeRef device{NodeKind::gpu, static_cast<std::uint32_t>(gpu)};
  std::uint32_t home = 0;
  sim::Duration cheapest = sim::Duration::max();
  for (std::uint32_t i = 0; i < graph_->numa().size(); ++i) {
    const Path way = graph_->path({NodeKind::numa, i}, device);
    if (way.crossings.empty() || way.cost >= cheapest) continue;
    cheapest = way.cost;
    home = i;
  }
  MEMSIM_CHECK(cheapest != sim::Duration::max(), "a GPU that no host memory reaches");
  return home;
}

sim::Route Machine::route(NodeRef from, NodeRef to) const {
  sim::Route route = graph_->links(from, to);
  graph_->add_memory_hop(route, from, Access::read);
  graph_->add_memory_hop(route, to, Access::write);
  return route;
}

sim::Duration Machine::start_up(NodeRef from, NodeRef to, sim::Bytes bytes) const {
  sim::Duration sum;
  for (const Crossing& crossing : graph_->path(from, to).crossings) {
    const Lane& lane = graph_->lanes()[crossing.connection];
    if (!lane.link) continue;
    const LinkSpec& part = graph_->spec().links[*lane.link].part;
    sum += models::start_up(part, crossing.forward ? part.forward : part.backward, bytes);
  }
  return sum;
}

sim::Placement Machine::placement(std::size_t gpu) const { return placement(gpu, home_numa(gpu)); }

sim::Placement Machine::placement(std::size_t gpu, std::uint32_t numa) const {
  const GpuSpec& part = this->gpu(gpu);
  const NodeRef device{NodeKind::gpu, static_cast<std::uint32_t>(gpu)};
  const NodeRef host{NodeKind::numa, numa};
  const NumaSpec& memory = graph_->numa().at(numa);

  sim::Placement placement;
  placement.routes.resize(local_route_count);
  const auto set = [&](LocalRoute which, sim::Route route, std::string name) {
    route.name = std::move(name);
    placement.routes[index(which)] = std::move(route);
  };
  set(LocalRoute::compute, through({{graph_->sms(gpu), 1}}), "compute");
  set(LocalRoute::hbm, through({{graph_->hbm(gpu), dram_unit}}), memory_family(part.memory.kind));
  set(LocalRoute::h2d_pinned, route(host, device), "host to device");
  set(LocalRoute::d2h_pinned, route(device, host), "device to host");
  set(LocalRoute::h2d_pageable, staged(*graph_, host, device, host), "host to device, pageable");
  set(LocalRoute::d2h_pageable, staged(*graph_, device, host, host), "device to host, pageable");
  sim::Route threads;
  graph_->add_memory_hop(threads, host, Access::mixed);
  graph_->add_thread_hops(threads, numa);
  set(LocalRoute::host_memory, std::move(threads), memory_family(memory.memory.kind));

  std::uint32_t first_engine = 0;
  for (std::size_t i = 0; i < gpu; ++i) first_engine += engine_count(this->gpu(i));
  for (std::uint32_t i = 0; i < engine_count(part); ++i) {
    placement.engines.push_back(first_engine + i);
  }
  placement.driver.launch = part.compute.launch;
  placement.driver.malloc = part.driver.malloc;
  placement.driver.free = part.driver.free;
  placement.driver.map = part.driver.map;
  placement.driver.unmap = part.driver.unmap;
  placement.driver.copy = copy_overhead(*graph_, host, device);
  return placement;
}

}  // namespace memsim::models
