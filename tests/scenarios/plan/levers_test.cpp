#include "scenarios/plan/levers.hpp"

#include <algorithm>

#include "models/network/architectures/gpt.hpp"
#include "models/network/architectures/mlp.hpp"
#include "scenarios/plan/lever_candidates.hpp"
#include "tests/scenarios/plan/catalogue_plan.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

std::vector<std::string> with(std::vector<std::string> overrides, const LeverAnswer& lever) {
  for (const SettingValue& setting : lever.settings)
    overrides.push_back(setting.key + "=" + setting.value);
  return overrides;
}

// Running the job with the lever's settings must give what the lever promised.
void check_by_running(const std::string& hardware, const std::string& model,
                      const std::vector<std::string>& overrides, const PlanAnswer& now,
                      const LeverAnswer& lever) {
  const PlanAnswer then = answer_of(hardware, model, with(overrides, lever));
  INFO(lever.settings.front().key << "=" << lever.settings.front().value);
  CHECK(then.resources.front().verdict == lever.verdict);
  CHECK(then.resources.front().need.value == lever.need.value());
  CHECK(then.gpu_total == lever.reserved);
  CHECK((then.gpu_total - now.gpu_total).value() == lever.memory_delta);
  REQUIRE(lever.step.has_value());
  CHECK(then.step.time.value == lever.step->value());
}

TEST_CASE("every lever delivers what it promises when its settings are run") {
  const std::vector<std::string> overrides{"micro=4", "gpu.memory.usable=8 GiB"};
  const PlanAnswer now = answer_of("a100", "350m", overrides, LeverScope::basic);
  REQUIRE(now.levers.has_value());
  CHECK(now.verdict == Verdict::no_fit);
  CHECK(now.levers->complete);
  REQUIRE(now.levers->useful.size() >= 3);
  for (const LeverAnswer& lever : now.levers->useful) {
    check_by_running("a100", "350m", overrides, now, lever);
    CHECK(lever.memory_delta < 0);
  }
  for (const LeverAnswer& lever : now.levers->useless)
    check_by_running("a100", "350m", overrides, now, lever);
  if (now.levers->smallest_set) {
    check_by_running("a100", "350m", overrides, now, *now.levers->smallest_set);
    CHECK(now.levers->smallest_set->verdict == Verdict::fit);
    CHECK(now.levers->smallest_set->settings.size() >= 2);
  }
}

TEST_CASE("a smaller micro-batch keeps the global batch") {
  const PlanAnswer now = answer_of("a100", "125m", {"micro=12", "accum=2"}, LeverScope::basic);
  REQUIRE(now.levers.has_value());
  std::vector<std::pair<std::string, std::string>> sizes;
  for (const LeverAnswer& lever : now.levers->useful)
    if (lever.settings.front().key == "train.micro_batch")
      sizes.emplace_back(lever.settings[0].value, lever.settings[1].value);
  std::ranges::sort(sizes);
  CHECK(sizes == std::vector<std::pair<std::string, std::string>>{{"1", "24"}, {"6", "4"}});
}

TEST_CASE("where no single change fits without changing the training, the smallest set is found") {
  // 16 bytes a parameter are 5.3 GiB; with activations of 4 samples neither flash attention, nor
  // checkpointing, nor a smaller micro-batch alone is enough.
  const std::vector<std::string> overrides{"micro=4", "gpu.memory.usable=8 GiB"};
  const PlanAnswer now = answer_of("a100", "350m", overrides, LeverScope::basic);
  REQUIRE(now.levers.has_value());
  REQUIRE(now.levers->smallest_set.has_value());
  const LeverAnswer& set = *now.levers->smallest_set;
  CHECK(set.verdict == Verdict::fit);
  for (const SettingValue& setting : set.settings) {
    CHECK(setting.key != "train.precision");
    CHECK(setting.key != "train.optimizer");
  }
  // Smallest: without any one of its changes it does not fit.
  for (std::size_t left_out = 0; left_out < set.settings.size(); ++left_out) {
    if (set.settings[left_out].key == "train.accumulation") continue;
    LeverAnswer less = set;
    std::erase_if(less.settings, [&](const SettingValue& setting) {
      const bool with_it =
          set.settings[left_out].key == "train.micro_batch" && setting.key == "train.accumulation";
      return setting == set.settings[left_out] || with_it;
    });
    CHECK(answer_of("a100", "350m", with(overrides, less)).verdict != Verdict::fit);
  }
}

TEST_CASE("the largest micro-batch fits, and no larger one does") {
  // With the second set of overrides 20 and 22 samples fit, 21 do not, as fragments fall.
  const std::vector<std::pair<const char*, std::vector<std::string>>> jobs{
      {"350m", {"gpu.memory.usable=20 GiB"}},
      {"gpt2-xl",
       {"precision=autocast_fp16", "optimizer=sgd_momentum", "weight_decay=false",
        "checkpointing=full"}}};
  for (const auto& [model, overrides] : jobs) {
    const PlanAnswer now = answer_of("a100", model, overrides, LeverScope::basic);
    REQUIRE(now.levers.has_value());
    REQUIRE(now.levers->largest_micro_batch.has_value());
    const std::int64_t largest = *now.levers->largest_micro_batch;
    CHECK(largest >= 1);
    const auto verdict_of = [&](std::int64_t size) {
      std::vector<std::string> with_size = overrides;
      with_size.push_back("micro=" + std::to_string(size));
      return answer_of("a100", model, with_size).verdict;
    };
    CHECK(verdict_of(largest) == Verdict::fit);
    for (std::int64_t more = 1; more <= 4; ++more)
      CHECK(verdict_of(largest + more) != Verdict::fit);
  }
}

