// The interface of every allocator.
//
// Vocabulary. A *segment* is memory obtained from the driver (cudaMalloc). A *block* is a part of a
// segment handed to a caller, or waiting in a free set. *Requested* is what the caller asked for,
// *allocated* what the blocks in use span (after rounding), *reserved* what the segments span.
//
// Allocation happens in host program order. A call changes the state at once; what it cost the host
// (driver calls, a wait for the device) is reported in DriverWork and charged by the caller.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>

#include "sim/core/digest.hpp"
#include "sim/core/units.hpp"

namespace memsim::sim {

enum class StreamId : std::uint32_t {};  // 0 is the default stream
// Names a live allocation; valid until freed, then used again for another. It says nothing about
// the place in memory and is no part of a state digest: digest addresses instead.
enum class AllocationId : std::uint32_t {};
inline constexpr AllocationId null_allocation{0xFFFFFFFF};  // a request of 0 bytes

// Driver calls that a request made. Counters add up; the caller turns them into time.
struct DriverWork {
  std::int64_t mallocs = 0;  // cudaMalloc calls that succeeded
  std::int64_t failed_mallocs = 0;
  std::int64_t frees = 0;     // cudaFree calls
  std::int64_t maps = 0;      // pages mapped
  std::int64_t unmaps = 0;    // pages unmapped
  bool synchronized = false;  // the host waited for all work of the device
};

// Why a request could not be served: a modelled outcome, not an error.
struct OutOfMemory {
  Bytes requested;  // what the caller asked for
  Bytes segment;    // what was asked of the driver
  Bytes free;       // what the driver has left
  Bytes capacity;
  Bytes allocated;
  Bytes reserved;
  Bytes largest_free_block;  // the largest block in the allocator's own cache
  std::string message;       // in the words of the modelled allocator
  // Whether the bytes were there, but in pieces: the driver's and the cache's together suffice.
  [[nodiscard]] bool fragmented() const { return free + (reserved - allocated) >= requested; }
};

struct AllocatorUsage {
  Bytes requested;
  Bytes allocated;
  Bytes reserved;
};

// Completion of device work, as the allocator needs it for memory used on several streams.
// Implemented by the executor (simulated streams) and by trace replay.
class StreamEvents {
 public:
  virtual ~StreamEvents() = default;
  // Marks the present end of the stream's queue; returns a number that done() understands.
  virtual std::uint64_t record(StreamId stream) = 0;
  [[nodiscard]] virtual bool done(StreamId stream, std::uint64_t event) = 0;
  // The allocator waits for the event: it is done from now on, and so are the earlier ones of its
  // stream.
  virtual void wait(StreamId stream, std::uint64_t event) = 0;
  // What the event still has to wait for, relative to now (nothing to add once it is done): part
  // of Allocator::add_state. Event numbers themselves grow for ever and must stay out.
  virtual void add_state(Digest& digest, StreamId stream, std::uint64_t event) const = 0;
};

class Allocator {
 public:
  virtual ~Allocator() = default;

  // Requires: requested >= 0. A request of 0 bytes gives null_allocation and changes nothing.
  virtual tl::expected<AllocationId, OutOfMemory> allocate(Bytes requested, StreamId stream,
                                                           DriverWork& work) = 0;
  // Requires: `allocation` is live. null_allocation is allowed and does nothing.
  virtual void free(AllocationId allocation, DriverWork& work) = 0;
  // The block is also used on `stream`: it may not be reused before that use has ended.
  virtual void record_stream(AllocationId allocation, StreamId stream) = 0;
  // Gives cached memory back to the driver.
  virtual void empty_cache(DriverWork& work) = 0;
  // The host has waited for a stream, an event or the device. Few allocators care: driver pools may
  // give unused memory back.
  virtual void synchronized(DriverWork& /*work*/) {}

  // Size of the block behind an allocation (requested size after rounding).
  [[nodiscard]] virtual Bytes block_size(AllocationId allocation) const = 0;
  [[nodiscard]] virtual std::uint64_t address(AllocationId allocation) const = 0;
  [[nodiscard]] virtual AllocatorUsage usage() const = 0;

  // Everything that decides later behaviour, in a canonical order; accumulated statistics are left
  // out. Equal digests at two instants mean: the same requests will be served the same way.
  virtual void add_state(Digest& digest) const = 0;
  // Throws InternalError if a structural invariant is broken (overlap, lost bytes, unmerged
  // neighbours, used > reserved, ...).
  virtual void check_invariants() const = 0;
};

}  // namespace memsim::sim
