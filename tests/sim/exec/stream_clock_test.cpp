#include "sim/exec/stream_clock.hpp"

#include "sim/core/digest.hpp"
#include "tests/support/catch.hpp"

using namespace memsim::sim;

namespace {

std::uint64_t state(const StreamClock& clock, std::uint64_t position) {
  Digest digest;
  clock.add_state(digest, StreamId{0}, position);
  return digest.value();
}

}  // namespace

TEST_CASE("outside of a run streams are idle and every event is done") {
  StreamClock clock;
  CHECK(clock.record(StreamId{3}) == 0);
  CHECK(clock.done(StreamId{3}, 17));
  clock.wait(StreamId{3}, 17);
  CHECK_FALSE(clock.take_waits());
  CHECK(state(clock, 17) == Digest().value());
}

TEST_CASE("an event is done when all operations before it have ended") {
  StreamClock clock;
  clock.reset(2);
  clock.put(1);
  clock.put(1);
  const std::uint64_t event = clock.record(StreamId{1});
  CHECK(clock.record(StreamId{0}) == 0);
  clock.put(1);
  CHECK_FALSE(clock.done(StreamId{1}, event));
  clock.end(1);
  CHECK_FALSE(clock.done(StreamId{1}, event));
  clock.end(1);
  CHECK(clock.done(StreamId{1}, event));
  CHECK_FALSE(clock.idle(1));
}

TEST_CASE("an event that was waited for is done, and so are those before it") {
  StreamClock clock;
  clock.reset(1);
  clock.put(0);
  const std::uint64_t first = clock.record(StreamId{0});
  clock.put(0);
  const std::uint64_t second = clock.record(StreamId{0});
  clock.wait(StreamId{0}, second);
  CHECK(clock.done(StreamId{0}, first));
  CHECK(clock.done(StreamId{0}, second));
  CHECK(clock.waited(0));
  CHECK(clock.waited_position(0) == second);
  CHECK(clock.take_waits());
  CHECK_FALSE(clock.take_waits());
  clock.end(0);
  clock.end(0);
  CHECK_FALSE(clock.waited(0));
}

TEST_CASE("the state of an event is how far its stream still has to go") {
  StreamClock early;
  early.reset(1);
  StreamClock late;
  late.reset(1);
  for (int i = 0; i < 5; ++i) {
    late.put(0);
    late.end(0);
  }
  early.put(0);
  late.put(0);
  CHECK(state(early, 1) == state(late, 6));
  early.put(0);
  CHECK(state(early, 2) != state(early, 1));
  early.end(0);
  CHECK(state(early, 1) == Digest().value());
}
