#include "sim/exec/run_report.hpp"

#include <algorithm>
#include <tuple>

#include "sim/core/digest.hpp"

namespace memsim::sim {

namespace {

std::vector<PhaseMemory> memories_of(const std::vector<std::vector<PhaseMemory>>& by_memory,
                                     std::uint32_t phase) {
  std::vector<PhaseMemory> result;
  for (const std::vector<PhaseMemory>& phases : by_memory) {
    const auto found = std::find_if(phases.begin(), phases.end(),
                                    [&](const PhaseMemory& m) { return m.phase == phase; });
    PhaseMemory& memory = result.emplace_back();
    if (found != phases.end()) memory = *found;
    memory.phase = phase;
  }
  return result;
}

JobRun make_job(const JobLayout& layout, std::uint32_t job, Time end, const Timeline& timeline,
                const JobMemory& memory) {
  JobRun result;
  result.end = end;
  std::vector<std::vector<PhaseMemory>> by_memory;
  for (const Ledger& ledger : memory.ledgers()) {
    by_memory.push_back(ledger.phases(end));
    result.memories.push_back(ledger.entries());
  }
  for (const std::uint32_t phase : timeline.entered(job)) {
    PhaseRun& run = result.phases.emplace_back();
    run.phase = phase;
    run.count = timeline.count(job, phase);
    for (std::uint32_t queue = 0; queue < layout.queues(); ++queue)
      run.queues.push_back(timeline.time(layout.first_queue() + queue, phase));
    run.time = run.queues[layout.threads].total();
    run.memories = memories_of(by_memory, phase);
  }
  return result;
}

void add(Digest& digest, const MemoryState& state) {
  digest.add(state.time).add(state.live).add(state.reserved);
  for (const Bytes bytes : state.by_category) digest.add(bytes);
}

void add(Digest& digest, const PhaseRun& phase) {
  digest.add(phase.phase).add(phase.count).add(phase.time);
  for (const QueueTime& queue : phase.queues) {
    for (const Duration time : queue.by_reason) digest.add(time);
    for (const Duration time : queue.by_route) digest.add(time);
  }
  for (const PhaseMemory& memory : phase.memories) {
    digest.add(memory.phase);
    for (const MemoryState* state :
         {&memory.begin, &memory.end, &memory.peak_live, &memory.peak_reserved})
      add(digest, *state);
  }
}

void add(Digest& digest, const MemoryOutcome& outcome) {
  digest.add(outcome.job).add(outcome.thread).add(outcome.memory).add(outcome.phase);
  digest.add(outcome.label).add(outcome.time);
  const OutOfMemory& cause = outcome.cause;
  digest.add(cause.requested).add(cause.segment).add(cause.free).add(cause.capacity);
  digest.add(cause.allocated).add(cause.reserved).add(cause.largest_free_block);
  digest.add(cause.message);
}

std::uint64_t digest_of(const Run& run) {
  Digest digest;
  digest.add(std::uint64_t{run.out_of_memory.has_value()});
  if (run.out_of_memory) add(digest, *run.out_of_memory);
  digest.add(run.end);
  for (const JobRun& job : run.jobs) {
    digest.add(job.end).add(job.phases.size());
    for (const PhaseRun& phase : job.phases) add(digest, phase);
    for (const std::vector<LedgerEntry>& entries : job.memories) {
      digest.add(entries.size());
      for (const LedgerEntry& entry : entries) {
        digest.add(entry.time).add(entry.label).add(static_cast<std::uint32_t>(entry.category));
        digest.add(entry.live_delta).add(entry.reserved);
      }
    }
  }
  digest.add(run.spans.size());
  for (const Span& span : run.spans) {
    digest.add(span.job).add(span.queue).add(span.phase);
    digest.add(static_cast<std::uint32_t>(span.reason)).add(span.route).add(span.label);
    digest.add(span.begin).add(span.end);
  }
  return digest.value();
}

}  // namespace

Duration QueueTime::total() const {
  Duration sum;
  for (const Duration time : by_reason) sum += time;
  return sum;
}

Run make_run(const Layout& layout, const Agenda& agenda, const Streams& streams,
             const Timeline& timeline, const std::vector<JobMemory>& memory) {
  Run run;
  run.out_of_memory = agenda.out_of_memory();
  for (std::uint32_t j = 0; j < layout.jobs().size(); ++j) {
    const Time end = std::min(streams.job_end(j), agenda.simulated());
    run.jobs.push_back(make_job(layout.job(j), j, end, timeline, memory[j]));
    run.end = std::max(run.end, end);
  }
  run.spans = timeline.spans();
  std::sort(run.spans.begin(), run.spans.end(), [](const Span& a, const Span& b) {
    return std::tie(a.job, a.queue, a.begin) < std::tie(b.job, b.queue, b.begin);
  });
  run.events = agenda.events();
  run.digest = digest_of(run);
  return run;
}

std::string describe_deadlock(const Layout& layout, const Agenda& agenda, const Works& works,
                              const Streams& streams, const Threads& threads) {
  std::string message =
      "deadlock at " + std::to_string(agenda.simulated().value()) + " ps: nothing can go on";
  for (std::uint32_t queue = 0; queue < layout.queues().size(); ++queue) {
    const QueueOwner& owner = layout.queues()[queue];
    const JobLayout& job = layout.job(owner.job);
    std::string waits = works.describe(queue);
    if (waits.empty())
      waits = owner.is_stream ? streams.describe(owner.number) : threads.describe(owner.number);
    if (waits.empty()) continue;
    message += "; job " + std::to_string(owner.job);
    message += owner.is_stream ? ", stream " + std::to_string(owner.number - job.first_stream)
                               : ", thread " + std::to_string(owner.number - job.first_thread);
    message += " " + waits;
  }
  return message;
}

}  // namespace memsim::sim
