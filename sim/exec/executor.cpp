#include "sim/exec/executor.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "sim/exec/agenda.hpp"
#include "sim/exec/job_check.hpp"
#include "sim/exec/job_memory.hpp"
#include "sim/exec/layout.hpp"
#include "sim/exec/periods.hpp"
#include "sim/exec/run_report.hpp"
#include "sim/exec/streams.hpp"
#include "sim/exec/threads.hpp"
#include "sim/exec/timeline.hpp"
#include "sim/exec/works.hpp"

namespace memsim::sim {

namespace {

std::vector<JobMemory> job_memories(const Layout& layout, bool record) {
  std::vector<JobMemory> memories;
  memories.reserve(layout.jobs().size());
  for (const JobLayout& job : layout.jobs())
    memories.emplace_back(*job.program, *job.placement, record);
  return memories;
}

// The parts of one run, and the loop that drives them.
class Executor {
 public:
  Executor(FlowNetwork& network, const std::vector<Job>& jobs, const RunOptions& options)
      : layout_(jobs),
        agenda_(options.max_events),
        works_(network, jobs, layout_),
        timeline_(layout_, options.record_spans),
        streams_(jobs, layout_, agenda_, works_, timeline_),
        memory_(job_memories(layout_, options.record_memory)),
        threads_(layout_, agenda_, works_, streams_, timeline_, memory_),
        periods_(agenda_, works_, streams_, threads_, timeline_, memory_),
        skip_periods_(options.skip_periods && !options.record_spans) {}

  Result<Run> execute() {
    for (Time next = next_time(); next < Time::max(); next = next_time()) {
      agenda_.advance(next);
      release();
      if (!agenda_.stopped()) dispatch();
      if (agenda_.stopped()) break;
    }
    if (agenda_.error()) return tl::unexpected<Error>(*agenda_.error());
    if (agenda_.out_of_memory()) {
      works_.cut_off(agenda_.now());
    } else if (!all_jobs_ended()) {
      return fail(describe_deadlock(layout_, agenda_, works_, streams_, threads_));
    }
    close_queues();
    Run run = make_run(layout_, agenda_, streams_, timeline_, memory_);
    run.skipped_periods = periods_.skipped();
    return run;
  }

 private:
  Time next_time() {
    const Time wake = agenda_.next_wake();
    return wake == agenda_.now() ? wake : std::min(wake, works_.next_event(agenda_.now()));
  }

  // Everything that ends at this instant, and what starts and ends in turn.
  void release() {
    while (works_.due(agenda_.now())) {
      works_.collect(agenda_.now(), ended_);
      for (const std::uint32_t queue : ended_) {
        if (!agenda_.count()) return;
        const QueueOwner& owner = layout_.queues()[queue];
        if (owner.is_stream) {
          streams_.work_ended(owner.number);
        } else {
          agenda_.wake(owner.number);
        }
      }
      streams_.advance();
    }
  }

  // Threads that are to run now, once each.
  void dispatch() {
    agenda_.begin_round();
    while (const auto thread = agenda_.next_in_round()) {
      Threads::Stop stop = threads_.wake(*thread);
      while (stop == Threads::Stop::boundary) {
        if (skip_periods_) periods_.visit(*thread);
        stop = threads_.resume(*thread);
      }
      if (agenda_.stopped()) return;
    }
  }

  [[nodiscard]] bool all_jobs_ended() const {
    for (std::uint32_t j = 0; j < layout_.jobs().size(); ++j) {
      if (streams_.job_end(j) == Time::max()) return false;
    }
    return true;
  }

  // Up to the end of each job, or to where the run was cut off.
  void close_queues() {
    const Duration skipped = agenda_.simulated() - agenda_.now();
    for (const QueueOwner& owner : layout_.queues()) {
      const Time end = std::min(streams_.job_end(owner.job), agenda_.simulated()) - skipped;
      if (owner.is_stream) {
        streams_.close(owner.number, end);
      } else {
        threads_.close(owner.number, end);
      }
    }
  }

  Layout layout_;
  Agenda agenda_;
  Works works_;
  Timeline timeline_;
  Streams streams_;
  std::vector<JobMemory> memory_;
  Threads threads_;
  Periods periods_;
  bool skip_periods_;
  std::vector<std::uint32_t> ended_;
};

}  // namespace

Result<Run> run(FlowNetwork& network, const std::vector<Job>& jobs, const RunOptions& options) {
  if (Result<void> sound = check_jobs(jobs); !sound) {
    return tl::unexpected<Error>(sound.error());
  }
  return Executor(network, jobs, options).execute();
}

}  // namespace memsim::sim
