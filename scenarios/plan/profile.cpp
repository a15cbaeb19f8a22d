#include "scenarios/plan/profile.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include "sim/core/check.hpp"

namespace memsim::scenarios {
namespace {

using sim::Bytes;
using sim::Duration;
using sim::Reason;

// "step2.forward.end" is of step 2; what is outside of steps is of step -1.
std::int64_t step_of(std::string_view phase_name) {
  constexpr std::string_view prefix = "step";
  if (!phase_name.starts_with(prefix)) return -1;
  std::int64_t step = 0;
  for (const char c : phase_name.substr(prefix.size())) {
    if (c < '0' || c > '9') break;
    step = step * 10 + (c - '0');
  }
  return step;
}

std::int64_t last_step(const sim::Program& program) {
  std::int64_t last = -1;
  for (const std::string& phase : program.phases) last = std::max(last, step_of(phase));
  return last;
}

// What a stream's time is called when no route bounds it. Waiting for an event or a copy engine
// counts as waiting for other streams.
struct ReasonName {
  Reason reason;
  std::string_view name;
  bool idle;
};
constexpr std::array<ReasonName, 5> reason_words{{{Reason::latency, "kernel start", false},
                                                  {Reason::host, "host", true},
                                                  {Reason::event, "other streams", true},
                                                  {Reason::engine, "copy engine", true},
                                                  {Reason::rendezvous, "other GPUs", true}}};

void add_share(std::string_view resource, Duration time, bool idle,
               std::vector<TimeShare>& shares) {
  if (time == Duration(0)) return;
  const auto known = std::ranges::find(shares, resource, &TimeShare::resource);
  if (known != shares.end())
    known->time += time;
  else
    shares.push_back({std::string(resource), time, idle});
}

void add_shares(const sim::QueueTime& queue, std::span<const sim::Route> routes,
                std::vector<TimeShare>& shares) {
  for (std::size_t route = 0; route < queue.by_route.size(); ++route)
    add_share(routes[route].name, queue.by_route[route], false, shares);
  for (const ReasonName& word : reason_words)
    add_share(word.name, queue.reason(word.reason), word.idle, shares);
}

bool is_higher(const sim::MemoryState& a, const sim::MemoryState& b) {
  return std::tie(a.reserved, a.live) > std::tie(b.reserved, b.live);
}

}  // namespace

std::string_view name(TrainingPhase phase) {
  constexpr std::array<std::string_view, training_phase_count> names{"load", "forward", "backward",
                                                                     "optimizer"};
  return names[static_cast<std::size_t>(phase)];
}

TrainingPhase training_phase(std::string_view phase_name) {
  if (phase_name.find("forward") != std::string_view::npos) return TrainingPhase::forward;
  if (phase_name.find("backward") != std::string_view::npos) return TrainingPhase::backward;
  return step_of(phase_name) < 0 ? TrainingPhase::load : TrainingPhase::optimizer;
}

Profile profile(const sim::Program& program, std::span<const sim::Route> routes,
                const sim::Run& run) {
  MEMSIM_CHECK(!run.out_of_memory && run.jobs.size() == 1, "a profile of a run without an end");
  Profile result;
  const std::int64_t last = last_step(program);
  const std::size_t compute_stream = program.threads.size();
  for (const sim::PhaseRun& phase : run.jobs.front().phases) {
    const std::string& phase_name = program.phases[phase.phase];
    const TrainingPhase kind = training_phase(phase_name);
    PhaseProfile& total = result.phases[static_cast<std::size_t>(kind)];
    if (step_of(phase_name) == last || kind == TrainingPhase::load) total.time += phase.time;
    if (step_of(phase_name) == last) {
      result.step += phase.time;
      add_shares(phase.queues[compute_stream], routes, result.shares);
    }
    for (const sim::PhaseMemory& memory : phase.memories) {
      total.live = std::max(total.live, memory.peak_live.live);
      total.reserved = std::max(total.reserved, memory.peak_reserved.reserved);
      result.peak_live = std::max(result.peak_live, memory.peak_live.live);
      result.at_end = memory.end;
      if (!is_higher(memory.peak_reserved, result.peak)) continue;
      result.peak = memory.peak_reserved;
      result.peak_phase = kind;
    }
  }
  std::ranges::stable_sort(result.shares, std::ranges::greater(), &TimeShare::time);
  return result;
}

}  // namespace memsim::scenarios
