// Host threads: interpreters of the program's instructions.
//
// A thread runs until an operation takes time or has to wait, and goes on with that operation when
// it is woken. Operations that only change memory, events or semaphores take no time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/digest.hpp"
#include "sim/exec/agenda.hpp"
#include "sim/exec/job_memory.hpp"
#include "sim/exec/layout.hpp"
#include "sim/exec/streams.hpp"
#include "sim/exec/timeline.hpp"
#include "sim/exec/works.hpp"

namespace memsim::sim {

// A loop that a thread is in. `instance` tells entries of the same loop apart.
struct OpenLoop {
  std::size_t start;   // its instruction
  std::uint32_t left;  // iterations after the present one
  std::uint64_t instance;
};

class Threads {
 public:
  enum class Stop : std::uint8_t {
    blocked,   // it waits, or has finished, or the run is stopped
    boundary,  // an iteration of a loop that is not its last has ended
  };

  // All arguments outlive this object.
  Threads(const Layout& layout, Agenda& agenda, Works& works, Streams& streams, Timeline& timeline,
          std::vector<JobMemory>& memory);

  // Runs a thread that was woken: because time has come, or what it waited for has happened (its
  // host work has ended, a position is reached, a semaphore was posted). `number` counts over all
  // jobs, also below.
  Stop wake(std::uint32_t number);
  // Goes on after a boundary.
  Stop resume(std::uint32_t number);

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(states_.size()); }
  [[nodiscard]] std::vector<OpenLoop>& loops(std::uint32_t thread) { return states_[thread].loops; }
  // Whether a lower-numbered thread is inside a loop.
  [[nodiscard]] bool follows_a_loop(std::uint32_t number) const;

  // Closes the open span at the end of the thread's job, or where the run is cut off.
  void close(std::uint32_t number, Time until);
  // What the thread waits for, as half a sentence; empty if it does not wait.
  [[nodiscard]] std::string describe(std::uint32_t number) const;

  // Where each thread is in its program: cheap, and equal where states are.
  void add_positions(Digest& digest) const;
  // Everything relative to now, but for the iterations left of open loops.
  void add_state(Digest& digest) const;

 private:
  // What a thread that is not running waits for; what it did meanwhile is the reason of its span.
  enum class Wait : std::uint8_t { none, sleep, work, stream, semaphore, finished };
  // How the operation that it was in goes on.
  enum class Then : std::uint8_t { done, launch, enqueue, drain, drain_device, trim, pay };

  struct Event {
    std::uint32_t stream = 0;    // of the job
    std::uint64_t position = 0;  // 0: never recorded
  };
  struct SemaphoreWaiter {
    std::uint32_t thread;
    std::int64_t amount;
  };
  struct Semaphore {
    std::int64_t count = 0;
    std::vector<SemaphoreWaiter> waiters;
  };
  struct JobState {
    std::vector<Event> events;
    std::vector<Semaphore> semaphores;
    std::uint32_t unfinished = 0;  // threads
  };
  struct State {
    std::uint32_t job;
    std::uint32_t local;
    std::uint32_t queue;
    const std::vector<Instruction>* code;

    std::size_t next = 0;  // instruction
    const Op* op = nullptr;
    const Op* op_end = nullptr;
    const std::uint32_t* bindings = nullptr;
    std::uint32_t bound = 0;
    std::vector<Slot> locals;  // slots of the block in progress
    std::vector<OpenLoop> loops;
    std::uint64_t next_instance = 0;
    std::uint32_t phase = 0;

    Wait wait = Wait::none;
    Then then = Then::done;
    Reason reason = Reason::host;  // of the span that the wait makes
    std::uint32_t label = no_label;
    Time until;                // sleep
    std::uint32_t stream = 0;  // stream: which, and which position
    std::uint64_t position = 0;
    // Drain: positions to be waited for by stream of the job, and how many are done.
    std::vector<std::uint64_t> targets;
    std::uint32_t drained = 0;
    // Pay: what the driver's calls cost, for whom, and whether the run is then out of memory.
    Duration cost;
    std::uint32_t customer = no_label;
    std::optional<OutOfMemory> failure;
  };

  Stop run(State& thread);
  // Fetches instructions until one has operations. False: no more for now (`stop` says why).
  bool fetch(State& thread, Stop& stop);
  void finish(State& thread);
  void enter_phase(State& thread, std::uint32_t phase);

  // All of these return whether the operation is over; if not, the thread waits or is stopped.
  bool execute(State& thread, const Op& op);
  bool go_on(State& thread);
  bool allocate(State& thread, const Op& op);
  bool use_slot(State& thread, const Op& op);
  bool empty_cache(State& thread, const Op& op);
  bool launch(State& thread, const Op& op);
  bool enqueue(State& thread, const Op& op);
  bool wait_event(State& thread, const Op& op);
  bool post(State& thread, const Op& op);
  bool await(State& thread, const Op& op);
  bool synchronize_event(State& thread, const Op& op);
  bool synchronize_device(State& thread);
  bool reach(State& thread, std::uint32_t stream, std::uint64_t position, Then then,
             std::uint32_t label);
  bool charge(State& thread, const DriverWork& work, std::uint32_t label);
  bool reach_targets(State& thread, Then then);
  bool drain(State& thread);
  bool drain_device(State& thread);
  bool trim(State& thread);
  bool settle_up(State& thread);
  bool spend(State& thread, Duration time, Reason reason, std::uint32_t label, Then then);
  bool fault(const State& thread, const Op& op, const char* what);
  void add_wait(Digest& digest, const State& thread, const StreamClock& clock) const;
  void block(State& thread, Wait wait, Then then, Reason reason, std::uint32_t label);

  [[nodiscard]] const JobLayout& job(const State& thread) const { return layout_.job(thread.job); }
  [[nodiscard]] Slot& slot(State& thread, std::uint32_t target) {
    return target < thread.bound ? memory_[thread.job].slot(thread.bindings[target])
                                 : thread.locals[target - thread.bound];
  }
  [[nodiscard]] std::uint32_t number(const State& thread) const {
    return job(thread).first_thread + thread.local;
  }

  const Layout& layout_;
  Agenda& agenda_;
  Works& works_;
  Streams& streams_;
  Timeline& timeline_;
  std::vector<JobMemory>& memory_;  // by job
  std::vector<State> states_;       // by thread
  std::vector<JobState> jobs_;
};

}  // namespace memsim::sim
