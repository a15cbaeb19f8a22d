// Figures that no hardware has: checks of the hardware schemas beyond types and ranges.
#pragma once

#include <optional>

#include "models/machine/spec.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "sim/core/units.hpp"

namespace memsim::scenarios {

// What a link of a standard can carry in one direction after encoding; empty if the standard (kind,
// generation) is not known or the lanes are not given. PCIe: lanes; NVLink: links.
// Sources: PCI Express base specifications (8b/10b, 128b/130b, 242B/256B); NVLink per-link rates as
// published with V100, A100, H100 and B200.
std::optional<sim::Bandwidth> link_limit(const models::LinkSpec& link);

// E133: bandwidth beyond link_limit, with what the figure probably is; W135: far below it. E135:
// duplex_total beyond both directions, points of `efficiency` not by ascending size.
void check_link(const models::LinkSpec& link, const Node& table, Diagnostics& diagnostics);

// E133: a rate beyond that of the port of an InfiniBand generation (EDR 100, HDR 200, NDR 400, XDR
// 800 Gb/s: four lanes, as the InfiniBand Trade Association's roadmap has them).
void check_nic(const models::NicSpec& nic, const Node& table, Diagnostics& diagnostics);

// E135: more memory usable than there is (vendors' GB may be GiB).
void check_gpu_memory(const models::GpuMemorySpec& memory, const Node& table,
                      Diagnostics& diagnostics);

// E135: the driver's context leaves nothing of the memory.
void check_gpu(const models::GpuSpec& gpu, const Node& table, Diagnostics& diagnostics);

// E124: a rate that is there, but less than any memory's; 0 means that there is none.
void check_memory_link(const models::MemoryLinkSpec& link, const Node& table,
                       Diagnostics& diagnostics);
void check_inter_socket(const models::InterSocketSpec& between, const Node& table,
                        Diagnostics& diagnostics);

// E133: a channel beyond its DDR grade; E135 as above.
void check_host_memory(const models::HostMemorySpec& memory, const Node& table,
                       Diagnostics& diagnostics);

}  // namespace memsim::scenarios
