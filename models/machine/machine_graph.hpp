// The nodes, connections and shared resources of one machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/machine/machine.hpp"
#include "models/machine/spec.hpp"
#include "models/machine/topology.hpp"

namespace memsim::models {

// Time of chunks is counted in thousandths of a picosecond.
inline constexpr std::int64_t bounce_unit = 1000;

enum class Access : std::uint8_t { read, write, mixed };

// What DMA of devices shares beside a direction's own resources.
struct DeviceShare {
  std::optional<sim::ResourceId> down;  // to devices: they read
  std::optional<sim::ResourceId> up;
};

// A connection of the graph with the resources that a crossing uses.
struct Lane {
  std::vector<sim::ResourceId> forward;  // empty: inside a socket, shares nothing
  std::vector<sim::ResourceId> backward;
  sim::Duration latency;
  std::optional<std::size_t> link;  // index into SystemSpec::links
  DeviceShare devices_forward = {};
  DeviceShare devices_backward = {};
};

// "HBM2e" -> "HBM", "DDR4-3200" -> "DDR": what people call the memory.
std::string memory_family(const std::string& kind);

// Routes name a resource once: crossing it again adds to its weight.
void add_hop(sim::Route& route, sim::ResourceId resource, std::int64_t weight);

class MachineGraph {
 public:
  explicit MachineGraph(SystemSpec system);

  [[nodiscard]] const SystemSpec& spec() const { return spec_; }
  [[nodiscard]] const std::vector<NumaSpec>& numa() const { return numa_; }
  [[nodiscard]] const std::vector<Resource>& resources() const { return resources_; }
  [[nodiscard]] const std::vector<Lane>& lanes() const { return lanes_; }
  [[nodiscard]] sim::ResourceId sms(std::size_t gpu) const { return sms_.at(gpu); }
  [[nodiscard]] sim::ResourceId ddr(std::size_t numa) const { return ddr_.at(numa); }
  [[nodiscard]] std::size_t socket_of(std::size_t numa) const { return socket_of_.at(numa); }
  // The time in which a GPU's driver moves chunks between it and other GPUs, through the host;
  // no_resource if it does not, or they do not wait.
  [[nodiscard]] sim::ResourceId bounce(std::size_t gpu) const { return bounce_.at(gpu); }
  [[nodiscard]] sim::ResourceId hbm(std::size_t gpu) const { return hbm_.at(gpu); }
  [[nodiscard]] std::string name(NodeRef node) const;

  // The cheapest way for 1 MiB; empty if there is none.
  [[nodiscard]] Path path(NodeRef from, NodeRef to) const;
  // Links and latencies of that way, without the memories at its ends. Requires: there is a way.
  [[nodiscard]] sim::Route links(NodeRef from, NodeRef to) const;
  // Adds what `crossings` accesses to the memory of a node use per byte; nothing if it has none. Of
  // drives and NICs also their latency, and what the requests in flight allow.
  void add_memory_hop(sim::Route& route, NodeRef at, Access access,
                      std::int64_t crossings = 1) const;
  // Adds what a thread of the socket uses when it reads and writes one byte of a NUMA node's
  // memory beside the memory itself: the link that the node lies behind, if it does.
  void add_thread_hops(sim::Route& route, std::uint32_t numa) const;

 private:
  [[nodiscard]] std::uint32_t vertex(NodeRef node) const;
  void number_nodes();
  sim::ResourceId add_resource(std::string name, sim::Bandwidth nominal, sim::Bandwidth capacity);
  sim::ResourceId add_dram(const std::string& owner, const std::string& kind,
                           sim::Bandwidth nominal);
  void add_numa(std::uint32_t index);
  void add_root_complex(std::uint32_t socket);
  // Links of a socket pass through its root complex; `down`: that is the lane's forward direction.
  void pass_root_complex(Lane& lane, std::uint32_t socket, bool down) const;
  void add_gpu(const PlacedGpu& gpu);
  void add_drive(const PlacedDrive& drive);
  void add_nic(const PlacedNic& nic);
  void add_link(std::size_t index);
  // What both directions of a link of a socket share in its root complex.
  void add_port(Lane& lane, const PlacedLink& placed, const std::string& suffix);
  void join_sockets(std::uint32_t a, std::uint32_t b);
  DeviceShare add_device_share(NodeRef from, NodeRef to);
  // The least that a root complex on the way of a copy between two devices lets through.
  [[nodiscard]] sim::Bandwidth peer_cap(const Path& way) const;
  void connect(NodeRef from, NodeRef to, const std::string& suffix, sim::Bandwidth nominal,
               sim::Bandwidth forward, sim::Bandwidth backward, Lane lane);

  SystemSpec spec_;
  std::vector<NumaSpec> numa_;            // of all sockets, in order
  std::vector<std::uint32_t> socket_of_;  // by NUMA node
  std::vector<Resource> resources_;
  struct RootComplex {
    std::vector<sim::ResourceId> down;
    std::vector<sim::ResourceId> up;
  };
  std::vector<RootComplex> root_complexes_;  // by socket
  std::vector<sim::ResourceId> ddr_;         // by NUMA node
  std::vector<sim::ResourceId> hbm_;         // by GPU
  std::vector<sim::ResourceId> sms_;         // by GPU
  std::vector<sim::ResourceId> bounce_;      // by GPU
  struct DeviceWays {
    sim::ResourceId in;   // written to the drive, sent over the adapter
    sim::ResourceId out;  // read from the drive, received
  };
  std::vector<DeviceWays> drives_;
  std::vector<DeviceWays> nics_;
  // By vertex: sockets, NUMA nodes, switches, GPUs, drives, NICs.
  std::vector<bool> forwards_;
  std::vector<Connection> connections_;
  std::vector<Lane> lanes_;              // by connection
  std::vector<std::size_t> numa_lanes_;  // by NUMA node: index of the lane to its socket
};

}  // namespace memsim::models
