// The pieces of a replayed trace's log; see allocator_replay.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/memory/device_memory.hpp"
#include "sim/memory/torch_allocator.hpp"

namespace memsim::validate {

// Appends numbers to a text without going through a stream or a locale.
void append_decimal(std::string& out, std::int64_t number);
void append_hex(std::string& out, std::uint64_t number);

// " allocated reserved active inactive_split requested segments retries ooms": the bytes and
// segments of both pools now, and the calls so far.
void append_usage(std::string& out, const sim::TorchAllocator& allocator);

// " action:address:size:stream" for each, except for allocations and requests to free; neighbouring
// free_completed are told in the order of their addresses.
void append_events(std::string& out, std::vector<sim::AllocatorEvent>& events);

// "  S ..." for each segment and "    B ..." for each of its blocks. `stale`: also what free blocks
// were last asked for.
void append_snapshot(std::string& out, const sim::TorchAllocator& allocator, bool stale);

// "  name.pool current= peak= allocated= freed=" for each statistic, the calls, the device.
void append_statistics(std::string& out, const sim::TorchAllocator& allocator,
                       const sim::DeviceMemory& memory);

}  // namespace memsim::validate
