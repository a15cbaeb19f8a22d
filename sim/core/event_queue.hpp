// The pending events of a simulation, in a total order.
//
// Events come out by (time, phase, sequence): first by time, then by the named phase within one
// instant, then in the order in which they were pushed. Nothing else decides, so two runs that push
// the same events pop the same events.
//
// A 4-ary heap of 24-byte events: half as deep as a binary one, and four siblings lie together.
// Pushing and popping cost O(log n), also when all events share one instant. What is popped leaves
// a hole at the root: an event mostly leads to another one, which then takes its place at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/check.hpp"
#include "sim/core/int128.hpp"
#include "sim/core/units.hpp"

namespace memsim::sim {

// What happens first within one instant.
enum class EventPhase : std::uint8_t {
  release,   // resources and memory are given back before anybody asks for them
  arrive,    // transfers and requests become active
  dispatch,  // waiting work is started
  observe,   // statistics see the instant when all else is done
};

struct Event {
  Time time;
  std::uint64_t order = 0;  // phase in the two highest bits, below it the sequence
  std::uint64_t payload = 0;

  [[nodiscard]] constexpr EventPhase phase() const {
    return static_cast<EventPhase>(order >> sequence_bits);
  }
  // The total order; no two events of one queue are equal.
  friend constexpr bool operator<(const Event& a, const Event& b) { return a.key() < b.key(); }

  static constexpr int sequence_bits = 62;

  // The total order as one 128-bit number, which compares without a branch.
  // Requires: the time is not negative.
  [[nodiscard]] constexpr UInt128 key() const {
    return static_cast<UInt128>(time.value()) << 64 | order;
  }
};
static_assert(sizeof(Event) == 24);

// Invariants: every pending event is at or after the last one popped.
class EventQueue {
 public:
  // Requires: `time` is neither negative nor before the last event popped. At its very instant any
  // phase may be pushed: an event of an earlier phase is then simply the next one.
  void push(Time time, EventPhase phase, std::uint64_t payload) {
    MEMSIM_CHECK(time >= last_time_, "an event before the last one popped");
    const std::uint64_t phase_bits = static_cast<std::uint64_t>(phase) << Event::sequence_bits;
    const Event event{time, phase_bits | sequence_++, payload};
    if (root_is_hole_) {
      root_is_hole_ = false;
      sink(event);
    } else {
      heap_.emplace_back();
      rise(heap_.size() - 1, event);
    }
  }

  // Takes out the first event. Requires: !empty().
  Event pop() {
    MEMSIM_CHECK(!empty(), "no event to pop");
    if (root_is_hole_) close_hole();
    root_is_hole_ = true;
    last_time_ = heap_.front().time;
    return heap_.front();
  }

  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::size_t size() const { return heap_.size() - std::size_t{root_is_hole_}; }

  // The time of the first event; Time::max() if there is none.
  [[nodiscard]] Time next_time() const {
    if (empty()) return Time::max();
    return heap_[root_is_hole_ ? first_child_of_root() : 0].time;
  }

  // The pending events in the order in which they would come out. Their sequence numbers depend on
  // history: a digest of the state uses their order, phases, payloads and times relative to now.
  [[nodiscard]] std::vector<Event> pending() const {
    std::vector<Event> events(heap_.begin() + (root_is_hole_ ? 1 : 0), heap_.end());
    std::sort(events.begin(), events.end());
    return events;
  }

  // Moves all pending events and the last one popped by the same duration (an executor that leaves
  // out whole periods). Requires: by >= 0.
  void shift(Duration by) {
    MEMSIM_CHECK(by >= Duration(0), "a shift into the past");
    for (Event& event : heap_) event.time += by;
    last_time_ += by;
  }

 private:
  static constexpr std::size_t arity = 4;

  // Places `event` at the hole `at` or above it.
  void rise(std::size_t at, const Event& event) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / arity;
      if (heap_[parent] < event) break;
      heap_[at] = heap_[parent];
      at = parent;
    }
    heap_[at] = event;
  }

  // Which of four siblings is first: three comparisons and no branch, as no predictor knows. Keys
  // are selected beside their indices, so that no load waits for a comparison.
  [[nodiscard]] static std::size_t first_of_four(const Event* siblings) {
    const UInt128 first_key = siblings[0].key();
    const UInt128 second_key = siblings[1].key();
    const UInt128 third_key = siblings[2].key();
    const UInt128 fourth_key = siblings[3].key();
    const bool second = second_key < first_key;
    const bool fourth = fourth_key < third_key;
    const UInt128 low_key = second ? second_key : first_key;
    const UInt128 high_key = fourth ? fourth_key : third_key;
    const std::size_t low{second};
    const std::size_t high = 2 + std::size_t{fourth};
    const std::size_t all_ones_if_high = 0 - std::size_t{high_key < low_key};
    return low ^ ((low ^ high) & all_ones_if_high);
  }

  // Requires: the root has a child.
  [[nodiscard]] std::size_t first_child_of_root() const {
    if (heap_.size() > arity) return 1 + first_of_four(heap_.data() + 1);
    return static_cast<std::size_t>(std::min_element(heap_.begin() + 1, heap_.end()) -
                                    heap_.begin());
  }

  void close_hole() {
    root_is_hole_ = false;
    const Event last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(last);
  }

  // Places `event` into the heap whose root is a hole: the hole sinks to the bottom, where the
  // event mostly belongs, and the event rises from there.
  void sink(const Event& event) {
    Event* const heap = heap_.data();
    const std::size_t size = heap_.size();
    std::size_t hole = 0;
    std::size_t child = 1;
    while (child + arity <= size) {
      const std::size_t first = child + first_of_four(heap + child);
      heap[hole] = heap[first];
      hole = first;
      child = hole * arity + 1;
    }
    if (child < size) {
      const Event* const first = std::min_element(heap + child, heap + size);
      heap[hole] = *first;
      hole = static_cast<std::size_t>(first - heap);
    }
    rise(hole, event);
  }

  std::vector<Event> heap_;
  bool root_is_hole_ = false;
  std::uint64_t sequence_ = 0;
  Time last_time_;
};

}  // namespace memsim::sim
