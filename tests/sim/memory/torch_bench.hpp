// A caching allocator on a device of its own, whose invariants are checked after every call.
#pragma once

#include <memory>
#include <vector>

#include "sim/memory/torch_allocator.hpp"
#include "tests/sim/memory/stream_events.hpp"
#include "tests/support/catch.hpp"

namespace memsim::sim {

struct TorchBench {
  explicit TorchBench(Bytes capacity, std::string_view options = "") : memory(capacity) {
    configure(options);
  }

  void configure(std::string_view options) { REQUIRE(torch->configure(options).has_value()); }
  AllocationId allocate(Bytes size, std::uint32_t stream = 0) {
    const auto made = torch->allocate(size, StreamId{stream}, work);
    REQUIRE(made);
    torch->check_invariants();
    return *made;
  }
  OutOfMemory fail(Bytes size, std::uint32_t stream = 0) {
    const auto made = torch->allocate(size, StreamId{stream}, work);
    REQUIRE_FALSE(made);
    torch->check_invariants();
    return made.error();
  }
  void free(AllocationId id) {
    torch->free(id, work);
    torch->check_invariants();
  }
  void empty_cache() {
    torch->empty_cache(work);
    torch->check_invariants();
  }
  [[nodiscard]] Bytes reserved() const { return torch->usage().reserved; }
  [[nodiscard]] std::uint64_t address(AllocationId id) const { return torch->address(id); }

  DeviceMemory memory;
  Driver driver{memory};
  TestEvents events;
  DriverWork work;
  std::unique_ptr<TorchAllocator> torch = make_torch_allocator(driver, events);
};

}  // namespace memsim::sim
