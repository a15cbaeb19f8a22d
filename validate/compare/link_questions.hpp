// What a measured figure asks of a machine, read from the words of its row.
#pragma once

#include <cstddef>
#include <cstdint>
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
  // Of several devices: what the figure counts, and whether they copy at the same time. 0: all.
  std::int64_t devices = 1;
  bool at_once = false;
  bool each = false;  // the figure is of one of them
  // Threads that pin (1: not said) or that read and write the host's memory (0: all cores).
  std::int64_t threads = 1;
  sim::Bytes size{1 << 29};  // nvbandwidth's buffers
  bool sized = false;        // the row tells the size
  double load = 0;           // bytes per second that others read
  Mix mix;
};

// The question in words: "host to device, 2 GPUs under one switch at once, of each, 512 MiB".
std::string description_of(const LinkQuestion& question);

// "copies, one direction": what the errors of such questions are added up under.
std::string quantity_of(const LinkQuestion& question);

// One question by figure of the row, in their order; or why the words of that figure ask nothing
// that memsim answers: a word that is not understood is one reason. Errors: why none of the row
// does.
sim::Result<std::vector<sim::Result<LinkQuestion>>> questions_of(const LinkMeasurement& row,
                                                                 std::size_t figures);

}  // namespace memsim::validate
