#include "scenarios/plan/profile.hpp"

#include "models/machine/machine.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

using sim::Bytes;
using sim::Duration;
using sim::Reason;

sim::MemoryState state(std::int64_t live, std::int64_t reserved) {
  sim::MemoryState result;
  result.live = Bytes(live);
  result.reserved = Bytes(reserved);
  return result;
}

// A phase of one thread, one stream and one memory.
sim::PhaseRun phase(std::uint32_t index, std::int64_t live, std::int64_t reserved,
                    std::int64_t compute, std::int64_t waiting) {
  sim::PhaseRun result;
  result.phase = index;
  result.count = 1;
  result.time = Duration(compute + waiting);
  result.queues.resize(2);
  sim::QueueTime& stream = result.queues[1];
  stream.by_route = {Duration(compute), Duration(0)};
  stream.by_reason[static_cast<std::size_t>(Reason::work)] = Duration(compute);
  stream.by_reason[static_cast<std::size_t>(Reason::host)] = Duration(waiting);
  result.memories.resize(1);
  result.memories[0].peak_live = state(live, reserved);
  result.memories[0].peak_reserved = state(live, reserved);
  result.memories[0].end = state(live / 2, reserved);
  return result;
}

TEST_CASE("the lowering's phases belong to the phases of training") {
  CHECK(training_phase("load") == TrainingPhase::load);
  CHECK(training_phase("step0.zero_grad") == TrainingPhase::optimizer);
  CHECK(training_phase("step0.zero_grad.end") == TrainingPhase::optimizer);
  CHECK(training_phase("step12.forward") == TrainingPhase::forward);
  CHECK(training_phase("step1.forward.end") == TrainingPhase::forward);
  CHECK(training_phase("step2.backward") == TrainingPhase::backward);
  CHECK(training_phase("step2.optimizer.end") == TrainingPhase::optimizer);
}

TEST_CASE("memory is the highest over all steps, time is that of the last step") {
  sim::Program program;
  program.threads.resize(1);
  program.phases = {"load", "step0.forward", "step0.optimizer", "step1.forward", "step1.optimizer"};
  sim::Run run;
  run.jobs.resize(1);
  run.jobs[0].phases = {phase(0, 10, 20, 5, 0), phase(1, 50, 60, 100, 1), phase(2, 90, 100, 7, 2),
                        phase(3, 55, 100, 30, 10), phase(4, 80, 100, 4, 3)};
  const std::vector<sim::Route> routes{{"compute", {}, {}, {}}, {"HBM", {}, {}, {}}};
  const Profile result = profile(program, routes, run);

  const PhaseProfile& forward = result.phases[static_cast<std::size_t>(TrainingPhase::forward)];
  CHECK(forward.live == Bytes(55));
  CHECK(forward.reserved == Bytes(100));
  CHECK(forward.time == Duration(40));
  CHECK(result.phases[static_cast<std::size_t>(TrainingPhase::load)].time == Duration(5));
  CHECK(result.peak_phase == TrainingPhase::optimizer);
  CHECK(result.peak.live == Bytes(90));
  CHECK(result.peak_live == Bytes(90));
  CHECK(result.at_end.live == Bytes(40));
  CHECK(result.step == Duration(47));
  REQUIRE(result.shares.size() == 2);
  CHECK(result.shares[0].resource == "compute");
  CHECK(result.shares[0].time == Duration(34));
  CHECK_FALSE(result.shares[0].idle);
  CHECK(result.shares[1].time == Duration(13));
  CHECK(result.shares[1].idle);
}

}  // namespace
}  // namespace memsim::scenarios
