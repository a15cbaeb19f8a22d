#include "models/machine/machine_graph.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace memsim::models {
namespace {

constexpr sim::Bandwidth all_sms{sim::picoseconds_per_second};
constexpr sim::Bandwidth all_chunks{sim::picoseconds_per_second * bounce_unit};

// Ways are compared by what this many bytes take: latency counts, bandwidth counts more.
constexpr sim::Bytes reference_transfer{1 << 20};

// Next to nothing, but not nothing: a way never circles through a socket for free.
constexpr sim::Duration inside_a_socket{1};

Fraction achieved(const AchievedBandwidth& by_access, Access access) {
  switch (access) {
    case Access::read:
      return by_access.read;
    case Access::write:
      return by_access.write;
    case Access::mixed:
      break;
  }
  return by_access.mixed;
}

// Requests of a copy follow each other as they are answered: each byte waits `latency` once, and so
// many are under way at a time.
sim::Bandwidth in_flight(const DriveSpec& drive, sim::Duration latency) {
  if (latency.value() == 0) return sim::Bandwidth::max();
  const sim::Int128 bytes = static_cast<sim::Int128>(drive.request.value()) * drive.queue_depth;
  const sim::Int128 rate = bytes * sim::picoseconds_per_second / latency.value();
  const sim::Int128 most = sim::Bandwidth::max().value();
  return sim::Bandwidth(static_cast<std::int64_t>(std::clamp<sim::Int128>(rate, 1, most)));
}

// Bus time of `crossings` bytes, in dram_unit per byte at nominal bandwidth.
std::int64_t dram_weight(const AchievedBandwidth& by_access, Access access,
                         std::int64_t crossings) {
  const std::int64_t ppm = achieved(by_access, access).value();
  MEMSIM_CHECK(ppm > 0, "a memory that achieves nothing");
  return crossings * sim::ceil_div(dram_unit * parts_per_million, ppm);
}

}  // namespace

void add_hop(sim::Route& route, sim::ResourceId resource, std::int64_t weight) {
  const auto hop = std::ranges::find(route.hops, resource, &sim::Hop::resource);
  if (hop == route.hops.end()) {
    route.hops.push_back({resource, weight});
  } else {
    hop->weight += weight;
  }
}

std::string memory_family(const std::string& kind) {
  return kind.substr(0, kind.find_first_of("0123456789"));
}

MachineGraph::MachineGraph(SystemSpec system) : spec_(std::move(system)) {
  number_nodes();
  for (std::uint32_t s = 0; s < spec_.host.sockets.size(); ++s) add_root_complex(s);
  for (std::uint32_t i = 0; i < numa_.size(); ++i) add_numa(i);
  for (std::uint32_t a = 0; a < spec_.host.sockets.size(); ++a) {
    for (std::uint32_t b = a + 1; b < spec_.host.sockets.size(); ++b) join_sockets(a, b);
  }
  for (const PlacedGpu& gpu : spec_.gpus) add_gpu(gpu);
  for (const PlacedDrive& drive : spec_.drives) add_drive(drive);
  for (const PlacedNic& nic : spec_.nics) add_nic(nic);
  for (std::size_t i = 0; i < spec_.links.size(); ++i) add_link(i);
}

std::string MachineGraph::name(NodeRef node) const {
  switch (node.kind) {
    case NodeKind::socket:
      return "socket" + std::to_string(node.index);
    case NodeKind::numa:
      return "numa" + std::to_string(node.index);
    case NodeKind::fabric:
      return spec_.switches.at(node.index);
    case NodeKind::drive:
      return spec_.drives.at(node.index).name;
    case NodeKind::nic:
      return spec_.nics.at(node.index).name;
    case NodeKind::gpu:
      break;
  }
  return spec_.gpus.at(node.index).name;
}

Path MachineGraph::path(NodeRef from, NodeRef to) const {
  return cheapest_path(forwards_, connections_, vertex(from), vertex(to));
}

