// What data sheets call the standards of links, networks and memories, however they are spelt.
#pragma once

#include <string_view>

#include "models/machine/spec.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"

namespace memsim::scenarios {

// The usual spelling of a link's or network's kind: "PCIe" of "pcie", "PCI-E" and "PCI Express";
// `written` itself if it is none that is known.
std::string_view technology(std::string_view written);

// Each: E107, a word that is nearly one that is known, or one with the generation in it. Words far
// from all of them are other technologies, and pass.
void check_link_kind(const models::LinkSpec& link, const Node& table, Diagnostics& diagnostics);
void check_network(const models::NicSpec& nic, const Node& table, Diagnostics& diagnostics);
void check_gpu_memory_kind(const models::GpuMemorySpec& memory, const Node& table,
                           Diagnostics& diagnostics);
void check_host_memory_kind(const models::HostMemorySpec& memory, const Node& table,
                            Diagnostics& diagnostics);

}  // namespace memsim::scenarios
