// Figures that no hardware has: checks of the hardware schemas beyond types and ranges.
#pragma once

#include "models/machine/spec.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"

namespace memsim::scenarios {

// E124: a number of lanes that PCIe does not have.
void check_lanes(const models::LinkSpec& link, const Node& table, Diagnostics& diagnostics);

// E133: more than the standard carries in one direction after encoding, with what the figure
// probably is; W135: far below it.
// Sources: PCI Express base specifications (8b/10b, 128b/130b, 242B/256B); NVLink per-link rates as
// published with V100, A100, H100 and B200; NVLink-C2C with GH200.
void check_bandwidth(const models::LinkSpec& link, const Node& table, Diagnostics& diagnostics);

// E135: both directions together beyond twice one, or below what one alone reaches.
void check_duplex_total(const models::LinkSpec& link, const Node& table, Diagnostics& diagnostics);

// E135: points of `efficiency` not by ascending size.
void check_efficiency(const models::LinkSpec& link, const Node& table, Diagnostics& diagnostics);

// E133: a rate beyond that of the port of an InfiniBand generation (EDR 100, HDR 200, NDR 400, XDR
// 800 Gb/s: four lanes, as the InfiniBand Trade Association's roadmap has them); W135: an eighth of
// it, as if bits were bytes.
void check_rate(const models::NicSpec& nic, const Node& table, Diagnostics& diagnostics);

// E135: more memory usable than there is (vendors' GB may be GiB).
void check_gpu_usable(const models::GpuMemorySpec& memory, const Node& table,
                      Diagnostics& diagnostics);
void check_host_usable(const models::HostMemorySpec& memory, const Node& table,
                       Diagnostics& diagnostics);

// E135: the driver's context leaves nothing of the memory.
void check_context(const models::GpuSpec& gpu, const Node& table, Diagnostics& diagnostics);

// E124: a rate that is there, but less than any memory's; 0 means that there is none.
void check_memory_link(const models::MemoryLinkSpec& link, const Node& table,
                       Diagnostics& diagnostics);
void check_inter_socket(const models::InterSocketSpec& between, const Node& table,
                        Diagnostics& diagnostics);

// E133: a channel beyond its DDR grade.
void check_channel(const models::HostMemorySpec& memory, const Node& table,
                   Diagnostics& diagnostics);

}  // namespace memsim::scenarios
