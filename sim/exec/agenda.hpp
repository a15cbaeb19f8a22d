// The clock of a run, which threads are to run next, and whether the run was stopped.
//
// Time has two readings. now() is what all components count in. simulated() is what results show:
// now() plus the time of the periods that were left out. Since nothing in a simulation depends on
// absolute time, leaving out a period moves no pending event.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/check.hpp"
#include "sim/core/digest.hpp"
#include "sim/core/event_queue.hpp"
#include "sim/core/result.hpp"
#include "sim/core/units.hpp"
#include "sim/exec/run_result.hpp"

namespace memsim::sim {

class Agenda {
 public:
  explicit Agenda(std::int64_t max_events) : max_events_(max_events) {}

  [[nodiscard]] Time now() const { return now_; }
  [[nodiscard]] Time simulated() const { return now_ + skipped_; }
  // Requires: time >= now().
  void advance(Time time) {
    MEMSIM_CHECK(time >= now_, "time runs backwards");
    now_ = time;
  }
  void skip(Duration by) { skipped_ += by; }

  // Threads, by their number over all jobs.
  void wake(std::uint32_t thread) { woken_.push_back(thread); }
  void wake_at(Time time, std::uint32_t thread) { wakes_.push(time, EventPhase::dispatch, thread); }
  // now() while threads are waiting to run; Time::max() if none is.
  [[nodiscard]] Time next_wake() const { return idle() ? wakes_.next_time() : now_; }

  // Collects the threads that are to run now, in the order of their numbers. Threads that they wake
  // make up the next round.
  void begin_round() {
    round_.swap(woken_);
    woken_.clear();
    while (wakes_.next_time() == now_)
      round_.push_back(static_cast<std::uint32_t>(wakes_.pop().payload));
    std::sort(round_.begin(), round_.end());
    next_in_round_ = 0;
  }
  [[nodiscard]] std::optional<std::uint32_t> next_in_round() {
    if (next_in_round_ == round_.size()) return std::nullopt;
    return round_[next_in_round_++];
  }

  // Counts one executed operation or completion; false when that is one too many, and stops.
  [[nodiscard]] bool count() {
    if (++events_ <= max_events_) [[likely]]
      return true;
    stop(Error{"the run was stopped after " + std::to_string(max_events_) +
               " events (max_events) at " + std::to_string(simulated().value()) + " ps"});
    return false;
  }
  [[nodiscard]] std::int64_t events() const { return std::min(events_, max_events_); }

  // The first reason to stop holds.
  void stop(Error error) {
    if (!stopped()) error_ = std::move(error);
  }
  void stop(MemoryOutcome outcome) {
    if (!stopped()) out_of_memory_ = std::move(outcome);
  }
  [[nodiscard]] bool stopped() const { return error_.has_value() || out_of_memory_.has_value(); }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] const std::optional<MemoryOutcome>& out_of_memory() const { return out_of_memory_; }

  // Threads that are still to run at this instant, and in which round. Sleeping threads know when
  // they wake and add that themselves.
  void add_state(Digest& digest) const {
    digest.add(round_.size() - next_in_round_);
    for (std::size_t i = next_in_round_; i < round_.size(); ++i) digest.add(round_[i]);
    for (const std::uint32_t thread : woken_) digest.add(thread);
  }

 private:
  // Whether nobody but the running thread has something to do now.
  [[nodiscard]] bool idle() const { return woken_.empty() && next_in_round_ == round_.size(); }

  Time now_;
  Duration skipped_;
  EventQueue wakes_;
  std::vector<std::uint32_t> woken_;
  std::vector<std::uint32_t> round_;
  std::size_t next_in_round_ = 0;
  std::int64_t events_ = 0;
  std::int64_t max_events_;
  std::optional<Error> error_;
  std::optional<MemoryOutcome> out_of_memory_;
};

}  // namespace memsim::sim
