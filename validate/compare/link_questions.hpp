// What a measured figure asks of a machine, read from the words of its row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/result.hpp"
#include "sim/core/units.hpp"
#include "validate/compare/link_phrases.hpp"
#include "validate/import/link_measurements.hpp"

namespace memsim::validate {

enum class Subject : std::uint8_t {
  host_copy,       // between the host's memory and a GPU
  peer_copy,       // between two GPUs
  device_memory,   // kernels or copies within a GPU's memory
  cache,           // the same, within L2
  host_memory,     // host threads in DDR
  host_latency,    // of one load, idle
  loaded_latency,  // of one load, beside others
  pinning,         // allocation of page-locked memory
};

struct LinkQuestion {
  Subject subject = Subject::host_copy;
  bool up = false;         // device to host
  bool both_ways = false;  // while a copy runs in the other direction
  bool total = false;      // both directions are added up
  bool pageable = false;
  bool remote = false;        // memory of another socket
  bool interleaved = false;   // threads of one socket, memory of all alike
  bool peer_access = true;    // GPUs reach each other
  bool half_traffic = false;  // bytes copied, not bytes read and written
  Pair pair = Pair::any;
  std::int64_t devices = 1;  // figures of so many devices are added up
  bool at_once = false;      // all of them copy together
  std::int64_t threads = 1;
  sim::Bytes size{1 << 29};  // nvbandwidth's buffers
  double load = 0;           // bytes per second that others read
  Mix mix;
};

// "copies, one direction": what the errors of such questions are added up under.
std::string quantity_of(const LinkQuestion& question);

// One question by figure of the row, in their order; empty where the words of the figure ask
// nothing that memsim answers. Errors: why none of the row does.
sim::Result<std::vector<std::optional<LinkQuestion>>> questions_of(const LinkMeasurement& row,
                                                                   std::size_t figures);

}  // namespace memsim::validate
