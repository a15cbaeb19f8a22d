#include "models/machine/machine.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/machine/copy_way.hpp"
#include "models/machine/link_curve.hpp"
#include "models/machine/machine_graph.hpp"
#include "models/machine/memory_latency.hpp"

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

// Whether a node reads and writes the memories of others by itself.
bool is_own_master(NodeRef node) {
  return node.kind == NodeKind::drive || node.kind == NodeKind::nic;
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

// The machine-wide number of a GPU's first engine: they are numbered GPU after GPU.
std::uint32_t first_engine(const SystemSpec& spec, std::size_t gpu) {
  std::uint32_t first = 0;
  for (std::size_t i = 0; i < gpu; ++i) first += engine_count(spec.gpus[i].part);
  return first;
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
  return home_numa(NodeRef{NodeKind::gpu, static_cast<std::uint32_t>(gpu)});
}

std::uint32_t Machine::home_numa(NodeRef device) const {
  std::uint32_t home = 0;
  sim::Duration cheapest = sim::Duration::max();
  for (std::uint32_t i = 0; i < graph_->numa().size(); ++i) {
    const Path way = graph_->path({NodeKind::numa, i}, device);
    if (way.crossings.empty() || way.cost >= cheapest) continue;
    cheapest = way.cost;
    home = i;
  }
  MEMSIM_CHECK(cheapest != sim::Duration::max(), "a device that no host memory reaches");
  return home;
}

sim::Route Machine::route(NodeRef from, NodeRef to) const { return dma_route(*graph_, from, to); }

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

namespace {

constexpr std::string_view one_thread = "memcpy of one thread";

// Between NUMA nodes, or within one: a CPU thread reads and writes.
CopyWay threads_way(const MachineGraph& graph, const CopyRequest& asked) {
  CopyWay way = striped(asked.from, asked.to, [&](NodeRef from, NodeRef to) {
    return from == to ? local_route(graph, from) : thread_route(graph, from, to);
  });
  way.own_limit = one_thread;
  return way;
}

}  // namespace

sim::Duration Machine::longest_start_up(const CopyRequest& asked) const {
  sim::Duration longest;
  for (const NodeShare& from : asked.from.shares())
    for (const NodeShare& to : asked.to.shares())
      longest = std::max(longest, start_up(from.node, to.node, asked.bytes));
  return longest;
}

CopyWay Machine::device_way(const CopyRequest& asked) const {
  const NodeRef from = asked.from.node();
  const NodeRef to = asked.to.node();
  const NodeRef device = is_own_master(from) ? from : to;
  const NodeRef other = device == from ? to : from;
  const bool gpudirect = device.kind == NodeKind::drive ? spec().drives[device.index].part.gpudirect
                                                        : spec().nics[device.index].part.gpudirect;
  CopyWay way;
  if (other.kind == NodeKind::numa || (other.kind == NodeKind::gpu && gpudirect)) {
    way = striped(asked.from, asked.to,
                  [&](NodeRef source, NodeRef target) { return route(source, target); });
    way.start_up = longest_start_up(asked);
  } else {
    const NodeRef host{NodeKind::numa, home_numa(device)};
    way.route = relayed_route(*graph_, from, host, to);
    way.start_up = start_up(from, host, asked.bytes) + start_up(host, to, asked.bytes);
  }
  way.own_limit = "requests in flight";
  return way;
}

CopyWay Machine::host_way(const CopyRequest& asked) const {
  const bool down = asked.to.node().kind == NodeKind::gpu;
  CopyWay way = striped(asked.from, asked.to, [&](NodeRef from, NodeRef to) {
    return asked.pageable ? staged_route(*graph_, from, to, down ? from : to) : route(from, to);
  });
  way.own_limit = one_thread;
  way.start_up = longest_start_up(asked);
  return way;
}

CopyWay Machine::gpu_way(NodeRef from, NodeRef to, sim::Bytes bytes) const {
  const GpuSpec& part = gpu(from.index);
  CopyWay way;
  if (from == to) {
    way.route = fits_cache(part, bytes) ? cached_route(*graph_, from) : local_route(*graph_, from);
    way.own_limit = "L2 of " + node_name(from);
  } else if (part.copy.peer > 0) {
    way.route = route(from, to);
    way.own_limit = "root complex, between devices";
    way.start_up = start_up(from, to, bytes);
  } else {
    const NodeRef host{NodeKind::numa, home_numa(from.index)};
    way.route = bounced_route(*graph_, from, host, to);
    way.start_up = start_up(from, host, bytes) + start_up(host, to, bytes);
  }
  return way;
}

CopyWay Machine::copy(const CopyRequest& asked) const {
  const NodeRef from = asked.from.node();
  const NodeRef to = asked.to.node();
  if (is_own_master(from) || is_own_master(to)) return device_way(asked);
  const bool from_gpu = from.kind == NodeKind::gpu;
  const bool to_gpu = to.kind == NodeKind::gpu;
  if (!from_gpu && !to_gpu) return threads_way(*graph_, asked);
  CopyWay way = from_gpu && to_gpu ? gpu_way(from, to, asked.bytes) : host_way(asked);
  const NodeRef device = from_gpu ? from : to;
  const NodeRef host = from_gpu ? NodeRef{NodeKind::numa, home_numa(device.index)} : from;
  const GpuSpec& part = gpu(device.index);
  CopyEngine kind = from_gpu ? CopyEngine::device_to_host : CopyEngine::host_to_device;
  if (from_gpu && to_gpu && part.copy.peer > 0) kind = CopyEngine::peer;
  way.engine = first_engine(spec(), device.index) + engine_index(part, kind);
  way.overhead = copy_overhead(*graph_, host, device).value_or(part.compute.launch);
  way.wake = part.driver.wake;
  return way;
}

sim::Duration Machine::pinning(sim::Bytes bytes, std::int64_t threads) const {
  const PinningSpec& cost = spec().host.pinning;
  return cost.start + sim::transfer_time(bytes, cost.touch * threads) +
         sim::transfer_time(bytes, cost.lock);
}

MemoryLoad Machine::load(std::uint32_t numa, Fraction utilisation) const {
  const NumaSpec& node = graph_->numa().at(numa);
  const SocketSpec& socket = spec().host.sockets[graph_->socket_of(numa)];
  MemoryLoad load;
  load.utilisation = utilisation;
  load.idle = node.memory.latency + node.link.latency;
  load.latency = loaded_latency(load.idle, utilisation);
  if (load.latency.value() > 0) load.core = load_rate(socket.lines, load.latency);
  return load;
}

sim::ResourceId Machine::ddr(std::uint32_t numa) const { return graph_->ddr(numa); }

std::size_t Machine::numa_count() const { return graph_->numa().size(); }

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
  set(LocalRoute::h2d_pageable, staged_route(*graph_, host, device, host),
      "host to device, pageable");
  set(LocalRoute::d2h_pageable, staged_route(*graph_, device, host, host),
      "device to host, pageable");
  sim::Route threads;
  graph_->add_memory_hop(threads, host, Access::mixed);
  graph_->add_thread_hops(threads, numa);
  set(LocalRoute::host_memory, std::move(threads), memory_family(memory.memory.kind));

  const std::uint32_t first = first_engine(spec(), gpu);
  for (std::uint32_t i = 0; i < engine_count(part); ++i) placement.engines.push_back(first + i);
  placement.driver.launch = part.compute.launch;
  placement.driver.malloc = part.driver.malloc;
  placement.driver.free = part.driver.free;
  placement.driver.map = part.driver.map;
  placement.driver.unmap = part.driver.unmap;
  placement.driver.copy = copy_overhead(*graph_, host, device);
  return placement;
}

}  // namespace memsim::models
