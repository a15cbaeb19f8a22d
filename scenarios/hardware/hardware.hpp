// Machines by name: the file or catalogue entry, composed with its parts, checked, and every value
// with its origin.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "models/machine/spec.hpp"
#include "scenarios/hardware/catalogue.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/setting.hpp"
#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

struct LoadedSystem {
  models::SystemSpec spec;
  Settings settings;
};

// `--hw wanted`: the file of that name, else the catalogue's system. `overrides` are trees of
// parse_override, relative to the system (`gpu.memory.usable=...`); a later one wins. Empty after
// an error; all that is wrong is in the diagnostics.
std::optional<LoadedSystem> load_system(const Catalogue& catalogue, std::string_view wanted,
                                        std::span<const Node> overrides, Sources& sources,
                                        Diagnostics& diagnostics);

// A hardware file of any kind: one of the specs is set.
struct LoadedHardware {
  HardwareKind kind = HardwareKind::system;
  std::string name;
  Settings settings;
  std::optional<models::SystemSpec> system;
  std::optional<models::GpuSpec> gpu;
  std::optional<models::HostSpec> host;
  std::optional<models::LinkSpec> link;
  std::optional<models::DriveSpec> drive;
  std::optional<models::NicSpec> nic;
};

// As load_system, for a file or entry of whatever kind; the catalogue's systems come first.
std::optional<LoadedHardware> load_hardware(const Catalogue& catalogue, std::string_view wanted,
                                            std::span<const Node> overrides, Sources& sources,
                                            Diagnostics& diagnostics);

// The catalogue's entry of that kind and name.
std::optional<LoadedHardware> load_entry(const Catalogue& catalogue, HardwareKind kind,
                                         std::string_view name, Sources& sources,
                                         Diagnostics& diagnostics);

}  // namespace memsim::scenarios
