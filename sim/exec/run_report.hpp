// What is told about a run: its result, or why it could not go on.
#pragma once

#include <string>
#include <vector>

#include "sim/exec/agenda.hpp"
#include "sim/exec/job_memory.hpp"
#include "sim/exec/layout.hpp"
#include "sim/exec/run_result.hpp"
#include "sim/exec/streams.hpp"
#include "sim/exec/threads.hpp"
#include "sim/exec/timeline.hpp"
#include "sim/exec/works.hpp"

namespace memsim::sim {

// Requires: all spans are closed. Leaves `skipped_periods` to the caller.
Run make_run(const Layout& layout, const Agenda& agenda, const Streams& streams,
             const Timeline& timeline, const std::vector<JobMemory>& memory);

// Who waits for what, in one sentence each. Requires: nothing can happen any more.
std::string describe_deadlock(const Layout& layout, const Agenda& agenda, const Works& works,
                              const Streams& streams, const Threads& threads);

}  // namespace memsim::sim
