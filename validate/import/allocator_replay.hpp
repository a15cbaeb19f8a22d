// Runs a trace on memsim's PyTorch allocator and writes down what it did, line by line, in the
// format in which the real allocator's answers are kept:
//
//   n verb result allocated reserved active inactive_split requested segments retries ooms
//   [event...]
//
// and after it, for an out-of-memory, its message, for `snapshot` the segments and their blocks,
// for `stats` every statistic. The format is described in validate/data/allocator/README.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/core/result.hpp"
#include "sim/memory/torch_allocator.hpp"
#include "validate/import/allocator_trace.hpp"

namespace memsim::validate {

class AllocatorReplay {
 public:
  // One device of the capacity that traces start with, 80 GiB.
  AllocatorReplay();
  ~AllocatorReplay();

  // Runs one operation of `trace` and appends its lines to `out`. Errors: an ID that is allocated
  // while it is live, a cache that is emptied while a private pool takes requests.
  sim::Result<void> run(const AllocatorTrace& trace, const TraceOp& op, std::string& out);

  // Appends END, every statistic and the final snapshot.
  void finish(std::string& out) const;

  [[nodiscard]] std::int64_t operations() const;
  [[nodiscard]] const sim::TorchAllocator& allocator() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

struct ReplayFault {
  std::size_t line = 0;  // of the trace
  std::string message;
};

// The whole answer to a trace. Errors: as AllocatorReplay::run.
tl::expected<std::string, ReplayFault> replay_trace(const AllocatorTrace& trace);

}  // namespace memsim::validate
