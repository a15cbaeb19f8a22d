#include "sim/memory/driver.hpp"

#include <limits>

#include "sim/memory/driver_allocator.hpp"
#include "tests/support/catch.hpp"

namespace memsim::sim {

TEST_CASE("the driver takes whole pages of 2 MiB from the device") {
  DeviceMemory memory(7_MiB);
  Driver driver(memory);
  const auto one = driver.malloc(1_B);
  REQUIRE(one);
  CHECK(driver.size(*one) == 2_MiB);
  CHECK(driver.address(*one) == 0x7f0000000000);
  const auto two = driver.malloc(2_MiB + 1_B);
  REQUIRE(two);
  CHECK(driver.size(*two) == 4_MiB);
  CHECK(driver.address(*two) == 0x7f0000200000);
  CHECK(memory.used() == 6_MiB);
  CHECK(memory.free() == 1_MiB);
  // 1 MiB is left, but no page.
  CHECK_FALSE(driver.malloc(1_B));
  driver.free(*one);
  CHECK(memory.used() == 4_MiB);
  CHECK(driver.address(*driver.malloc(512_B)) == 0x7f0000000000);
  driver.check_invariants();
}

TEST_CASE("the driver counts what others hold of the device") {
  DeviceMemory memory(8_MiB, 4_MiB);
  Driver driver(memory);
  CHECK_FALSE(driver.malloc(5_MiB));
  CHECK(driver.malloc(4_MiB));
}

TEST_CASE("the driver is out of memory when it is out of addresses") {
  DeviceMemory memory(Bytes::max());
  Driver driver(memory);
  CHECK_FALSE(driver.malloc(Bytes(std::int64_t{1} << 57)));
  CHECK_FALSE(driver.malloc(Bytes::max()));
  CHECK(memory.used() == 0_B);
  CHECK(driver.malloc(Bytes(std::int64_t{1} << 56)));
}

TEST_CASE("the driver's granularity and base address are its own") {
  DeviceMemory memory(64_KiB);
  Driver driver(memory, {.granularity = 4_KiB, .base_address = 4096});
  const auto region = driver.malloc(5_KiB);
  REQUIRE(region);
  CHECK(driver.address(*region) == 4096);
  CHECK(driver.size(*region) == 8_KiB);
  CHECK_THROWS_AS(Driver(memory, {.granularity = 0_B}), InternalError);
}

TEST_CASE("the state of a driver includes what others hold") {
  DeviceMemory memory(8_MiB);
  const Driver driver(memory);
  Digest before;
  driver.add_state(before);
  memory.set_external(1_MiB);
  Digest after;
  driver.add_state(after);
  CHECK(before.value() != after.value());
}

TEST_CASE("the driver as an allocator calls the driver for every request") {
  DeviceMemory memory(8_MiB);
  Driver driver(memory);
  const auto allocator = make_driver_allocator(driver);
  DriverWork work;
  const auto a = allocator->allocate(100_B, StreamId{0}, work);
  const auto b = allocator->allocate(5_MiB, StreamId{1}, work);
  REQUIRE((a && b));
  CHECK(work.mallocs == 2);
  CHECK(allocator->block_size(*a) == 2_MiB);
  CHECK(allocator->block_size(*b) == 6_MiB);
  CHECK(allocator->usage().requested == 5_MiB + 100_B);
  CHECK(allocator->usage().reserved == 8_MiB);

  const auto c = allocator->allocate(1_B, StreamId{0}, work);
  REQUIRE_FALSE(c);
  CHECK(work.failed_mallocs == 1);
  CHECK(c.error().message == "out of memory");
  CHECK(c.error().requested == 1_B);
  CHECK(c.error().free == 0_B);
  CHECK_FALSE(c.error().fragmented());

  // cudaFree waits for the device: memory used on several streams needs no events.
  allocator->record_stream(*a, StreamId{3});
  CHECK_FALSE(work.synchronized);
  allocator->free(*a, work);
  CHECK(work.frees == 1);
  CHECK(work.synchronized);
  CHECK(memory.used() == 6_MiB);
}

TEST_CASE("an allocator over the driver gives everything back when it ends") {
  DeviceMemory memory(8_MiB);
  Driver driver(memory);
  {
    const auto allocator = make_driver_allocator(driver);
    DriverWork work;
    REQUIRE(allocator->allocate(3_MiB, StreamId{0}, work));
    CHECK(memory.used() == 4_MiB);
  }
  CHECK(memory.used() == 0_B);
}

TEST_CASE("addresses are reserved apart from memory, which is put behind them page by page") {
  DeviceMemory memory(100_MiB);
  Driver driver(memory);
  const auto region = driver.reserve(1_GiB);
  REQUIRE(region.has_value());
  CHECK(driver.reserved_address(*region) == 0x600000000000);
  CHECK(driver.reserved_size(*region) == 1_GiB);
  CHECK(memory.used() == 0_B);
  CHECK(driver.map(60_MiB));
  CHECK_FALSE(driver.map(60_MiB));
  CHECK(memory.used() == 60_MiB);
  CHECK_FALSE(driver.malloc(60_MiB).has_value());
  driver.unmap(60_MiB);
  const auto other = driver.reserve(20_MiB);
  REQUIRE(other.has_value());
  CHECK(driver.reserved_address(*other) == 0x600000000000 + (1 << 30));
  driver.release(*region);
  driver.release(*other);
  driver.check_invariants();
  CHECK(memory.used() == 0_B);
}

}  // namespace memsim::sim
