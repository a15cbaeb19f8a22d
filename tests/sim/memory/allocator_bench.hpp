// Any registered allocator on a device of its own, whose invariants are checked after every call.
#pragma once

#include <memory>
#include <string_view>

#include "sim/memory/allocators.hpp"
#include "tests/sim/memory/stream_events.hpp"
#include "tests/support/catch.hpp"

namespace memsim::sim {

struct AllocatorBench {
  AllocatorBench(std::string_view name, std::string_view options, Bytes capacity,
                 const DriverSpec& spec = {})
      : memory(capacity), driver(memory, spec) {
    auto made = make_allocator(name, driver, events, options);
    REQUIRE(made);
    allocator = *std::move(made);
  }

  AllocationId allocate(Bytes size, std::uint32_t stream = 0) {
    const auto made = allocator->allocate(size, StreamId{stream}, work);
    REQUIRE(made);
    allocator->check_invariants();
    return *made;
  }
  OutOfMemory fail(Bytes size, std::uint32_t stream = 0) {
    const auto made = allocator->allocate(size, StreamId{stream}, work);
    REQUIRE_FALSE(made);
    allocator->check_invariants();
    return made.error();
  }
  void free(AllocationId id) {
    allocator->free(id, work);
    allocator->check_invariants();
  }
  void record(AllocationId id, std::uint32_t stream) {
    allocator->record_stream(id, StreamId{stream});
  }
  void empty_cache() {
    allocator->empty_cache(work);
    allocator->check_invariants();
  }
  void synchronize() {
    allocator->synchronized(work);
    allocator->check_invariants();
  }
  [[nodiscard]] Bytes reserved() const { return allocator->usage().reserved; }
  [[nodiscard]] Bytes allocated() const { return allocator->usage().allocated; }
  // From where the driver's addresses begin.
  [[nodiscard]] Bytes place(AllocationId id) const {
    return Bytes(static_cast<std::int64_t>(allocator->address(id) - driver.spec().base_address));
  }
  [[nodiscard]] std::uint64_t digest() const {
    Digest digest;
    allocator->add_state(digest);
    return digest.value();
  }

  DeviceMemory memory;
  Driver driver;
  TestEvents events;
  DriverWork work;
  std::unique_ptr<Allocator> allocator;
};

}  // namespace memsim::sim
