// What a program asked of its allocator, in the order in which it did: what all readers of recorded
// runs give, and what is replayed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/memory/allocator.hpp"

namespace memsim::scenarios {

struct MemoryOp {
  enum class Kind : std::uint8_t {
    allocate,     // `bytes` on `stream`, known as `allocation` from now on
    free,         // `allocation`
    use,          // `allocation` is used on `stream` as well (record_stream)
    stream_done,  // what was recorded on `stream` so far has ended
    empty_cache,
  };
  Kind kind = Kind::empty_cache;
  std::uint32_t allocation = 0;
  sim::StreamId stream{};
  sim::Bytes bytes;
};

// Invariants: an allocation is freed or used only between its allocation and its free.
struct MemoryTrace {
  std::vector<MemoryOp> ops;
  std::uint32_t allocations = 0;       // they are numbered from 0
  std::optional<sim::Bytes> capacity;  // of the device, less what others hold, where it is told
  std::string options;                 // of PyTorch's allocator, where they are told
  bool streams_end_at_once = true;     // else only by stream_done
  // What of the recording is not replayed, for people, and how often.
  std::map<std::string, std::int64_t> left_out;
};

}  // namespace memsim::scenarios
