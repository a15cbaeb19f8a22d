#include "sim/core/event_queue.hpp"

#include <rapidcheck/catch.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

std::vector<std::uint64_t> pop_all(EventQueue& queue) {
  std::vector<std::uint64_t> payloads;
  while (!queue.empty()) payloads.push_back(queue.pop().payload);
  return payloads;
}

std::vector<std::uint64_t> payloads(const std::vector<Event>& events) {
  std::vector<std::uint64_t> result;
  for (const Event& event : events) result.push_back(event.payload);
  return result;
}

TEST_CASE("events come out by time, then by phase, then in the order in which they were pushed") {
  EventQueue queue;
  queue.push(Time(5), EventPhase::observe, 1);
  queue.push(Time(5), EventPhase::dispatch, 2);
  queue.push(Time(5), EventPhase::release, 3);
  queue.push(Time(3), EventPhase::observe, 4);
  queue.push(Time(5), EventPhase::arrive, 5);
  queue.push(Time(5), EventPhase::release, 6);
  REQUIRE(queue.size() == 6);
  REQUIRE(queue.next_time() == Time(3));
  CHECK(pop_all(queue) == std::vector<std::uint64_t>{4, 3, 6, 5, 2, 1});
  CHECK(queue.next_time() == Time::max());
}

TEST_CASE("an event tells its time, phase and payload") {
  EventQueue queue;
  queue.push(Time(7), EventPhase::dispatch, 0xFFFFFFFFFFFFFFFF);
  const Event event = queue.pop();
  CHECK(event.time == Time(7));
  CHECK(event.phase() == EventPhase::dispatch);
  CHECK(event.payload == 0xFFFFFFFFFFFFFFFF);
}

TEST_CASE("no event is accepted before the last one popped, but any phase at its instant is") {
  EventQueue queue;
  queue.push(Time(10), EventPhase::dispatch, 1);
  queue.push(Time(10), EventPhase::observe, 2);
  queue.pop();
  CHECK_THROWS_AS(queue.push(Time(9), EventPhase::observe, 3), InternalError);
  queue.push(Time(10), EventPhase::release, 4);
  CHECK(pop_all(queue) == std::vector<std::uint64_t>{4, 2});
}

TEST_CASE("time does not begin before 0 and an empty queue has nothing to pop") {
  EventQueue queue;
  CHECK_THROWS_AS(queue.push(Time(-1), EventPhase::release, 0), InternalError);
  CHECK_THROWS_AS(queue.pop(), InternalError);
}

TEST_CASE("a shift moves pending events and the last one popped") {
  EventQueue queue;
  queue.push(Time(10), EventPhase::release, 1);
  queue.push(Time(20), EventPhase::observe, 2);
  queue.push(Time(20), EventPhase::arrive, 3);
  queue.pop();
  queue.shift(100_ps);
  CHECK(queue.next_time() == Time(120));
  CHECK_THROWS_AS(queue.push(Time(109), EventPhase::release, 4), InternalError);
  queue.push(Time(110), EventPhase::release, 5);
  CHECK(pop_all(queue) == std::vector<std::uint64_t>{5, 3, 2});
  CHECK_THROWS_AS(queue.shift(Duration(-1)), InternalError);
}

TEST_CASE("pending events are listed in the order in which they would come out") {
  EventQueue queue;
  for (const std::int64_t time : {30, 10, 20, 10, 40, 0})
    queue.push(Time(time), EventPhase::arrive, static_cast<std::uint64_t>(time));
  const std::vector<std::uint64_t> listed = payloads(queue.pending());
  CHECK(listed == std::vector<std::uint64_t>{0, 10, 10, 20, 30, 40});
  CHECK(pop_all(queue) == listed);
}

// A plain list, searched for its least element at every pop.
struct NaiveQueue {
  using Entry =
      std::tuple<std::int64_t, std::uint8_t, std::uint64_t>;  // the payload is the sequence
  std::vector<Entry> entries;

  std::uint64_t pop() {
    const auto least = std::min_element(entries.begin(), entries.end());
    const std::uint64_t payload = std::get<2>(*least);
    entries.erase(least);
    return payload;
  }
  [[nodiscard]] Time next_time() const {
    if (entries.empty()) return Time::max();
    return Time(std::get<0>(*std::min_element(entries.begin(), entries.end())));
  }
  [[nodiscard]] std::vector<std::uint64_t> sorted() const {
    NaiveQueue copy = *this;
    std::vector<std::uint64_t> payloads;
    while (!copy.entries.empty()) payloads.push_back(copy.pop());
    return payloads;
  }
};

TEST_CASE("any mixture of pushes and pops gives the order of a plain list") {
  rc::prop("same order", [](const std::vector<std::uint16_t>& steps) {
    EventQueue queue;
    NaiveQueue naive;
    std::int64_t now = 0;
    std::uint64_t pushed = 0;
    for (const std::uint16_t step : steps) {
      const std::uint8_t phase = step & 3;
      if (step % 3 != 0 || queue.empty()) {
        const std::int64_t time = now + (step >> 2) % 5;
        queue.push(Time(time), static_cast<EventPhase>(phase), pushed);
        naive.entries.emplace_back(time, phase, pushed++);
      } else {
        const Event event = queue.pop();
        now = event.time.value();
        RC_ASSERT(event.payload == naive.pop());
      }
      RC_ASSERT(queue.size() == naive.entries.size());
      RC_ASSERT(queue.next_time() == naive.next_time());
      RC_ASSERT(payloads(queue.pending()) == naive.sorted());
    }
    while (!queue.empty()) RC_ASSERT(queue.pop().payload == naive.pop());
    RC_ASSERT(naive.entries.empty());
  });
}

}  // namespace
}  // namespace memsim::sim
