// The kinds of hardware files, each described once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/machine/spec.hpp"
#include "scenarios/schema/schema.hpp"

namespace memsim::scenarios {

const Schema<models::GpuSpec>& gpu_schema();
const Schema<models::HostSpec>& host_schema();
const Schema<models::LinkSpec>& link_schema();

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

struct SystemFile {
  std::string name;
  HostEntry host;
  std::vector<GpuEntry> gpus;
  std::vector<SwitchEntry> switches;
  std::vector<LinkEntry> links;
  sim::Bytes tenant_memory;
};

const Schema<SystemFile>& system_schema();
// The words with which settings of a machine begin: "host", "gpu".
std::vector<std::string> system_keys();

}  // namespace memsim::scenarios