sim::Route MachineGraph::links(NodeRef from, NodeRef to) const {
  const Path way = path(from, to);
  MEMSIM_CHECK(!way.crossings.empty(), "no way from " + name(from) + " to " + name(to));
  sim::Route route;
  route.name = name(from) + " to " + name(to);
  for (const Crossing& crossing : way.crossings) {
    const Lane& lane = lanes_[crossing.connection];
    for (const sim::ResourceId shared : crossing.forward ? lane.forward : lane.backward)
      add_hop(route, shared, 1);
    route.latency += lane.latency;
    const DeviceShare& devices = crossing.forward ? lane.devices_forward : lane.devices_backward;
    if (to.kind == NodeKind::gpu && from.kind == NodeKind::numa && devices.down)
      add_hop(route, *devices.down, 1);
    if (from.kind == NodeKind::gpu && to.kind == NodeKind::numa && devices.up)
      add_hop(route, *devices.up, 1);
  }
  if (from.kind == NodeKind::gpu && to.kind == NodeKind::gpu) route.cap = peer_cap(way);
  return route;
}

sim::Bandwidth MachineGraph::peer_cap(const Path& way) const {
  sim::Bandwidth cap = sim::Bandwidth::max();
  for (const Crossing& crossing : way.crossings) {
    const Lane& lane = lanes_[crossing.connection];
    if (!lane.link) continue;
    for (const NodeRef end : {spec_.links[*lane.link].from, spec_.links[*lane.link].to}) {
      if (end.kind != NodeKind::socket) continue;
      cap = std::min(cap, spec_.host.sockets[end.index].root_complex.peer.value_or(cap));
    }
  }
  return cap;
}

void MachineGraph::add_memory_hop(sim::Route& route, NodeRef at, Access access,
                                  std::int64_t crossings) const {
  if (at.kind == NodeKind::gpu) {
    const AchievedBandwidth& rates = spec_.gpus.at(at.index).part.memory.achieved;
    add_hop(route, hbm_[at.index], dram_weight(rates, access, crossings));
  } else if (at.kind == NodeKind::numa) {
    const AchievedBandwidth& rates = numa_.at(at.index).memory.achieved;
    add_hop(route, ddr_[at.index], dram_weight(rates, access, crossings));
  } else if (at.kind == NodeKind::drive) {
    const DriveSpec& drive = spec_.drives.at(at.index).part;
    const bool read = access == Access::read;
    const sim::Duration latency = read ? drive.read_latency : drive.write_latency;
    add_hop(route, read ? drives_[at.index].out : drives_[at.index].in, crossings);
    route.latency += latency;
    route.cap = std::min(route.cap, in_flight(drive, latency));
  } else if (at.kind == NodeKind::nic) {
    const bool received = access == Access::read;
    add_hop(route, received ? nics_[at.index].out : nics_[at.index].in, crossings);
    route.latency += spec_.nics.at(at.index).part.latency;
  }
}

void MachineGraph::add_thread_hops(sim::Route& route, std::uint32_t numa) const {
  const Lane& lane = lanes_[numa_lanes_.at(numa)];
  for (const sim::ResourceId shared : lane.forward) add_hop(route, shared, 1);
  for (const sim::ResourceId shared : lane.backward) add_hop(route, shared, 1);
}

std::uint32_t MachineGraph::vertex(NodeRef node) const {
  const std::array<std::pair<NodeKind, std::size_t>, 6> order{
      {{NodeKind::socket, spec_.host.sockets.size()},
       {NodeKind::numa, numa_.size()},
       {NodeKind::fabric, spec_.switches.size()},
       {NodeKind::gpu, spec_.gpus.size()},
       {NodeKind::drive, spec_.drives.size()},
       {NodeKind::nic, spec_.nics.size()}}};
  std::size_t first = 0;
  for (const auto& [kind, count] : order) {
    if (kind == node.kind) {
      MEMSIM_CHECK(node.index < count, "a reference to a node that does not exist");
      break;
    }
    first += count;
  }
  return static_cast<std::uint32_t>(first + node.index);
}

