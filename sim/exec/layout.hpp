// Numbers over all jobs of a run. A job's threads, streams and queues are numbered within it
// (queues: threads first, then streams); components index what they own by numbers over all jobs,
// in the order of the jobs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/exec/placement.hpp"
#include "sim/exec/program.hpp"
#include "sim/exec/stream_clock.hpp"

namespace memsim::sim {

struct JobLayout {
  const Program* program;
  const Placement* placement;
  StreamClock* clock;
  std::uint32_t first_thread;
  std::uint32_t threads;
  std::uint32_t first_stream;
  std::uint32_t streams;
  std::uint32_t phases;  // at least 1: a program without phases is in one without a name

  [[nodiscard]] std::uint32_t first_queue() const { return first_thread + first_stream; }
  [[nodiscard]] std::uint32_t queues() const { return threads + streams; }
  [[nodiscard]] std::uint32_t queue_of_thread(std::uint32_t thread) const {
    return first_stream + thread;
  }
  [[nodiscard]] std::uint32_t queue_of_stream(std::uint32_t stream) const {
    return first_thread + threads + stream;
  }
};

// Who a queue is.
struct QueueOwner {
  std::uint32_t job;
  bool is_stream;
  std::uint32_t number;  // of the thread or the stream, over all jobs
};

// Requires: every job has a program and fits its placement. Outlived by `jobs`.
class Layout {
 public:
  explicit Layout(const std::vector<Job>& jobs);
  // Leaves the streams of all clocks idle: the run is over.
  ~Layout();
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  [[nodiscard]] const std::vector<JobLayout>& jobs() const { return jobs_; }
  [[nodiscard]] const JobLayout& job(std::uint32_t job) const { return jobs_[job]; }
  [[nodiscard]] const std::vector<QueueOwner>& queues() const { return queues_; }

 private:
  std::vector<JobLayout> jobs_;
  std::vector<QueueOwner> queues_;
  std::vector<std::unique_ptr<StreamClock>> own_clocks_;  // of jobs that bring none
};

}  // namespace memsim::sim
