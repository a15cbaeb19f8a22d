// A machine as the simulator sees it: memories, processors and links, the resources that transfers
// share, and the way between any two nodes.
//
// Shared resources: each direction of each link; the duplex total of links whose directions share;
// the DDR of each NUMA node; each direction between two sockets, and what devices reach across it;
// the two directions of a socket's port; the chunks that a GPU without peer access copies through
// the host; the HBM and the SMs of each GPU; what each drive reads and writes, what each NIC sends
// and receives. An uplink of a switch is a link like any other, so GPUs under one switch share it
// without a special case. DRAM resources count bus time: their capacity is nominal bandwidth x
// dram_unit, and a byte that reaches the share f of nominal takes dram_unit / f of it, so reads,
// writes and mixes of them share one bus exactly. SMs have 10^12 picoseconds of compute per second.
//
// A Machine is immutable; network() makes the resources of one simulation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/machine/interleave.hpp"
#include "models/machine/spec.hpp"
#include "sim/exec/executor.hpp"
#include "sim/flow/flow_network.hpp"

namespace memsim::models {

// The routes that every placement on a GPU has, by their index in sim::Placement::routes. Bytes on
// routes of copies are bytes copied.
enum class LocalRoute : std::uint32_t {
  compute,  // amount: picoseconds of all SMs
  hbm,      // amount: bytes at nominal bandwidth (kernel_cost.hpp divides by what is achieved)
  h2d_pinned,
  d2h_pinned,
  h2d_pageable,  // staged through a pinned buffer by one host thread
  d2h_pageable,
  host_memory,  // amount: bytes that host threads read and write in their own DDR
};
inline constexpr std::size_t local_route_count = 7;

constexpr std::uint32_t index(LocalRoute route) { return static_cast<std::uint32_t>(route); }

// Copy engines of a GPU; a placement lists all of them, in this order of kinds.
enum class CopyEngine : std::uint8_t { host_to_device, device_to_host, peer };

// Local index (sim::Work::engine) of the `which`-th engine of a kind.
// Requires: 0 <= which < the GPU's number of such engines.
std::uint32_t engine_index(const GpuSpec& gpu, CopyEngine kind, std::int64_t which = 0);

inline constexpr std::int64_t dram_unit = 10'000;

struct Resource {
  std::string name;         // for people: "gpu0 HBM", "pcie[0] to gpu0"
  sim::Bandwidth nominal;   // bytes per second; picoseconds of compute per second for SMs
  sim::Bandwidth capacity;  // as registered in the flow network
};

// One copy between two memories: of GPUs and of NUMA nodes; both may be the same, and host memory
// may be interleaved. A drive or a NIC at one end or both reads and writes memory by itself.
struct CopyRequest {
  Interleave from;
  Interleave to;
  sim::Bytes bytes;
  bool pageable = false;  // the host's memory, if one end is there
};

struct CopyWay {
  sim::Route route;
  std::int64_t stripe = 1;              // bytes that one unit of the route's amount stands for
  std::string own_limit;                // what the cap of the route is, for people
  std::optional<std::uint32_t> engine;  // machine-wide; none: a CPU thread copies
  sim::Duration overhead;               // host part of the call
  sim::Duration start_up;               // see Machine::start_up
  sim::Duration wake;                   // until the thread that waits for the copy goes on
};

// Loads of CPU threads in a memory that is in use.
struct MemoryLoad {
  Fraction utilisation;
  sim::Duration idle;     // of one load, with nobody else
  sim::Duration latency;  // of one load now
  sim::Bandwidth core;    // what the loads of one core reach; 0: the latency is not known
};

class MachineGraph;

class Machine {
 public:
  // Requires: a spec whose references exist and whose GPUs reach a NUMA node (scenarios checks it).
  explicit Machine(SystemSpec spec);
  ~Machine();
  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;

  [[nodiscard]] const SystemSpec& spec() const;
  [[nodiscard]] const GpuSpec& gpu(std::size_t index) const;
  [[nodiscard]] std::size_t gpu_count() const;

  // By sim::ResourceId.
  [[nodiscard]] std::span<const Resource> resources() const;
  [[nodiscard]] std::string_view resource_name(sim::ResourceId id) const;
  // A fresh network that holds resources(), none of them in use.
  [[nodiscard]] sim::FlowNetwork network() const;

  [[nodiscard]] std::string node_name(NodeRef node) const;
  // The NUMA node closest to a GPU, drive or NIC: the lowest-numbered one of the cheapest way.
  [[nodiscard]] std::uint32_t home_numa(std::size_t gpu) const;
  [[nodiscard]] std::uint32_t home_numa(NodeRef device) const;

  // The way of a DMA transfer: read at `from` (if it has a memory), links, write at `to`. GPUs
  // forward nothing. The cheapest way for 1 MiB is taken; of equal ways the one with the
  // lowest-numbered links. Requires: from and to are different and connected.
  [[nodiscard]] sim::Route route(NodeRef from, NodeRef to) const;

  // What a copy of `bytes` loses beside latency + bytes / rate because of the efficiency curves of
  // the links on its way: a fixed part of its work. Requires: as route.
  [[nodiscard]] sim::Duration start_up(NodeRef from, NodeRef to, sim::Bytes bytes) const;

  // How one copy is made: by a copy engine of the GPU that it leaves, else of the one that it
  // reaches; between NUMA nodes by a CPU thread. GPUs without engines for peers have no access to
  // each other: their copies go through the memory of the host, on the home NUMA node of `from`,
  // in chunks. A copy within a GPU whose two buffers fit its L2 runs at the bandwidth of that.
  // Drives and NICs copy by themselves, from and to NUMA nodes, and GPUs with `gpudirect`; all else
  // goes through the host's memory on their home node.
  [[nodiscard]] CopyWay copy(const CopyRequest& asked) const;

  // How long it takes to allocate page-locked host memory that so many threads touch first.
  // Requires: threads >= 1; the host says what pinning costs.
  [[nodiscard]] sim::Duration pinning(sim::Bytes bytes, std::int64_t threads) const;

  [[nodiscard]] std::size_t numa_count() const;
  [[nodiscard]] sim::ResourceId ddr(std::uint32_t numa) const;
  // Requires: 0 <= utilisation <= 1.
  [[nodiscard]] MemoryLoad load(std::uint32_t numa, Fraction utilisation) const;

  // Where a process that drives one GPU runs: local routes, engines, driver costs. Its host memory
  // is on the GPU's home NUMA node, or on `numa`. The caller adds memories and communicators.
  [[nodiscard]] sim::Placement placement(std::size_t gpu) const;
  [[nodiscard]] sim::Placement placement(std::size_t gpu, std::uint32_t numa) const;

 private:
  // Of copy(): between the host's memory and a GPU; between GPUs, or within one.
  [[nodiscard]] CopyWay host_way(const CopyRequest& asked) const;
  [[nodiscard]] CopyWay gpu_way(NodeRef from, NodeRef to, sim::Bytes bytes) const;
  // ... of a drive or NIC.
  [[nodiscard]] CopyWay device_way(const CopyRequest& asked) const;
  [[nodiscard]] sim::Duration longest_start_up(const CopyRequest& asked) const;

  std::unique_ptr<const MachineGraph> graph_;
};

}  // namespace memsim::models
