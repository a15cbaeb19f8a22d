#include "sim/exec/layout.hpp"

#include <algorithm>

namespace memsim::sim {

Layout::Layout(const std::vector<Job>& jobs) {
  std::uint32_t threads = 0;
  std::uint32_t streams = 0;
  for (std::uint32_t j = 0; j < jobs.size(); ++j) {
    const Program& program = *jobs[j].program;
    StreamClock* clock = jobs[j].placement.clock;
    if (clock == nullptr) {
      own_clocks_.push_back(std::make_unique<StreamClock>());
      clock = own_clocks_.back().get();
    }
    clock->reset(program.streams);
    const auto thread_count = static_cast<std::uint32_t>(program.threads.size());
    const auto phases = static_cast<std::uint32_t>(program.phases.size());
    jobs_.push_back({&program, &jobs[j].placement, clock, threads, thread_count, streams,
                     program.streams, std::max(1U, phases)});
    for (std::uint32_t t = 0; t < thread_count; ++t) queues_.push_back({j, false, threads + t});
    for (std::uint32_t s = 0; s < program.streams; ++s) queues_.push_back({j, true, streams + s});
    threads += thread_count;
    streams += program.streams;
  }
}

Layout::~Layout() {
  for (const JobLayout& job : jobs_) job.clock->reset(0);
}

}  // namespace memsim::sim
