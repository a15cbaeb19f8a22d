// The kinds of hardware files, each described once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/machine/spec.hpp"
#include "scenarios/schema/schema.hpp"

namespace memsim::scenarios {

const Schema<models::GpuSpec>& gpu_schema();
const Schema<models::HostSpec>& host_schema();
const Schema<models::LinkSpec>& link_schema();
const Schema<models::DriveSpec>& drive_schema();
const Schema<models::NicSpec>& nic_schema();

// Parts as a system places them: a name of a file or entry, and any key of it.
struct HostEntry {
  std::string part;
  models::HostSpec spec;
};

struct GpuEntry {
  std::string id;
  std::int64_t count = 1;
  std::string part;
  models::GpuSpec spec;
};

struct DriveEntry {
  std::string id;
  std::int64_t count = 1;
  std::string part;
  models::DriveSpec spec;
};

struct NicEntry {
  std::string id;
  std::int64_t count = 1;
  std::string part;
  models::NicSpec spec;
};

struct SwitchEntry {
  std::string id;
  std::int64_t count = 1;
};

struct LinkEntry {
  std::string from;
  std::string to;
  std::string part;
  models::LinkSpec spec;
};

// What links call parts that are placed without an id.
inline constexpr std::string_view default_gpu_id = "gpu";
inline constexpr std::string_view default_drive_id = "nvme";
inline constexpr std::string_view default_nic_id = "nic";

struct SystemFile {
  std::string name;
  HostEntry host;
  std::vector<GpuEntry> gpus;
  std::vector<SwitchEntry> switches;
  std::vector<DriveEntry> drives;
  std::vector<NicEntry> nics;
  std::vector<LinkEntry> links;
  sim::Bytes tenant_memory;
};

const Schema<SystemFile>& system_schema();
// The words with which settings of a machine begin: "host", "gpu".
std::vector<std::string> system_keys();

}  // namespace memsim::scenarios
