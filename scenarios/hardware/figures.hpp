// What figures of hardware can be and usually are: the ranges of the hardware schemas, in one
// place.
//
// `most_...` is beyond anything that is built in this decade: a figure above it is an error. The
// ranges `usual_...` span the hardware of 2010 to 2025 that trains or could train networks: a
// figure outside is a question, because imaginary machines are welcome. Where a range names
// devices, they are the ones nearest to its ends, by their makers' data sheets.
#pragma once

#include <cstdint>

#include "scenarios/schema/schema.hpp"

namespace memsim::scenarios::figures {

inline constexpr std::int64_t kilobyte = 1'000;
inline constexpr std::int64_t megabyte = 1'000 * kilobyte;
inline constexpr std::int64_t gigabyte = 1'000 * megabyte;
inline constexpr std::int64_t terabyte = 1'000 * gigabyte;
inline constexpr std::int64_t petabyte = 1'000 * terabyte;
inline constexpr std::int64_t kibibyte = 1024;
inline constexpr std::int64_t mebibyte = 1024 * kibibyte;
inline constexpr std::int64_t gibibyte = 1024 * mebibyte;
inline constexpr std::int64_t nanosecond = 1'000;  // in picoseconds
inline constexpr std::int64_t microsecond = 1'000 * nanosecond;
inline constexpr std::int64_t millisecond = 1'000 * microsecond;
inline constexpr std::int64_t gigaflops = 1'000'000'000;
inline constexpr std::int64_t teraflops = 1'000 * gigaflops;

inline constexpr std::int64_t least_memory = mebibyte;
inline constexpr std::int64_t most_memory = petabyte;
inline constexpr std::int64_t least_bandwidth = megabyte;
inline constexpr std::int64_t most_bandwidth = 500 * terabyte;
inline constexpr std::int64_t least_rate = gigaflops;
inline constexpr std::int64_t most_rate = 1'000'000 * teraflops;
inline constexpr std::int64_t most_time = 1'000 * millisecond;

// GeForce GT 1030: 2 GB. MI355X, B300: 288 GB.
inline constexpr Range usual_gpu_memory{gigabyte, 288 * gigabyte};
// Jetson Nano: 25.6 GB/s. B200, MI355X: 8 TB/s.
inline constexpr Range usual_gpu_bandwidth{20 * gigabyte, 8 * terabyte};
inline constexpr Range usual_page{4 * kibibyte, 512 * mebibyte};
// Kepler: 256 KiB. MI300X: 256 MB of last-level cache.
inline constexpr Range usual_cache{128 * kibibyte, 512 * mebibyte};
inline constexpr Range usual_cache_bandwidth{50 * gigabyte, 50 * terabyte};

// Dense rates. fp32: Jetson Nano 0.24, MI355X 157 TFLOP/s. fp64: GT 1030 0.035, MI325X 163 TFLOP/s
// with matrix units. 16 bits and tf32: B300 2.5 PFLOP/s. 8 bits: MI355X 5 PFLOP/s.
inline constexpr Range usual_fp64{10 * gigaflops, 300 * teraflops};
inline constexpr Range usual_fp32{100 * gigaflops, 400 * teraflops};
inline constexpr Range usual_16_bit{400 * gigaflops, 5'000 * teraflops};
inline constexpr Range usual_8_bit{1 * teraflops, 10'000 * teraflops};

// Jetson Nano: 1. MI300X: 304 compute units.
inline constexpr std::int64_t most_multiprocessors = 65'536;
inline constexpr Range usual_multiprocessors{1, 512};

// Kernels start in 1 to 5 us, launches cost the host 2 to 20 us.
inline constexpr Range usual_start{100 * nanosecond, 100 * microsecond};
// Contexts take 60 MB (without kernels) to 1.5 GB (all of a library's).
inline constexpr Range usual_context{8 * mebibyte, 4 * gibibyte};
// Calls of cudaMalloc were seen to take 14 us to 1 ms.
inline constexpr Range usual_driver_call{200 * nanosecond, 10 * millisecond};
inline constexpr Range usual_workspace{kibibyte, gibibyte};
inline constexpr Range usual_engines{1, 16};
inline constexpr Range usual_channels_of_nccl{0, 64};
inline constexpr Range usual_fault_batch{1, 4096};
inline constexpr Range usual_fault_latency{microsecond, 10 * millisecond};

// Of one NUMA node: a Raspberry Pi, 1 GB, to 16 TB of a large server.
inline constexpr Range usual_host_memory{gigabyte, 16 * terabyte};
inline constexpr std::int64_t most_channels = 1024;
inline constexpr Range usual_channels{1, 32};
inline constexpr std::int64_t most_channel_bandwidth = terabyte;
// DDR3-800: 6.4 GB/s. MRDIMM-12800: 102.4 GB/s.
inline constexpr Range usual_channel_bandwidth{5 * gigabyte, 110 * gigabyte};
inline constexpr Range usual_memory_latency{20 * nanosecond, 2 * microsecond};
// One thread: 3 to 15 GB/s on servers, up to 30 on desktops.
inline constexpr Range usual_memcpy{2 * gigabyte, 60 * gigabyte};
inline constexpr std::int64_t most_cores = 65'536;
inline constexpr Range usual_cores{1, 512};
// QPI of 2010: 12.8 GB/s. Four xGMI or UPI links of 2025: 300 GB/s.
inline constexpr Range usual_inter_socket{5 * gigabyte, terabyte};

// PCIe 1 x1: 250 MB/s. NVLink 5: 900 GB/s.
inline constexpr Range usual_link{200 * megabyte, 2 * terabyte};
inline constexpr std::int64_t most_link = 100 * terabyte;
inline constexpr Range usual_link_latency{10 * nanosecond, 100 * microsecond};
inline constexpr std::int64_t most_lanes = 1024;
inline constexpr Range usual_lanes{0, 72};
inline constexpr std::int64_t most_generation = 100;
inline constexpr Range usual_generation{0, 8};

// A Gen3 x16 root port: 12 GB/s. Both directions of eight Gen6 x16: 2 TB/s.
inline constexpr Range usual_root_complex{gigabyte, 2 * terabyte};
// Line-fill buffers of a core: 10 (Haswell) to 48 and more (Golden Cove, Zen 4: L2 misses).
inline constexpr std::int64_t most_lines = 4096;
inline constexpr Range usual_lines{4, 128};

// SATA SSDs of 120 GB to NVMe of 256 TB; a hard disk: 100 MB/s; PCIe 6 x4: 28 GB/s.
inline constexpr Range usual_drive{100 * gigabyte, 256 * terabyte};
inline constexpr Range usual_drive_bandwidth{50 * megabyte, 32 * gigabyte};
// Optane: 7 us. A hard disk: 10 ms.
inline constexpr Range usual_drive_latency{microsecond, 20 * millisecond};
inline constexpr std::int64_t most_queue = 65'536;  // of NVMe
inline constexpr Range usual_queue{1, 4096};
inline constexpr Range usual_request{512, 16 * mebibyte};
// 10 GbE to 1.6 Tb/s of a port.
inline constexpr Range usual_nic{gigabyte, 200 * gigabyte};
inline constexpr Range usual_nic_latency{100 * nanosecond, 100 * microsecond};

inline constexpr std::int64_t most_sockets = 64;
inline constexpr std::int64_t most_numa = 64;  // of one socket

inline constexpr std::int64_t most_nodes = 4096;
// NVL72 is one domain of NVLink.
inline constexpr Range usual_nodes{1, 72};

}  // namespace memsim::scenarios::figures
