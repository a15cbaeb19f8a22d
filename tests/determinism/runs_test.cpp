// One process: a run again, and beside others, gives the same result. (Processes, compilers and
// optimisation levels are compared by the gate in this folder.)
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "models/machine/machine.hpp"
#include "scenarios/plan/simulation.hpp"
#include "tests/scenarios/plan/catalogue_plan.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

constexpr std::int64_t max_events = 10'000'000;

// Lowers and runs one job in memory of its own.
std::uint64_t digest_of_a_run(const PlanInputs& inputs) {
  const models::Machine machine(inputs.system);
  const auto simulation =
      TrainingSimulation::prepare(machine, 0, inputs.model.network, inputs.training);
  if (!simulation) return 0;
  const auto run = simulation->run(simulation->capacity(), false, max_events);
  return run ? run->digest : 0;
}

TEST_CASE("a run has the same digest when it is repeated and when others run beside it") {
  const CataloguePlan plan("a100", "125m", {"train.sequence=256", "train.accumulation=4"});
  const std::uint64_t expected = digest_of_a_run(plan.inputs());
  REQUIRE(expected != 0);
  CHECK(digest_of_a_run(plan.inputs()) == expected);

  std::vector<std::uint64_t> digests(4);
  std::vector<std::thread> threads;
  threads.reserve(digests.size());
  for (std::uint64_t& digest : digests)
    threads.emplace_back([&] { digest = digest_of_a_run(plan.inputs()); });
  for (std::thread& thread : threads) thread.join();
  for (const std::uint64_t digest : digests) CHECK(digest == expected);
}

TEST_CASE("a run of another job has another digest") {
  const CataloguePlan one("a100", "125m", {"train.sequence=256"});
  const CataloguePlan other("a100", "125m", {"train.sequence=128"});
  CHECK(digest_of_a_run(one.inputs()) != digest_of_a_run(other.inputs()));
}

}  // namespace
}  // namespace memsim::scenarios
