// What a machine is made of: plain data, as the hardware files state it (scenarios/hardware).
//
// Nominal figures are those of data sheets; an achieved figure beside it is a Fraction of nominal.
// "Forward" on a link is the direction from its `from` node to its `to` node; hardware files write
// links from the host towards the GPU, so forward is host to device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/machine/data_type.hpp"
#include "models/machine/gemm_table.hpp"
#include "models/machine/kernel.hpp"
#include "models/machine/units.hpp"
#include "sim/core/units.hpp"

namespace memsim::models {

// Shares of nominal bandwidth that a DRAM reaches: all reads, all writes, and a mix of both
// (two reads to one write, the triad of STREAM).
struct AchievedBandwidth {
  Fraction read;
  Fraction write;
  Fraction mixed;
};

struct GpuMemorySpec {
  std::string kind;            // "HBM2", "GDDR6"
  sim::Bytes capacity;         // as sold
  sim::Bytes usable;           // what the driver lets processes see
  sim::Bandwidth bandwidth;    // nominal; reads and writes share it
  AchievedBandwidth achieved;  // by streaming kernels and copies
  Fraction gemm;               // what the operand traffic of a matrix multiplication reaches
  sim::Bytes page;
};

struct CacheSpec {
  sim::Bytes size;
  sim::Bandwidth bandwidth;  // 0: not stated
};

// Index by DataType. A rate of 0 means: no units for this type.
using RateByType = std::array<OperationRate, data_type_count>;
using FractionByType = std::array<Fraction, data_type_count>;

struct ComputeSpec {
  std::int64_t multiprocessors = 0;       // 0: not stated
  RateByType peak;                        // dense
  std::string gemm_table;                 // file of `gemm`; empty: none
  std::shared_ptr<const GemmTable> gemm;  // measured products; copies share it
  FractionByType gemm_efficiency;         // share of peak, large matrices
  // What gemm_efficiency is of the GPU that `gemm` stands for, by the types of its grids: another
  // share makes arithmetic faster or slower in proportion. 0: the same.
  FractionByType table_efficiency = {};
  FractionByType attention_efficiency;                  // share of peak, fused attention
  std::array<sim::Duration, kernel_class_count> start;  // device-side fixed cost, by KernelClass
  sim::Duration launch;                                 // host-side cost of one launch
};

struct CopyEngineSpec {
  std::int64_t host_to_device = 1;
  std::int64_t device_to_host = 1;
  std::int64_t peer = 0;
};

// How the driver copies to a GPU without peer access: chunks of a buffer in host memory, the next
// one handed over after a wait.
struct BounceSpec {
  sim::Bytes chunk{1 << 20};
  sim::Duration wait;
};

struct DriverSpec {
  sim::Bytes context;      // taken by the first process that uses the GPU
  sim::Bytes granularity;  // of device allocations
  sim::Duration malloc;    // of one cudaMalloc
  sim::Duration free;      // of one cudaFree
  sim::Duration map;       // of one page of virtual memory
  sim::Duration unmap;
  sim::Duration wake;  // from the end of a work until the thread that waits for it goes on
};

struct CollectiveLibrarySpec {
  std::int64_t channels = 0;  // 0: not stated
  sim::Bytes buffer;          // per channel and peer
};

struct LibrarySpec {
  sim::Bytes cublas_workspace;  // per handle and stream
  CollectiveLibrarySpec nccl;
};

// Unified memory: migration unit and cost of a batch of page faults.
struct ManagedMemorySpec {
  sim::Bytes block;
  std::int64_t fault_batch_count = 0;
  sim::Duration fault_batch_latency;
};

struct AllocatorSpec {
  std::string kind;     // "torch"
  std::string options;  // as in PYTORCH_CUDA_ALLOC_CONF
};

struct GpuSpec {
  std::string name;
  GpuMemorySpec memory;
  CacheSpec l2;
  ComputeSpec compute;
  CopyEngineSpec copy;
  BounceSpec bounce = {};
  DriverSpec driver;
  LibrarySpec libraries;
  ManagedMemorySpec managed;
  AllocatorSpec allocator;
};

struct HostMemorySpec {
  std::string kind;  // "DDR4-3200"
  std::int64_t channels = 0;
  sim::Bandwidth channel_bandwidth;
  sim::Bytes capacity;
  sim::Bytes usable;  // what is left to jobs beside the operating system
  AchievedBandwidth achieved;
  sim::Duration latency;  // of one access, idle