TEST_CASE("levers are judged by all resources: a host that is too small is not helped by the GPU") {
  // While parameters and Adam's states are saved the host holds 3 GiB + 350M x 12 B = 7.0 GiB;
  // plain SGD has no states: 4.3 GiB.
  const std::vector<std::string> overrides{"host.socket.numa.memory.usable=6 GiB"};
  const PlanAnswer now = answer_of("a100", "350m", overrides, LeverScope::basic);
  CHECK(now.verdict == Verdict::no_fit);
  REQUIRE(now.levers.has_value());
  CHECK(now.levers->largest_micro_batch == 0);
  REQUIRE_FALSE(now.levers->useful.empty());
  for (const std::vector<LeverAnswer>* levers : {&now.levers->useful, &now.levers->useless})
    for (const LeverAnswer& lever : *levers)
      CHECK(lever.verdict == answer_of("a100", "350m", with(overrides, lever)).verdict);
  CHECK(now.levers->useful.front().verdict == Verdict::fit);
  for (const LeverAnswer& lever : now.levers->useful) CHECK(lever.host_delta < 0);
}

TEST_CASE("a set of changes that fits changes the training as little as it can") {
  // On 16 GB gpt2-xl fits with 16-bit weights and either the fused Adam or SGD.
  const PlanAnswer now = answer_of("1xv100-16", "gpt2-xl", {}, LeverScope::basic);
  REQUIRE(now.levers->smallest_set.has_value());
  for (const SettingValue& setting : now.levers->smallest_set->settings)
    CHECK(setting.key != "train.optimizer");
}

TEST_CASE("no micro-batch fits where not even the parameters do") {
  const PlanAnswer now = answer_of("a100", "350m", {"gpu.memory.usable=2 GiB"}, LeverScope::basic);
  CHECK(now.levers->largest_micro_batch == 0);
  CHECK_FALSE(now.levers->smallest_set.has_value());
}

TEST_CASE("levers are not looked for unless asked") {
  CHECK_FALSE(answer_of("a100", "125m", {}).levers.has_value());
}

TEST_CASE("the search for levers ends when its events are spent, and says so") {
  const CataloguePlan plan("a100", "125m", {"micro=4"});
  const models::Machine machine(plan.inputs().system);
  const auto simulation =
      TrainingSimulation::prepare(machine, 0, plan.inputs().model.network, plan.inputs().training);
  REQUIRE(simulation.has_value());
  EventBudget plenty(1'000'000'000);
  const auto now = assess(*simulation, default_error, false, plenty);
  REQUIRE(now.has_value());
  const std::int64_t one_run = 1'000'000'000 - plenty.left();
  REQUIRE(one_run > 0);

  const auto host = simulate_host_memory(machine, 0, simulation->lowered().totals);
  REQUIRE(host.has_value());
  const LeverBase base{
      machine, 0, plan.inputs().model.network, plan.inputs().training, *now, *host, default_error};
  EventBudget enough_for_two(one_run * 5 / 2);
  const LeverReport some = find_levers(base, LeverScope::basic, enough_for_two);
  CHECK_FALSE(some.complete);
  CHECK(some.useful.size() + some.useless.size() <= 2);
  EventBudget none(0);
  const LeverReport nothing = find_levers(base, LeverScope::basic, none);
  CHECK_FALSE(nothing.complete);
  CHECK(nothing.useful.empty());
  CHECK_FALSE(nothing.largest_micro_batch.has_value());
  CHECK_FALSE(assess(*simulation, default_error, false, none).has_value());
}

TEST_CASE("the scope all tries every other value of every setting") {
  models::TrainingSpec training;
  training.micro_batch = 6;
  models::GpuSpec gpu;
  gpu.compute.peak[static_cast<std::size_t>(models::DataType::bf16)] = models::OperationRate(1);
  models::GptSpec tiny;
  tiny.layers = 1;
  const models::Network network = models::gpt(tiny);
  const auto count = [&](LeverScope scope, LeverGroup group) {
    return std::ranges::count(lever_candidates(network, training, gpu, scope), group,
                              &LeverCandidate::group);
  };
  // 6 has the proper divisors 3, 2, 1; five precisions, three implementations, three kinds of
  // checkpointing, two of attention, four optimizers: all but the present one.
  CHECK(count(LeverScope::all, LeverGroup::micro_batch) == 3);
  CHECK(count(LeverScope::all, LeverGroup::precision) == 4);
  CHECK(count(LeverScope::all, LeverGroup::implementation) == 2);
  CHECK(count(LeverScope::all, LeverGroup::checkpointing) == 2);
  CHECK(count(LeverScope::all, LeverGroup::attention) == 1);
  CHECK(count(LeverScope::all, LeverGroup::optimizer) == 3);
  CHECK(count(LeverScope::basic, LeverGroup::micro_batch) == 2);
}

TEST_CASE("a network without attention has no lever of attention") {
  models::MlpSpec layers;
  layers.widths = {4, 2};
  const auto candidates = lever_candidates(models::mlp(layers), models::TrainingSpec(),
                                           models::GpuSpec(), LeverScope::all);
  CHECK_FALSE(candidates.empty());
  CHECK(std::ranges::count(candidates, LeverGroup::attention, &LeverCandidate::group) == 0);
}

}  // namespace
}  // namespace memsim::scenarios