void MachineGraph::number_nodes() {
  for (std::uint32_t s = 0; s < spec_.host.sockets.size(); ++s) {
    for (const NumaSpec& numa : spec_.host.sockets[s].numa) {
      numa_.push_back(numa);
      socket_of_.push_back(s);
    }
  }
  forwards_.assign(spec_.host.sockets.size(), true);
  forwards_.insert(forwards_.end(), numa_.size() + spec_.switches.size(), true);
  const std::size_t ends = spec_.gpus.size() + spec_.drives.size() + spec_.nics.size();
  forwards_.insert(forwards_.end(), ends, false);
}

sim::ResourceId MachineGraph::add_resource(std::string name, sim::Bandwidth nominal,
                                           sim::Bandwidth capacity) {
  MEMSIM_CHECK(capacity.value() > 0, "a resource without capacity: " + name);
  resources_.push_back({std::move(name), nominal, capacity});
  return sim::ResourceId{static_cast<std::uint32_t>(resources_.size() - 1)};
}

sim::ResourceId MachineGraph::add_dram(const std::string& owner, const std::string& kind,
                                       sim::Bandwidth nominal) {
  return add_resource(owner + " " + memory_family(kind), nominal, nominal * dram_unit);
}

void MachineGraph::add_numa(std::uint32_t index) {
  const NodeRef at{NodeKind::numa, index};
  const HostMemorySpec& memory = numa_[index].memory;
  ddr_.push_back(add_dram(name(at), memory.kind, memory.bandwidth()));
  numa_lanes_.push_back(lanes_.size());
  const NodeRef socket{NodeKind::socket, socket_of_[index]};
  const MemoryLinkSpec& link = numa_[index].link;
  if (link.bandwidth.value() > 0) {
    Lane lane;
    lane.latency = link.latency;
    connect(socket, at, "", link.bandwidth, link.bandwidth, link.bandwidth, std::move(lane));
    return;
  }
  connections_.push_back({vertex(socket), vertex(at), inside_a_socket, inside_a_socket});
  lanes_.push_back({});
}

void MachineGraph::add_root_complex(std::uint32_t socket) {
  const RootComplexSpec& spec = spec_.host.sockets[socket].root_complex;
  const std::string owner = name({NodeKind::socket, socket}) + " root complex";
  RootComplex shared;
  if (spec.down) shared.down.push_back(add_resource(owner + " down", *spec.down, *spec.down));
  if (spec.up) shared.up.push_back(add_resource(owner + " up", *spec.up, *spec.up));
  if (spec.total) {
    const sim::ResourceId total = add_resource(owner, *spec.total, *spec.total);
    shared.down.push_back(total);
    shared.up.push_back(total);
  }
  root_complexes_.push_back(std::move(shared));
}

