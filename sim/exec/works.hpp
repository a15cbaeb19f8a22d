// Works in progress: engines that they wait for, flows that they become, when they end.
//
// A queue has at most one work at a time. A work waits for its engine (first come, first served),
// passes its latency and meets all its demands at the same time, each as one flow. Works that end
// in one instant end in the order in which they started.
//
// A work that runs alone, whose demands share nothing with each other, needs no network: each
// demand runs at the full rate of its route, so its end is known when it starts. Its flows are
// started only when a second work with demands joins it, at the instants at which they would have
// been: the network then sees the very calls that it would have seen, so the result is the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/digest.hpp"
#include "sim/core/event_queue.hpp"
#include "sim/core/units.hpp"
#include "sim/exec/layout.hpp"
#include "sim/exec/run_result.hpp"
#include "sim/flow/flow_network.hpp"

namespace memsim::sim {

// One work of one queue: from its request to the next one of the same queue.
struct WorkRun {
  enum class State : std::uint8_t {
    none,     // never asked for, or ended
    waiting,  // for its engine
    timed,    // its end is known
    flowing,  // its demands are flows of the network
  };

  const Work* work = nullptr;
  State state = State::none;
  std::uint32_t index = 0;  // of the work in its program
  std::uint64_t order = 0;  // by start
  Time started = Time::max();
  Time ended = Time::max();
  Duration latency;                // fixed part: its own and that of the route that bounds it
  std::uint32_t route = no_route;  // that bounds it, known when it has ended

  // While flowing.
  std::uint32_t unmet = 0;  // demands
  std::vector<bool> met;    // by demand
  std::uint32_t last = 0;   // the demand met last, of equal ones the first
  Time last_time;           // and when
};

class Works {
 public:
  // `network` holds no flows; all arguments outlive this object.
  Works(FlowNetwork& network, const std::vector<Job>& jobs, const Layout& layout);

  // The queue asks for work `index` of its program. Requires: its last one has ended.
  void request(std::uint32_t queue, std::uint32_t index, Time now);

  // Takes out the works that end at `now`, in the order of their starts, and hands their engines
  // on. Requires: now <= next_event().
  void collect(Time now, std::vector<std::uint32_t>& ended_queues);

  // Whether something ends or becomes active at `now`.
  [[nodiscard]] bool due(Time now) const;
  // The next instant at which something does. If that is not `now`, nothing may change any more at
  // this instant but by going on from here: the network settles.
  [[nodiscard]] Time next_event(Time now);

  [[nodiscard]] const WorkRun& of(std::uint32_t queue) const { return runs_[queue]; }
  // The run ends here: works in progress stay without an end, bound by their first demand that is
  // not met.
  void cut_off(Time now);

  // What the queue's work waits for, as half a sentence; empty if it has none.
  [[nodiscard]] std::string describe(std::uint32_t queue) const;

  // Works in progress relative to `now`, in the order of their starts. Requires: nothing is due.
  void add_state(Digest& digest, Time now);

 private:
  struct Engine {
    bool busy = false;
    std::vector<std::uint32_t> waiting;  // queues, first come first
  };
  // What a work takes when it is alone.
  struct Solo {
    enum class Kind : std::uint8_t { unknown, known, for_network };
    Kind kind = Kind::unknown;
    std::uint32_t bound = 0;
    Duration duration;
  };

  void start(std::uint32_t queue, Time now);
  void end_at(std::uint32_t queue, Time time);
  void start_flows(std::uint32_t queue, Time now);
  // Turns the work that runs alone into flows.
  void join_network(Time now);
  // Demands of the joining work that were met before the work as a whole.
  void collect_early(Time time);
  void collect_flows(Time now, std::vector<std::uint32_t>& ended_queues);
  void collect_timed(Time now, std::vector<std::uint32_t>& ended_queues);
  void bind(std::uint32_t queue, std::uint32_t demand);
  [[nodiscard]] Engine* engine(std::uint32_t queue);
  void release_engine(std::uint32_t queue, Time now);
  [[nodiscard]] const Solo& solo(std::uint32_t job, std::uint32_t index);
  [[nodiscard]] Solo solve_alone(const Placement& placement, const Work& work) const;

  FlowNetwork& network_;
  const Layout& layout_;
  std::vector<WorkRun> runs_;  // by queue
  std::vector<Engine> engines_;
  std::vector<std::vector<std::uint32_t>> engine_of_;  // by job and local engine
  std::vector<std::vector<Solo>> solo_;                // by job and work; filled where needed
  EventQueue ends_;                                    // payload: order and queue
  std::uint64_t next_order_ = 1;
  std::size_t flowing_ = 0;             // works in the network
  std::optional<std::uint32_t> alone_;  // queue of the timed work that has demands
  bool unsettled_ = false;
  std::vector<FlowNetwork::Completion> completions_;
};

}  // namespace memsim::sim
