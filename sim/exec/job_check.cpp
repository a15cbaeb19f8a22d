#include "sim/exec/job_check.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "sim/exec/program_walk.hpp"

namespace memsim::sim {

namespace {

using Fault = std::optional<std::string>;

Fault check_work(const Work& work, const Placement& placement) {
  if (work.engine != no_engine && work.engine >= placement.engines.size())
    return "needs a copy engine that the placement does not have";
  for (const Demand& demand : work.demands) {
    if (demand.route >= placement.routes.size())
      return "demands a route that the placement does not have";
  }
  return std::nullopt;
}

Fault check_op(const Op& op, const Placement& placement) {
  const bool uses_memory = op.code == OpCode::allocate || op.code == OpCode::empty_cache;
  if (uses_memory && op.unit >= placement.memories.size())
    return "names a memory that the placement does not have";
  if (op.code == OpCode::collective && op.unit >= placement.communicators.size())
    return "names a communicator that the placement does not have";
  return std::nullopt;
}

Fault check_placement(const Placement& placement) {
  const DriverCosts& driver = placement.driver;
  if (driver.queue_depth == 0) return "has a launch queue of depth 0";
  if (std::min({driver.launch, driver.copy.value_or(Duration(0)), driver.malloc, driver.free,
                driver.map, driver.unmap}) < Duration(0))
    return "has driver calls that cost less than nothing";
  for (const Route& route : placement.routes) {
    if (route.hops.empty() && route.cap == Bandwidth::max())
      return "has a route without limits (" + route.name + ")";
    if (route.cap <= Bandwidth(0)) return "has a route with a cap of 0 (" + route.name + ")";
    if (route.latency < Duration(0))
      return "has a route with a negative latency (" + route.name + ")";
  }
  std::vector<std::uint32_t> communicators = placement.communicators;
  std::sort(communicators.begin(), communicators.end());
  if (std::adjacent_find(communicators.begin(), communicators.end()) != communicators.end())
    return "is a member of one communicator twice";
  if (std::find(placement.memories.begin(), placement.memories.end(), nullptr) !=
      placement.memories.end())
    return "has a memory without an allocator";
  return std::nullopt;
}

Fault check_fit(const Program& program, const Placement& placement) {
  for (std::size_t w = 0; w < program.works.size(); ++w) {
    if (const Fault fault = check_work(program.works[w], placement); fault)
      return "work " + std::to_string(w) + " " + *fault;
  }
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    for (std::size_t i = 0; i < program.blocks[b].ops.size(); ++i) {
      if (const Fault fault = check_op(program.blocks[b].ops[i], placement); fault)
        return "block " + std::to_string(b) + ", operation " + std::to_string(i) + " " + *fault;
    }
  }
  return std::nullopt;
}

}  // namespace

Result<void> check_jobs(const std::vector<Job>& jobs) {
  std::vector<const Program*> sound;
  std::vector<const StreamClock*> clocks;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const std::string name = "job " + std::to_string(j);
    const Job& job = jobs[j];
    if (job.program == nullptr) return fail(name + " has no program");
    if (std::find(sound.begin(), sound.end(), job.program) == sound.end()) {
      if (Result<void> result = validate_program(*job.program); !result)
        return fail(name + ": " + result.error().message);
      sound.push_back(job.program);
    }
    if (const Fault fault = check_placement(job.placement); fault) return fail(name + " " + *fault);
    if (const Fault fault = check_fit(*job.program, job.placement); fault)
      return fail(name + ": " + *fault);
    const StreamClock* const clock = job.placement.clock;
    if (clock != nullptr && std::find(clocks.begin(), clocks.end(), clock) != clocks.end())
      return fail(name + " has the stream clock of another job");
    clocks.push_back(clock);
  }
  return {};
}

}  // namespace memsim::sim