  [[nodiscard]] sim::Bandwidth bandwidth() const { return channel_bandwidth * channels; }
};

// What a memory lies behind when it is not on the socket's own channels: the link of a CXL
// expander.
struct MemoryLinkSpec {
  sim::Bandwidth bandwidth;  // per direction, achieved; 0: none, the memory is the socket's own
  sim::Duration latency;     // added to every access
};

struct NumaSpec {
  HostMemorySpec memory;
  sim::Bandwidth
      memcpy;  // bytes copied per second by one thread: the bounce buffer of pageable copies
  std::optional<sim::Bandwidth> memcpy_up = {};  // out of that buffer, where it differs
  MemoryLinkSpec link = {};
};

// What all links between a socket and its devices share, beside their own bandwidth.
struct RootComplexSpec {
  std::optional<sim::Bandwidth> down = {};  // towards devices; absent: no limit of its own
  std::optional<sim::Bandwidth> up = {};
  std::optional<sim::Bandwidth> total = {};  // both directions together
  std::optional<sim::Bandwidth> port = {};   // both directions of one link together
  std::optional<sim::Bandwidth> peer = {};   // one copy between two devices that passes it
};

struct SocketSpec {
  std::int64_t cores = 0;
  std::vector<NumaSpec> numa;  // at least one
  RootComplexSpec root_complex = {};
  std::int64_t lines = 12;  // cache lines that one core waits for at a time
};

// How a pageable copy goes through its pinned buffer.
enum class Staging : std::uint8_t {
  overlapped,  // one chunk is copied by the thread while the one before is on the link
  serial,      // the memcpy of a chunk and its DMA follow each other
};

// Between each pair of sockets.
struct InterSocketSpec {
  sim::Bandwidth bandwidth;  // per direction, achieved; 0: one socket
  sim::Duration latency;
  // What devices reach in the memory of another socket; absent: all of the bandwidth.
  std::optional<sim::Bandwidth> down = {};  // they read: host to device
  std::optional<sim::Bandwidth> up = {};    // they write: device to host
};

// Page-locking host memory: start + bytes / (touch x threads) + bytes / lock.
struct PinningSpec {
  sim::Duration start;   // of one allocation
  sim::Bandwidth touch;  // first touch of its pages by one thread
  sim::Bandwidth lock;   // by the kernel, one page after another; 0: not stated
};

struct HostSpec {
  std::string name;
  std::vector<SocketSpec> sockets;  // at least one
  InterSocketSpec inter_socket;
  Staging staging = Staging::overlapped;
  PinningSpec pinning = {};
};

// Efficiency of a transfer by its size: a point of a curve that is linear between its points.
struct EfficiencyPoint {
  sim::Bytes size;
  Fraction fraction;  // of nominal bandwidth
};

struct LinkSpec {
  std::string name;
  std::string kind;             // "PCIe", "NVLink"
  std::int64_t generation = 0;  // 0: not stated
  std::int64_t lanes = 0;       // 0: not stated
  sim::Bandwidth bandwidth;     // nominal, per direction
  Fraction forward;             // achieved share of bandwidth by a long transfer, from -> to
  Fraction backward;            // to -> from
  std::optional<sim::Bandwidth>
      duplex_total;                       // achieved by both directions together, where they share
  sim::Duration latency;                  // until the first byte arrives
  std::optional<sim::Duration> overhead;  // host part of a copy's call; absent: that of a launch
  std::vector<EfficiencyPoint>
      efficiency;  // by ascending size; empty: latency + bytes / rate says it all
};

// Figures by direction of data, as seen from the drive: what is read from it, what is written to
// it.
struct DriveSpec {
  std::string name;
  std::string kind;  // "NVMe"
  sim::Bytes capacity;
  sim::Bandwidth read;  // nominal, sequential
  sim::Bandwidth write;
  Fraction read_share;  // achieved share of nominal
  Fraction write_share;
  sim::Duration read_latency;  // of one request
  sim::Duration write_latency;
  std::int64_t queue_depth = 1;  // requests that a copy keeps in flight
  sim::Bytes request;            // size of one
  bool gpudirect = false;        // GPU memory is read and written without the host's
};

// A network adapter. What leaves the node over it is written to it, what arrives is read from it.
struct NicSpec {
  std::string name;
  std::string kind;        // "InfiniBand", "RoCE"
  std::string generation;  // "HDR", "NDR"; empty: not stated
  sim::Bandwidth rate;     // nominal, per direction
  Fraction send_share;     // achieved share of nominal
  Fraction receive_share;
  sim::Duration latency;  // one way, of a small message
  bool gpudirect = true;  // GPU memory is read and written without the host's
};

enum class NodeKind : std::uint8_t {
  socket,  // a CPU package: forwards between its links and its NUMA nodes
  numa,    // the DDR of one NUMA node, numbered over all sockets
  gpu,     // a GPU with its HBM; forwards nothing
  fabric,  // a switch
  drive,   // a drive with its medium; forwards nothing
  nic,     // a network adapter with the network behind it; forwards nothing
};

struct NodeRef {
  NodeKind kind = NodeKind::gpu;
  std::uint32_t index = 0;  // among the nodes of its kind

  friend auto operator<=>(const NodeRef&, const NodeRef&) = default;
};

struct PlacedGpu {
  std::string name;  // "gpu0"
  GpuSpec part;
};

struct PlacedDrive {
  std::string name;  // "nvme0"
  DriveSpec part;
};

struct PlacedNic {
  std::string name;  // "nic0"
  NicSpec part;
};

struct PlacedLink {
  NodeRef from;
  NodeRef to;
  LinkSpec part;
};

// One node of a cluster, or a workstation.
struct SystemSpec {
  std::string name;
  HostSpec host;
  std::vector<PlacedGpu> gpus;
  std::vector<std::string> switches;  // "pcie[0]"
  std::vector<PlacedLink> links;
  sim::Bytes tenant_memory;  // host memory held by what else runs there
  std::vector<PlacedDrive> drives = {};
  std::vector<PlacedNic> nics = {};
};

}  // namespace memsim::models
