#include "scenarios/replay/recorded_streams.hpp"

#include "tests/support/catch.hpp"

namespace memsim::scenarios {

TEST_CASE("work of a stream ends at once, or when the recording says so") {
  RecordedStreams streams;
  const sim::StreamId one{1};
  const sim::StreamId two{2};
  CHECK(streams.done(one, streams.record(one)));
  streams.set_manual(true);
  const std::uint64_t first = streams.record(one);
  const std::uint64_t second = streams.record(two);
  CHECK_FALSE(streams.done(one, first));
  streams.complete(one);
  CHECK(streams.done(one, first));
  CHECK_FALSE(streams.done(two, second));
  const std::uint64_t third = streams.record(two);
  streams.wait(two, second);
  CHECK(streams.done(two, second));
  CHECK_FALSE(streams.done(two, third));
}

}  // namespace memsim::scenarios