void MachineGraph::pass_root_complex(Lane& lane, std::uint32_t socket, bool down) const {
  const RootComplex& shared = root_complexes_[socket];
  const auto append = [](std::vector<sim::ResourceId>& to,
                         const std::vector<sim::ResourceId>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  append(lane.forward, down ? shared.down : shared.up);
  append(lane.backward, down ? shared.up : shared.down);
}

void MachineGraph::add_gpu(const PlacedGpu& gpu) {
  hbm_.push_back(add_dram(gpu.name, gpu.part.memory.kind, gpu.part.memory.bandwidth));
  sms_.push_back(add_resource(gpu.name + " SMs", all_sms, all_sms));
  const bool bounces = gpu.part.copy.peer == 0 && gpu.part.bounce.wait.value() > 0;
  bounce_.push_back(
      bounces ? add_resource(gpu.name + " chunks through the host", all_chunks, all_chunks)
              : sim::no_resource);
}

void MachineGraph::add_drive(const PlacedDrive& drive) {
  const DriveSpec& part = drive.part;
  DeviceWays ways{};
  ways.out = add_resource(drive.name + " read", part.read, share_of(part.read, part.read_share));
  ways.in = add_resource(drive.name + " write", part.write, share_of(part.write, part.write_share));
  drives_.push_back(ways);
}

void MachineGraph::add_nic(const PlacedNic& nic) {
  const NicSpec& part = nic.part;
  DeviceWays ways{};
  ways.out =
      add_resource(nic.name + " receive", part.rate, share_of(part.rate, part.receive_share));
  ways.in = add_resource(nic.name + " send", part.rate, share_of(part.rate, part.send_share));
  nics_.push_back(ways);
}

void MachineGraph::connect(NodeRef from, NodeRef to, const std::string& suffix,
                           sim::Bandwidth nominal, sim::Bandwidth forward, sim::Bandwidth backward,
                           Lane lane) {
  const auto put_first = [&](std::vector<sim::ResourceId>& way, const std::string& direction,
                             sim::Bandwidth capacity) {
    way.insert(way.begin(), add_resource(direction + suffix, nominal, capacity));
  };
  put_first(lane.forward, name(from) + " to " + name(to), forward);
  put_first(lane.backward, name(to) + " to " + name(from), backward);
  connections_.push_back({vertex(from), vertex(to),
                          lane.latency + sim::transfer_time(reference_transfer, forward),
                          lane.latency + sim::transfer_time(reference_transfer, backward)});
  lanes_.push_back(std::move(lane));
}

DeviceShare MachineGraph::add_device_share(NodeRef from, NodeRef to) {
  const InterSocketSpec& between = spec_.host.inter_socket;
  const std::string way = name(from) + " to " + name(to);
  DeviceShare share;
  if (between.down) share.down = add_resource(way + ", to devices", *between.down, *between.down);
  if (between.up) share.up = add_resource(way + ", from devices", *between.up, *between.up);
  return share;
}

void MachineGraph::join_sockets(std::uint32_t a, std::uint32_t b) {
  const InterSocketSpec& between = spec_.host.inter_socket;
  Lane lane;
  lane.latency = between.latency;
  lane.devices_forward = add_device_share({NodeKind::socket, a}, {NodeKind::socket, b});
  lane.devices_backward = add_device_share({NodeKind::socket, b}, {NodeKind::socket, a});
  connect({NodeKind::socket, a}, {NodeKind::socket, b}, "", between.bandwidth, between.bandwidth,
          between.bandwidth, std::move(lane));
}

void MachineGraph::add_port(Lane& lane, const PlacedLink& placed, const std::string& suffix) {
  const NodeRef socket = placed.from.kind == NodeKind::socket ? placed.from : placed.to;
  if (socket.kind != NodeKind::socket) return;
  const auto& port = spec_.host.sockets[socket.index].root_complex.port;
  if (!port) return;
  const NodeRef device = socket == placed.from ? placed.to : placed.from;
  const sim::ResourceId shared =
      add_resource(name(socket) + " port of " + name(device) + suffix, *port, *port);
  lane.forward.push_back(shared);
  lane.backward.push_back(shared);
}

void MachineGraph::add_link(std::size_t index) {
  const PlacedLink& placed = spec_.links[index];
  const LinkSpec& part = placed.part;
  const auto twins = std::count_if(
      spec_.links.begin(), spec_.links.begin() + static_cast<std::ptrdiff_t>(index),
      [&](const PlacedLink& other) {
        return std::minmax(other.from, other.to) == std::minmax(placed.from, placed.to);
      });
  const std::string suffix = twins == 0 ? "" : " #" + std::to_string(twins + 1);
  Lane lane;
  lane.latency = part.latency;
  lane.link = index;
  if (part.duplex_total) {
    const sim::ResourceId total =
        add_resource(name(placed.from) + " and " + name(placed.to) + suffix, part.bandwidth * 2,
                     *part.duplex_total);
    lane.forward.push_back(total);
    lane.backward.push_back(total);
  }
  if (placed.from.kind == NodeKind::socket) pass_root_complex(lane, placed.from.index, true);
  if (placed.to.kind == NodeKind::socket) pass_root_complex(lane, placed.to.index, false);
  add_port(lane, placed, suffix);
  connect(placed.from, placed.to, suffix, part.bandwidth, share_of(part.bandwidth, part.forward),
          share_of(part.bandwidth, part.backward), std::move(lane));
}

}  // namespace memsim::models
