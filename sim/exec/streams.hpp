// Streams: queues of works and waits that the host threads fill.
//
// An operation is on its stream until it has ended; the first one is at the *head*. A work at the
// head is running (or waits for its engine), a collective runs or waits for other members, a wait
// holds up the stream until another stream has reached a position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/digest.hpp"
#include "sim/exec/agenda.hpp"
#include "sim/exec/layout.hpp"
#include "sim/exec/rendezvous.hpp"
#include "sim/exec/timeline.hpp"
#include "sim/exec/works.hpp"

namespace memsim::sim {

class Streams {
 public:
  // All arguments outlive this object.
  Streams(const std::vector<Job>& jobs, const Layout& layout, Agenda& agenda, Works& works,
          Timeline& timeline);

  // In all calls `stream` is a number over all jobs and `phase` that of the launching thread.
  void put_work(std::uint32_t stream, std::uint32_t work, std::uint32_t phase);
  void put_collective(std::uint32_t stream, std::uint32_t work, std::uint16_t communicator,
                      std::uint32_t phase);
  // What follows waits until `other` (of the same job) has reached `position`.
  void put_wait(std::uint32_t stream, std::uint32_t other, std::uint64_t position,
                std::uint32_t phase);

  [[nodiscard]] std::uint64_t tail(std::uint32_t stream) const {
    return clock(stream).tail(states_[stream].local);
  }
  [[nodiscard]] bool reached(std::uint32_t stream, std::uint64_t position) const {
    return clock(stream).head(states_[stream].local) >= position;
  }
  // Wakes the thread once the stream has reached the position. Requires: it has not yet.
  void wake_at(std::uint32_t stream, std::uint64_t position, std::uint32_t thread);

  // The work of this stream's queue has ended.
  void work_ended(std::uint32_t stream);
  // Starts what can start; to be called after work_ended.
  void advance();

  // Thread 0 of the job enters a phase: empty streams count for it from now on.
  void enter_phase(std::uint32_t job, std::uint32_t phase);
  // The job's last thread has finished: empty streams have finished, too.
  void threads_finished(std::uint32_t job);
  // When all threads of the job had finished and all its streams were empty, in simulated time;
  // Time::max() before.
  [[nodiscard]] Time job_end(std::uint32_t job) const { return jobs_[job].end; }

  // Closes the open span of a stream at the end of its job, or where the run is cut off.
  void close(std::uint32_t stream, Time until);

  // What the stream waits for, as half a sentence; empty if it does not wait.
  [[nodiscard]] std::string describe(std::uint32_t stream) const;

  // Everything relative to now, but for works in progress.
  void add_state(Digest& digest) const;

 private:
  static constexpr std::uint64_t no_position = ~std::uint64_t{0};

  enum class Kind : std::uint8_t { work, collective, wait };
  struct Item {
    Kind kind;
    std::uint16_t communicator;  // collective
    std::uint32_t target;        // work, or the stream that a wait looks at
    std::uint32_t phase;
    std::uint64_t position;  // wait
  };
  // Somebody waits until this stream has reached a position.
  struct Waiter {
    std::uint64_t position;
    std::uint32_t number;  // thread or stream
    bool is_stream;
  };
  enum class State : std::uint8_t {
    empty,
    held,     // by a wait
    meeting,  // at a collective that has not started
    running,  // a work was asked for
  };
  struct Stream {
    std::uint32_t job;
    std::uint32_t local;  // number within the job
    std::uint32_t queue;
    State state = State::empty;
    std::vector<Item> ring;       // operation n lies at n mod size; the size is a power of two
    std::vector<Waiter> waiters;  // in the order of their arrival
    std::uint64_t next_position = no_position;  // the nearest one that somebody waits for
  };
  struct JobState {
    std::uint32_t phase = 0;  // of thread 0
    bool threads_finished = false;
    std::uint32_t busy = 0;  // streams that are not empty
    Time end = Time::max();
  };

  [[nodiscard]] StreamClock& clock(std::uint32_t stream) const {
    return *layout_.job(states_[stream].job).clock;
  }
  // The operation behind a position. Requires: it is on the stream.
  [[nodiscard]] static const Item& item(const Stream& stream, std::uint64_t position) {
    return stream.ring[position & (stream.ring.size() - 1)];
  }
  [[nodiscard]] const Item& head(std::uint32_t stream) const {
    return item(states_[stream], clock(stream).head(states_[stream].local));
  }
  void put(std::uint32_t stream, const Item& item);
  static void grow(Stream& stream, const StreamClock& clock);
  // Handles the operations at the head until one takes time.
  void advance(std::uint32_t stream);
  void start_collectives();
  // The work at the head is over for this stream.
  void finish_work(std::uint32_t stream);
  void remove_head(std::uint32_t stream);
  void add_waiter(std::uint32_t stream, const Waiter& waiter);
  void wake_waiters(Stream& stream, std::uint64_t head);
  void end_job_if_done(std::uint32_t job);

  const Layout& layout_;
  Agenda& agenda_;
  Works& works_;
  Timeline& timeline_;
  Rendezvous rendezvous_;
  std::vector<Stream> states_;  // by stream
  std::vector<JobState> jobs_;
  std::vector<std::uint32_t> ready_;     // streams whose head may go on
  std::vector<std::uint32_t> starting_;  // queues of collectives
  std::vector<std::uint32_t> over_;
};

}  // namespace memsim::sim
