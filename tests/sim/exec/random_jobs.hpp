// Random jobs for tests that compare two ways of running the same thing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/random.hpp"
#include "sim/exec/executor.hpp"
#include "tests/sim/exec/script.hpp"

namespace memsim::test {

struct RandomJobOptions {
  std::uint64_t most_jobs = 3;
  std::uint64_t most_threads = 2;
  std::uint64_t most_streams = 3;
  std::uint64_t most_iterations = 50;
};

// Up to `most_jobs` jobs that train alike: a prologue, then nested loops of launches, copies,
// events, allocations of few sizes, host work and collectives, fed by a second thread through
// semaphores. Works of different jobs differ in length. Some run out of memory.
class RandomJobs {
 public:
  RandomJobs(std::uint64_t seed, const RandomJobOptions& options);

  // Runs them on a fresh machine. The outcome as one text: every field of the result that does not
  // depend on how it was computed, or the error.
  [[nodiscard]] std::string run(const sim::RunOptions& options);

  // The result of the last run; nothing after an error.
  [[nodiscard]] const std::optional<sim::Run>& result() const { return result_; }
  [[nodiscard]] std::size_t jobs() const { return programs_.size(); }
  [[nodiscard]] const sim::Program& program(std::size_t job) const { return programs_[job]; }

 private:
  std::vector<sim::Program> programs_;
  std::string allocator_;
  std::int64_t capacity_;  // of each GPU
  std::uint32_t queue_depth_;
  sim::Duration launch_;
  std::optional<sim::Run> result_;
};

}  // namespace memsim::test
