#include "scenarios/plan/plan.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "scenarios/plan/answer.hpp"
#include "scenarios/plan/host_memory.hpp"
#include "tests/scenarios/plan/catalogue_plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

namespace memsim::scenarios {
namespace {

using sim::Bytes;
using sim::Category;
using Strings = std::vector<std::string>;

const PhaseAnswer& phase(const PlanAnswer& answer, std::string_view name) {
  return *std::ranges::find(answer.phases, name, &PhaseAnswer::name);
}

Bytes item(const PlanAnswer& answer, Category category) {
  for (const ItemAnswer& item : answer.items)
    if (item.category == category) return item.bytes;
  return Bytes(0);
}

std::string usable(Bytes bytes) {
  return "gpu.memory.usable=" + std::to_string(bytes.value()) + " B";
}

TEST_CASE("items sum to the total of the peak phase, shares of time to the step") {
  const auto settings = GENERATE(
      Strings{}, Strings{"micro=4"}, Strings{"checkpointing=full", "micro=4"},
      Strings{"attention=flash", "accum=3"}, Strings{"precision=pure_bf16", "optimizer=sgd"},
      Strings{"implementation=plain", "precision=fp32"}, Strings{"gpu.memory.usable=4 GiB"});
  const PlanAnswer answer = answer_of("a100", "125m", settings);
  Bytes items;
  for (const ItemAnswer& item : answer.items) items += item.bytes;
  const auto peak = std::ranges::find(answer.phases, true, &PhaseAnswer::peak);
  REQUIRE(peak != answer.phases.end());
  CHECK(items == peak->total());
  CHECK(items == answer.gpu_total);
  for (const PhaseAnswer& other : answer.phases) {
    CHECK(other.total() <= peak->total());
    CHECK(other.live <= other.reserved);
  }
  sim::Duration shares;
  for (const TimeShare& share : answer.step.shares) shares += share.time;
  CHECK(shares.value() == answer.step.time.value);
  CHECK(phase(answer, "forward").time + phase(answer, "backward").time +
            phase(answer, "optimizer").time ==
        shares);
}

TEST_CASE("parameters, gradients and Adam's states are those of the number formats") {
  // 125,226,240 parameters in 148 tensors; the allocator leaves up to 1 MiB to a block.
  const PlanAnswer answer = answer_of("a100", "125m", {"implementation=fused"});
  const std::int64_t fp32 = 4 * 125'226'240;
  const std::int64_t slack = 148 * 1'048'576;
  CHECK(answer.parameters == 125'226'240);
  CHECK(item(answer, Category::parameters).value() >= fp32);
  CHECK(item(answer, Category::parameters).value() <= fp32 + slack);
  CHECK(phase(answer, "load").live >= Bytes(fp32));
  CHECK(phase(answer, "save").live >= Bytes(4 * fp32));  // gradients are still there
  // The process, two batches of 2 x 8 bytes a token in pages, and what is built and gathered.
  const Bytes steady = phase(answer, "forward").host;
  CHECK(steady == host_process_base + Bytes(2 * 2 * 8 * 1024));
  CHECK(phase(answer, "load").host >= steady + Bytes(fp32));
  CHECK(phase(answer, "save").host >= steady + Bytes(3 * fp32));
}

TEST_CASE("throughput is tokens per step over time per step") {
  const PlanAnswer answer = answer_of("a100", "125m", {"seq=512", "micro=2", "accum=3"});
  CHECK(answer.step.sample_unit == "tokens");
  CHECK(answer.step.samples == 512 * 2 * 3);
  CHECK(answer.step.samples_per_second.value ==
        answer.step.samples * 1'000'000'000'000 / answer.step.time.value);
  CHECK(answer.step.samples_per_second.p10 < answer.step.samples_per_second.value);
}

TEST_CASE("a job in much memory needs what its allocator reserves, and fits") {
  const PlanAnswer answer = answer_of("a100", "125m", {});
  const ResourceAnswer& gpu = answer.resources.front();
  CHECK(answer.verdict == Verdict::fit);
  CHECK(Bytes(gpu.need.value) == answer.gpu_total);
  CHECK_FALSE(answer.failure.has_value());
  CHECK(gpu.probability.value() == 999'900);
}

TEST_CASE("the less memory there is, the worse the verdict, by the quantiles of the error") {
  const Bytes total = answer_of("a100", "125m", {}).gpu_total;
  // 7.7009 % above the need is FIT whatever the cache does.
  CHECK(answer_of("a100", "125m", {usable(total * 108 / 100)}).verdict == Verdict::fit);
  Verdict before = Verdict::fit;
  for (std::int64_t percent = 106; percent >= 60; percent -= 2) {
    const PlanAnswer answer = answer_of("a100", "125m", {usable(total * percent / 100)});
    CHECK(answer.verdict >= before);
    before = answer.verdict;
    const ResourceAnswer& gpu = answer.resources.front();
    CHECK(gpu.verdict ==
          verdict(probability_of_fit(gpu.need.value, gpu.limit.value(), default_error)));
    // Whether it runs in the memory that is there agrees with the need that was found.
    CHECK(answer.failure.has_value() == (Bytes(gpu.need.value) > gpu.limit));
  }
  CHECK(before == Verdict::no_fit);
}

TEST_CASE("what a job needs does not depend on the limit, unless it fails there") {
  // A job whose cache has to be given back, in steps of 10 MiB.
  std::optional<std::int64_t> need;
  Verdict before = Verdict::no_fit;
  for (int mebibytes = 17'900; mebibytes <= 18'100; mebibytes += 10) {
    const PlanAnswer answer = answer_of(
        "a100", "1b",
        {"implementation=fused", "gpu.memory.usable=" + std::to_string(mebibytes) + " MiB"});
    CHECK_FALSE(answer.failure.has_value());
    CHECK(answer.verdict <= before);
    before = answer.verdict;
    if (answer.verdict == Verdict::fit) continue;
    if (!need) need = answer.resources.front().need.value;
    CHECK(answer.resources.front().need.value == *need);
  }
  CHECK(need.has_value());
}

TEST_CASE("a job that does not fit says where it fails, and its demand as if it did") {
  const PlanAnswer small = answer_of("a100", "125m", {"gpu.memory.usable=2 GiB"});
  const PlanAnswer large = answer_of("a100", "125m", {});
  CHECK(small.verdict == Verdict::no_fit);
  REQUIRE(small.failure.has_value());
  CHECK_FALSE(small.failure->tensor.empty());
  CHECK_FALSE(small.failure->message.empty());
  CHECK(small.failure->requested > Bytes(0));
  CHECK(small.failure->short_by ==
        Bytes(small.resources.front().need.value) - sim::Bytes(2LL << 30));
  CHECK(small.gpu_total == large.gpu_total);
  CHECK(small.step.time.value == large.step.time.value);
}

TEST_CASE("a host with too little RAM is found out although the GPU has enough") {
  const PlanAnswer answer = answer_of("a100", "1b", {"host.socket.numa.memory.usable=10 GiB"});
  CHECK(answer.verdict == Verdict::no_fit);
  CHECK(answer.resources.front().verdict == Verdict::fit);
  const auto ram = std::ranges::find(answer.resources, "host_ram", &ResourceAnswer::id);
  REQUIRE(ram != answer.resources.end());
  CHECK(ram->verdict == Verdict::no_fit);
  CHECK(ram->phase == "save");
}

TEST_CASE("settings that contradict the model are the input's fault, a missing type is not") {
  const CataloguePlan fine("a100", "gpt2", {"seq=1024"});
  const models::Machine machine(fine.inputs().system);
  models::TrainingSpec training = fine.inputs().training;
  training.sequence = 2048;
  const auto too_long = plan({.machine = machine,
                              .gpu = 0,
                              .model = "gpt2",
                              .network = fine.inputs().model.network,
                              .training = training,
                              .inputs = {},
                              .levers = LeverScope::none,
                              .error = default_error});
  REQUIRE_FALSE(too_long.has_value());
  CHECK(too_long.error().kind == PlanFailure::Kind::input);
  CHECK_THAT(too_long.error().message, Catch::StartsWith("train.sequence: 2048"));
}

TEST_CASE("a GPU without units for bf16 gets fp16 by default, and the answer says so") {
  const CataloguePlan plan("1xt4", "125m", {});
  CHECK(plan.inputs().training.precision == models::Precision::autocast_fp16);
  REQUIRE(plan.inputs().warnings.size() == 1);
  CHECK(plan.inputs().warnings[0].id == "W203");
  const CataloguePlan chosen("1xt4", "125m", {"precision=autocast_bf16"});
  CHECK(chosen.inputs().training.precision == models::Precision::autocast_bf16);
  REQUIRE(chosen.inputs().warnings.size() == 1);
  CHECK(chosen.inputs().warnings[0].id == "W203");
  const CataloguePlan other("1xt4", "125m", {"precision=fp32"});
  CHECK(other.inputs().warnings.empty());
}

TEST_CASE("on a node with several GPUs the answer says that one is used") {
  const PlanAnswer answer = answer_of("dgx-a100-40", "125m", {});
  REQUIRE(answer.warnings.size() == 1);
  CHECK(answer.warnings[0].id == "W201");
}

TEST_CASE("every input is listed with its origin, and decides the digest") {
  const PlanAnswer answer = answer_of("a100", "125m", {"micro=2"});
  const auto find = [&](std::string_view key) {
    return std::ranges::find(answer.assumptions, key, &Assumption::key);
  };
  REQUIRE(find("train.micro_batch") != answer.assumptions.end());
  CHECK(find("train.micro_batch")->origin == "--set");
  CHECK(find("train.sequence")->origin == "default");
  CHECK(find("model.layers")->origin == "models/125m.toml:6");
  CHECK(find("gpu[0].memory.usable")->origin.starts_with("gpu/a100-sxm4-40gb.toml:"));
  CHECK(find("plan.process")->origin == "assumed");
  CHECK(answer.inputs_digest == answer_of("a100", "125m", {"micro=2"}).inputs_digest);
  CHECK(answer.inputs_digest != answer_of("a100", "125m", {"micro=3"}).inputs_digest);
}

TEST_CASE("a model without a sequence is counted in samples") {
  // Any model file: here the only family without tokens, through a preset's name it has none.
  const std::string file =
      (std::filesystem::temp_directory_path() / "memsim-plan-mlp.toml").string();
  std::ofstream(file) << "schema = \"memsim.model/1\"\nfamily = \"mlp\"\ninput = 784\n"
                         "layer = [{ width = 256 }, { width = 10 }]\n";
  const PlanAnswer answer = answer_of("a100", file, {"micro=32"});
  CHECK(answer.step.sample_unit == "samples");
  CHECK(answer.step.samples == 32);
  CHECK(answer.verdict == Verdict::fit);
  std::filesystem::remove(file);
}

TEST_CASE("settings that play no part in a model are no assumptions, and warned of where given") {
  const test::TemporaryFolder folder;
  const std::string file =
      folder.write("mlp.toml",
                   "schema = \"memsim.model/1\"\nfamily = \"mlp\"\ninput = 784\n"
                   "layer = [{ width = 10 }]\n");
  const auto is_assumed = [](const CataloguePlan& plan, std::string_view key) {
    return std::ranges::find(plan.inputs().settings, key, &Setting::path) !=
           plan.inputs().settings.end();
  };
  const CataloguePlan plain("a100", file, {});
  CHECK_FALSE(is_assumed(plain, "train.sequence"));
  CHECK_FALSE(is_assumed(plain, "train.attention"));
  CHECK(is_assumed(plain, "train.micro_batch"));
  CHECK(plain.diagnostics().warnings() == 0);
  const CataloguePlan given("a100", file, {"seq=64", "attention=flash"});
  CHECK_FALSE(is_assumed(given, "train.sequence"));
  REQUIRE(given.diagnostics().warnings() == 2);
  const std::vector<Diagnostic> warnings = given.diagnostics().sorted();
  CHECK(warnings[0].code == "W136");
  CHECK(warnings[0].label == "the model has no tokens");
  CHECK(text_at(warnings[0].location) == "64");
  CHECK(warnings[1].label == "the model has no attention");
  CHECK(is_assumed(CataloguePlan("a100", "125m", {}), "train.sequence"));
}

TEST_CASE("settings that the model cannot be run with are marked where they were given (E136)") {
  const auto faults = [](const std::string& model, std::vector<std::string> overrides) {
    Sources sources;
    Diagnostics diagnostics;
    const auto inputs =
        read_plan_inputs(std::filesystem::path(MEMSIM_SOURCE_DIR) / "scenarios",
                         {"a100", model, std::nullopt, std::move(overrides)}, sources, diagnostics);
    CHECK_FALSE(inputs.has_value());
    return diagnostics.text("");
  };
  CHECK(faults("gpt2", {"micro=2", "seq=2048"}) ==
        "error[E136]: train.sequence: 2048 is beyond the 1024 positions of the network\n"
        "  --> --set:1:5\n"
        "   |\n"
        " 1 | seq=2048\n"
        "   |     ^^^^\n"
        "\n"
        "1 error\n");
  // The default of 1024 tokens is beyond a model of 512.
  CHECK_THAT(faults("gpt2", {"model.positions=512"}),
             Catch::StartsWith("error[E136]: train.sequence: 1024 is beyond the 512 positions") &&
                 Catch::Contains("this is the default") &&
                 Catch::Contains("help: --set train.sequence=..."));
  const test::TemporaryFolder folder;
  const std::string file =
      folder.write("mlp.toml",
                   "schema = \"memsim.model/1\"\nfamily = \"mlp\"\ninput = 784\n"
                   "layer = [{ width = 10 }]\n");
  CHECK_THAT(faults(file, {"checkpointing=full"}),
             Catch::StartsWith("error[E136]: train.checkpointing: the network has no layers"));
}

TEST_CASE("a plan without a machine or a model names what is missing (E152)") {
  Sources sources;
  Diagnostics diagnostics;
  CHECK_FALSE(read_plan_inputs(std::filesystem::path(MEMSIM_SOURCE_DIR) / "scenarios",
                               {"", "", std::nullopt, {"micro=0"}}, sources, diagnostics)
                  .has_value());
  std::vector<std::string> messages;
  for (const Diagnostic& each : diagnostics.sorted()) messages.push_back(each.message);
  CHECK(messages == std::vector<std::string>{"`--hw` is missing", "`--model` is missing",
                                             "`micro_batch = 0` is out of range"});
}

TEST_CASE("a GPU of another capacity is what somebody who changes it asks for") {
  // 39.39 GiB of 40 GB, in proportion.
  const PlanAnswer answer = answer_of("a100", "125m", {"gpu.memory.capacity=80 GB"});
  const std::int64_t usable = 42'294'690'447;
  CHECK(answer.resources.front().limit == Bytes(2 * usable));
  const auto found =
      std::ranges::find(answer.assumptions, "gpu[0].memory.usable", &Assumption::key);
  REQUIRE(found != answer.assumptions.end());
  CHECK(found->origin == "follows capacity (--set)");
}

TEST_CASE("GPT-3 with 192 micro-batches of accumulation is planned on an imaginary GPU of 10 TB") {
  const PlanAnswer answer =
      answer_of("a100", "175b",
                {"gpu.memory.capacity=10 TB", "gpu.memory.usable=10 TB", "accum=192", "seq=2048",
                 "host.socket.numa.memory.capacity=4 TB", "host.socket.numa.memory.usable=4 TB"});
  CHECK(answer.verdict == Verdict::fit);
  CHECK(answer.parameters == 174'604'259'328);
  CHECK(answer.step.samples == 192 * 2048);
  // 16 bytes a parameter and more; twice that would be no plan of this job.
  CHECK(answer.gpu_total > Bytes(16 * answer.parameters));
  CHECK(answer.gpu_total < Bytes(32 * answer.parameters));
  // At least 6 FLOP a parameter and token at the A100's 312 TFLOP/s.
  const double least = 6.0 * 174.6e9 * 192 * 2048 / 312e12;
  CHECK(static_cast<double>(answer.step.time.value) / 1e12 > least);
}

TEST_CASE("numbers beyond 64 bits are not modelled, whatever leads to them") {
  // A step of 10^9 micro-batches lasts more than 106 days, so does one of 10^4 at 1 GFLOP/s: 6
  // x 3.5 x 10^8 x 1024 FLOP each. 10^9 samples of 1024 tokens have 10^12 x 50,304 logits of 4
  // bytes, beyond the largest tensor of 2^53 bytes.
  for (const std::vector<std::string>& overrides :
       {std::vector<std::string>{"accum=1000000000"},
        std::vector<std::string>{"gpu.compute.peak.bf16=1 GFLOP/s", "accum=10000"},
        std::vector<std::string>{"micro=1000000000"}}) {
    const auto answer = CataloguePlan("a100", "350m", overrides).run();
    INFO(overrides.front());
    REQUIRE_FALSE(answer.has_value());
    CHECK(answer.error().kind == PlanFailure::Kind::not_modelled);
    CHECK(answer.error().message.find("64 bits") != std::string::npos);
  }
}

TEST_CASE("arithmetic is held against the units that do the matrix products") {
  // With few tokens the optimizer's fp32 arithmetic outweighs the products in fp16.
  const PlanAnswer fp16 = answer_of("1xv100-32", "350m", {"seq=8", "precision=pure_fp16"});
  CHECK(fp16.step.flops_type == "fp16");
  CHECK(fp16.step.peak_flops == models::OperationRate(125'000'000'000'000));  // V100 data sheet
  // A V100 has no units for bf16: libraries compute it on those of fp32, 15.7 TFLOP/s.
  const PlanAnswer bf16 = answer_of("1xv100-32", "350m", {"seq=8", "precision=pure_bf16"});
  CHECK(bf16.step.flops_type == "fp32");
  CHECK(bf16.step.peak_flops == models::OperationRate(15'700'000'000'000));
}

}  // namespace
}  // namespace memsim::scenarios
