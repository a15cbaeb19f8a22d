// Allocator traces: one operation a line, as text.
//
//   capacity N | external N            bytes of the device, and of them taken by others
//   alloc ID SIZE STREAM | free ID | record ID STREAM | complete STREAM
//   empty_cache | reset_peak | reset_accumulated | snapshot | stats
//   config STRING | fraction F | pool_begin A B STREAM | pool_end A B | pool_release A B
//   events immediate|manual | nvml on|off | stale on|off
//
// Blank lines and lines that start with # are no operations. The format is described in
// validate/data/allocator/README.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/source.hpp"
#include "sim/core/result.hpp"
#include "sim/memory/allocator.hpp"
#include "sim/memory/torch_pools.hpp"
#include "sim/memory/torch_ratio.hpp"

namespace memsim::validate {

enum class TraceVerb : std::uint8_t {
  capacity,
  external,
  fraction,
  config,
  events,
  nvml,
  stale,
  alloc,
  free,
  record,
  complete,
  empty_cache,
  reset_peak,
  reset_accumulated,
  snapshot,
  stats,
  pool_begin,
  pool_end,
  pool_release,
};
std::string_view name(TraceVerb verb);

struct TraceOp {
  TraceVerb verb = TraceVerb::stats;
  std::uint32_t allocation = 0;  // alloc, free, record: number of the ID by first appearance
  sim::StreamId stream{};        // alloc, record, complete, pool_begin
  std::int64_t amount = 0;       // capacity, external, alloc: bytes; on and manual: 1, off: 0;
                                 // config, fraction, pool_...: index into what AllocatorTrace keeps
  std::size_t line = 0;          // in the file, from 1
};

struct AllocatorTrace {
  std::vector<TraceOp> ops;
  std::vector<std::string> options;        // of config; "-" is empty here
  std::vector<sim::TorchRatio> fractions;  // of fraction
  std::vector<sim::TorchPoolId> pools;     // of pool_...
};

// Reads a trace line by line.
class AllocatorTraceReader {
 public:
  // Adds the operation of the next line, if there is one. Errors: what is wrong; the trace is then
  // of no use, and reading on only finds more that is wrong.
  sim::Result<void> read_line(std::string_view text);

  [[nodiscard]] const AllocatorTrace& trace() const { return trace_; }
  [[nodiscard]] AllocatorTrace take() { return std::move(trace_); }

 private:
  using Words = std::vector<std::string_view>;

  sim::Result<void> read_arguments(const Words& words, TraceOp& op);
  sim::Result<void> read_allocation(std::string_view word, bool creates, TraceOp& op);
  sim::Result<void> read_fraction(std::string_view word, TraceOp& op);
  sim::Result<void> read_pool(std::string_view first, std::string_view second, TraceOp& op);

  AllocatorTrace trace_;
  std::map<std::uint64_t, std::uint32_t> allocations_;  // by ID
  std::size_t line_ = 0;
  bool faulty_ = false;
};

// A whole trace; empty after diagnostics (E113), one for each line that is wrong.
std::optional<AllocatorTrace> read_allocator_trace(const scenarios::SourceFile& file,
                                                   scenarios::Diagnostics& diagnostics);

// Whether a line could be an operation: its first word is a verb.
bool starts_with_trace_verb(std::string_view line);

// Whether the first line that is neither blank nor a comment could be one. A log's first words are
// numbers, so it is not taken for a trace.
bool is_allocator_trace(std::string_view head);

}  // namespace memsim::validate
