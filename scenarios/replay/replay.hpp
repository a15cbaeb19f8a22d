// A recorded run again, on an allocator of one's choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/machine/spec.hpp"
#include "scenarios/replay/memory_trace.hpp"
#include "sim/memory/allocator.hpp"

namespace memsim::scenarios {

// Without a capacity nothing runs out of memory: more than any device has.
inline constexpr sim::Bytes no_limit{std::int64_t{1} << 50};

// What the allocator held after an operation.
struct ReplayMoment {
  std::int64_t operation = 0;  // counted from 1
  sim::AllocatorUsage usage;

  // Reserved, but in no caller's hands.
  [[nodiscard]] sim::Bytes idle() const { return usage.reserved - usage.allocated; }
};

struct ReplayFailure {
  std::int64_t operation = 0;
  sim::OutOfMemory cause;
};

struct ReplayRun {
  models::AllocatorSpec allocator;
  sim::Bytes peak_requested;
  sim::Bytes peak_allocated;
  ReplayMoment peak;  // of the highest reserve, the first of several
  ReplayMoment end;
  // At most `timeline_points`: the highest reserve of each stretch of operations.
  std::vector<ReplayMoment> timeline;
  sim::DriverWork work;       // of all operations
  std::int64_t flushes = 0;   // operations in which segments went back while memory was asked for
  std::int64_t failures = 0;  // requests that ran out of memory; their frees do nothing
  std::optional<ReplayFailure> first_failure;
};

inline constexpr std::size_t timeline_points = 64;

// Requires: an allocator that check_allocator accepts, capacity >= 0.
ReplayRun replay(const MemoryTrace& trace, const models::AllocatorSpec& allocator,
                 sim::Bytes capacity);

}  // namespace memsim::scenarios
