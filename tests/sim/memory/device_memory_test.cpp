#include "sim/memory/device_memory.hpp"

#include "tests/support/catch.hpp"

namespace memsim::sim {

TEST_CASE("device memory gives what is left and not one byte more") {
  DeviceMemory memory(100_B, 10_B);
  CHECK(memory.take(60_B));
  CHECK(memory.free() == 30_B);
  CHECK_FALSE(memory.take(31_B));
  CHECK(memory.used() == 60_B);
  CHECK(memory.take(30_B));
  CHECK(memory.free() == 0_B);
  memory.give_back(90_B);
  CHECK(memory.used() == 0_B);
  CHECK(memory.free() == 90_B);
}

TEST_CASE("device memory that others overfill has nothing left") {
  DeviceMemory memory(100_B);
  REQUIRE(memory.take(50_B));
  memory.set_external(70_B);
  CHECK(memory.free() == 0_B);
  CHECK(memory.external() == 70_B);
  CHECK_FALSE(memory.take(1_B));
  memory.set_capacity(200_B);
  CHECK(memory.capacity() == 200_B);
  CHECK(memory.free() == 80_B);
  memory.set_capacity(0_B);
  memory.set_external(Bytes::max());
  CHECK(memory.free() == 0_B);
}

TEST_CASE("device memory refuses amounts that make no sense") {
  DeviceMemory memory(100_B);
  CHECK_THROWS_AS(memory.give_back(1_B), InternalError);
  CHECK_THROWS_AS(memory.take(Bytes(-1)), InternalError);
  CHECK_THROWS_AS(memory.set_capacity(Bytes(-1)), InternalError);
  CHECK_THROWS_AS(memory.set_external(Bytes(-1)), InternalError);
}

}  // namespace memsim::sim
