// What figures of hardware can be and usually are: the ranges of the hardware schemas, in one
// place.
//
// `most_...` is beyond anything that is built in this decade: a figure above it is an error. The
// ranges `usual_...` span the hardware of 2010 to 2025 that trains or could train networks: a
// figure outside is a question, because imaginary machines are welcome. Where a range names
// devices, they are its ends, by their makers' data sheets.
#pragma once

#include <cstdint>

#include "scenarios/schema/schema.hpp"

namespace memsim::scenarios::figures {

inline constexpr std::int64_t kB = 1'000;
inline constexpr std::int64_t MB = 1'000 * kB;
inline constexpr std::int64_t GB = 1'000 * MB;
inline constexpr std::int64_t TB = 1'000 * GB;
inline constexpr std::int64_t PB = 1'000 * TB;
inline constexpr std::int64_t KiB = 1024;
inline constexpr std::int64_t MiB = 1024 * KiB;
inline constexpr std::int64_t GiB = 1024 * MiB;
inline constexpr std::int64_t ns = 1'000;  // in picoseconds
inline constexpr std::int64_t us = 1'000 * ns;
inline constexpr std::int64_t ms = 1'000 * us;
inline constexpr std::int64_t GFLOPs = 1'000'000'000;
inline constexpr std::int64_t TFLOPs = 1'000 * GFLOPs;

inline constexpr std::int64_t least_memory = MiB;
inline constexpr std::int64_t most_memory = PB;
inline constexpr std::int64_t least_bandwidth = MB;
inline constexpr std::int64_t most_bandwidth = PB;
inline constexpr std::int64_t least_rate = GFLOPs;
inline constexpr std::int64_t most_rate = 1'000'000 * TFLOPs;
inline constexpr std::int64_t most_time = 1'000 * ms;

// GeForce GT 1030: 2 GB. MI355X, B300: 288 GB.
inline constexpr Range usual_gpu_memory{GB, 288 * GB};
// Jetson Nano: 25.6 GB/s. B200, MI355X: 8 TB/s.
inline constexpr Range usual_gpu_bandwidth{20 * GB, 8 * TB};
inline constexpr Range usual_page{4 * KiB, 512 * MiB};
// Kepler: 256 KiB. MI300X: 256 MB of last-level cache.
inline constexpr Range usual_cache{128 * KiB, 512 * MiB};
inline constexpr Range usual_cache_bandwidth{50 * GB, 50 * TB};

// Dense rates. fp32: Jetson Nano 0.24, MI355X 157 TFLOP/s. fp64: GT 1030 0.035, MI325X 163 TFLOP/s
// with matrix units. 16 bits and tf32: B300 2.5 PFLOP/s. 8 bits: MI355X 5 PFLOP/s.
inline constexpr Range usual_fp64{10 * GFLOPs, 300 * TFLOPs};
inline constexpr Range usual_fp32{100 * GFLOPs, 400 * TFLOPs};
inline constexpr Range usual_16_bit{400 * GFLOPs, 5'000 * TFLOPs};
inline constexpr Range usual_8_bit{1 * TFLOPs, 10'000 * TFLOPs};

// Kernels start in 1 to 5 us, launches cost the host 2 to 20 us.
inline constexpr Range usual_start{100 * ns, 100 * us};
// Contexts take 60 MB (without kernels) to 1.5 GB (all of a library's).
inline constexpr Range usual_context{8 * MiB, 4 * GiB};
// Calls of cudaMalloc were seen to take 14 us to 1 ms.
inline constexpr Range usual_driver_call{200 * ns, 10 * ms};
inline constexpr Range usual_workspace{KiB, GiB};
inline constexpr Range usual_engines{1, 16};
inline constexpr Range usual_channels_of_nccl{0, 64};
inline constexpr Range usual_fault_batch{1, 4096};
inline constexpr Range usual_fault_latency{us, 10 * ms};

// Of one NUMA node: a Raspberry Pi, 1 GB, to 16 TB of a large server.
inline constexpr Range usual_host_memory{GB, 16 * TB};
inline constexpr std::int64_t most_channels = 1024;
inline constexpr Range usual_channels{1, 32};
inline constexpr std::int64_t most_channel_bandwidth = TB;
// DDR3-800: 6.4 GB/s. MRDIMM-12800: 102.4 GB/s.
inline constexpr Range usual_channel_bandwidth{5 * GB, 110 * GB};
inline constexpr Range usual_memory_latency{20 * ns, 2 * us};
// One thread: 3 to 15 GB/s on servers, up to 30 on desktops.
inline constexpr Range usual_memcpy{GB, 60 * GB};
inline constexpr std::int64_t most_cores = 65'536;
inline constexpr Range usual_cores{1, 512};
// QPI of 2010: 12.8 GB/s. Four xGMI or UPI links of 2025: 300 GB/s.
inline constexpr Range usual_inter_socket{5 * GB, TB};

// PCIe 1 x1: 250 MB/s. NVLink 5: 900 GB/s.
inline constexpr Range usual_link{200 * MB, 2 * TB};
inline constexpr std::int64_t most_link = 100 * TB;
inline constexpr Range usual_link_latency{10 * ns, 100 * us};
inline constexpr std::int64_t most_lanes = 1024;
inline constexpr Range usual_lanes{0, 72};
inline constexpr std::int64_t most_generation = 100;
inline constexpr Range usual_generation{0, 8};

inline constexpr std::int64_t most_sockets = 64;
inline constexpr std::int64_t most_numa = 64;  // of one socket

inline constexpr std::int64_t most_nodes = 4096;
// NVL72 is one domain of NVLink.
inline constexpr Range usual_nodes{1, 72};

}  // namespace memsim::scenarios::figures
