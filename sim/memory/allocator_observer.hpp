// What an allocator did, event by event, as recorded traces tell it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/core/units.hpp"
#include "sim/memory/allocator.hpp"

namespace memsim::sim {

enum class AllocatorAction : std::uint8_t {
  alloc,           // address and requested size of an allocation
  free_requested,  // the caller gave it back
  free_completed,  // it can be used again: at once, or when the streams using it are done
  segment_alloc,   // address and size of memory obtained from the driver
  segment_free,    // ... and given back
  segment_map,     // memory put behind addresses of an expandable segment
  segment_unmap,   // ... and taken away
  oom,  // a request failed: `address` is what the driver has left, size the rounded request
};

inline constexpr std::size_t allocator_action_count = 8;

constexpr std::array<std::string_view, allocator_action_count> allocator_action_names{
    "alloc",        "free_requested", "free_completed", "segment_alloc",
    "segment_free", "segment_map",    "segment_unmap",  "oom"};

constexpr std::string_view name(AllocatorAction action) {
  return allocator_action_names[static_cast<std::size_t>(action)];
}

struct AllocatorEvent {
  AllocatorAction action;
  std::uint64_t address;
  Bytes size;
  StreamId stream;

  friend bool operator==(const AllocatorEvent&, const AllocatorEvent&) = default;
};

class AllocatorObserver {
 public:
  virtual ~AllocatorObserver() = default;
  // Called while the allocator is at work: must not call it.
  virtual void on_event(const AllocatorEvent& event) = 0;
};

}  // namespace memsim::sim
