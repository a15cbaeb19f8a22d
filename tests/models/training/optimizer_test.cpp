// Optimizers on a model of two parameters, [3, 4] and [3]: 48 and 12 bytes. Sequences by the table
// in validate/data/torch's source: state, temporaries, and when they go.
#include "models/training/optimizers/optimizer.hpp"

#include <string>
#include <vector>

#include "models/network/architectures/mlp.hpp"
#include "models/training/lowering.hpp"
#include "models/training/training_spec.hpp"
#include "tests/models/training/program_listing.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

using Lines = std::vector<std::string>;

struct Steps {
  Lines first, second;
};

Steps run(OptimizerKind kind, OptimizerImplementation implementation, bool weight_decay,
          TorchRules rules = TorchRules::v2) {
  MlpSpec spec;
  spec.widths = {4, 3};
  TrainingSpec training;
  training.precision = Precision::fp32;
  training.optimizer = kind;
  training.implementation = implementation;
  training.weight_decay = weight_decay;
  training.optimizer_rules = rules;
  const auto lowered = lower_training(mlp(spec), training);
  REQUIRE(lowered.has_value());
  return {list_memory(lowered->program, "step0.optimizer"),
          list_memory(lowered->program, "step1.optimizer")};
}

constexpr auto plain = OptimizerImplementation::plain;
constexpr auto foreach = OptimizerImplementation::foreach;
constexpr auto fused = OptimizerImplementation::fused;
// States are named after their parameters.
const Lines two_states{"0.weight 48", "0.weight 48", "0.bias 12", "0.bias 12"};

TEST_CASE("SGD without momentum allocates nothing") {
  for (const OptimizerImplementation implementation : {plain, foreach, fused})
    CHECK(run(OptimizerKind::sgd, implementation, false).first.empty());
}

TEST_CASE("decayed gradients of plain SGD come one by one") {
  const Steps steps = run(OptimizerKind::sgd, plain, true);
  CHECK(steps.first ==
        Lines{"add.Tensor 48", "- add.Tensor 48", "add.Tensor 12", "- add.Tensor 12"});
  CHECK(steps.second == steps.first);
}

TEST_CASE("decayed gradients of multi-tensor SGD are a whole list") {
  const Steps steps = run(OptimizerKind::sgd, foreach, true);
  CHECK(steps.first == Lines{"_foreach_add.List 48", "_foreach_add.List 12",
                             "- _foreach_add.List 12", "- _foreach_add.List 48"});
}

TEST_CASE("momentum is a copy of the first gradient") {
  for (const OptimizerImplementation implementation : {plain, foreach, fused}) {
    const Steps steps = run(OptimizerKind::sgd_momentum, implementation, false);
    CHECK(steps.first == Lines{"0.weight 48", "0.bias 12"});
    CHECK(steps.second.empty());
  }
}

TEST_CASE("momentum of decayed gradients copies the decayed one") {
  const Steps steps = run(OptimizerKind::sgd_momentum, plain, true);
  CHECK(steps.first == Lines{"add.Tensor 48", "0.weight 48", "- add.Tensor 48", "add.Tensor 12",
                             "0.bias 12", "- add.Tensor 12"});
  const Steps lists = run(OptimizerKind::sgd_momentum, foreach, true);
  CHECK(lists.first == Lines{"_foreach_add.List 48", "_foreach_add.List 12", "0.weight 48",
                             "0.bias 12", "- _foreach_add.List 12", "- _foreach_add.List 48"});
  CHECK(run(OptimizerKind::sgd_momentum, fused, true).first == Lines{"0.weight 48", "0.bias 12"});
}

TEST_CASE("plain AdamW has two temporaries at once, the denominator outliving its round") {
  const Steps steps = run(OptimizerKind::adamw, plain, true);
  const Lines rounds{"sqrt 48",       "div.Tensor 48", "- sqrt 48",       "sqrt 12",
                     "div.Tensor 12", "- sqrt 12",     "- div.Tensor 48", "- div.Tensor 12"};
  CHECK(steps.second == rounds);
  Lines first = two_states;
  first.insert(first.end(), rounds.begin(), rounds.end());
  CHECK(steps.first == first);
}

TEST_CASE("plain Adam with weight decay has three") {
  CHECK(run(OptimizerKind::adam, plain, true).second ==
        Lines{"add.Tensor 48", "sqrt 48", "div.Tensor 48", "- sqrt 48", "- add.Tensor 48",
              "add.Tensor 12", "sqrt 12", "div.Tensor 12", "- sqrt 12", "- div.Tensor 48",
              "- add.Tensor 12", "- div.Tensor 12"});
}

TEST_CASE("multi-tensor AdamW has one list of temporaries in 2.x and two in 1.13") {
  CHECK(run(OptimizerKind::adamw, foreach, true).second ==
        Lines{"_foreach_sqrt 48", "_foreach_sqrt 12", "- _foreach_sqrt 12", "- _foreach_sqrt 48"});
  CHECK(run(OptimizerKind::adamw, foreach, true, TorchRules::v1_13).second ==
        Lines{"_foreach_sqrt 48", "_foreach_sqrt 12", "_foreach_add.Scalar 48",
              "_foreach_add.Scalar 12", "- _foreach_add.Scalar 12", "- _foreach_add.Scalar 48",
              "- _foreach_sqrt 12", "- _foreach_sqrt 48"});
}

TEST_CASE("multi-tensor Adam decays in place in 1.13 and into a list of its own in 2.x") {
  const Lines in_place = run(OptimizerKind::adam, foreach, true, TorchRules::v1_13).second;
  CHECK(in_place == run(OptimizerKind::adam, foreach, false, TorchRules::v1_13).second);
  CHECK(run(OptimizerKind::adam, foreach, true).second ==
        Lines{"_foreach_add.List 48", "_foreach_add.List 12", "- _foreach_add.List 12",
              "- _foreach_add.List 48", "_foreach_sqrt 48", "_foreach_sqrt 12",
              "- _foreach_sqrt 12", "- _foreach_sqrt 48"});
}

TEST_CASE("fused Adam keeps its step on the device and has no temporaries") {
  const Steps steps = run(OptimizerKind::adam, fused, false);
  CHECK(steps.first ==
        Lines{"0.weight 4", "0.weight 48", "0.weight 48", "0.bias 4", "0.bias 12", "0.bias 12"});
  CHECK(steps.second.empty());
}

// Bytes that the kernels of one step of AdamW on 15 fp32 parameters move.
std::int64_t traffic(OptimizerImplementation implementation, TorchRules rules) {
  MlpSpec spec;
  spec.widths = {4, 3};
  TrainingSpec training;
  training.precision = Precision::fp32;
  training.implementation = implementation;
  training.optimizer_rules = rules;
  const auto lowered = lower_training(mlp(spec), training);
  REQUIRE(lowered.has_value());
  std::int64_t bytes = 0;
  for (const ListedOp& listed : list_ops(lowered->program)) {
    if (listed.op.code != sim::OpCode::launch || listed.phase != "step1.optimizer") continue;
    const KernelWork& work = lowered->kernels[listed.op.target];
    bytes += work.read.value() + work.written.value();
  }
  return bytes;
}

TEST_CASE("AdamW's kernels read and write whole tensors") {
  // Fused: parameter, gradient, mean and square in, all but the gradient out.
  CHECK(traffic(fused, TorchRules::v2) == 15 * 4 * 7);
  // One by one: decay 2, mean 3, square 2 + 3, root 2, division 2, epsilon 2, update 4; in 1.13 the
  // mean takes 2 more.
  CHECK(traffic(plain, TorchRules::v2) == 15 * 4 * 20);
  CHECK(traffic(plain, TorchRules::v1_13) == 15 * 4 * 22);
  CHECK(traffic(foreach, TorchRules::v2) == 15 * 4 * 20);
}

TEST_CASE("a multi-tensor kernel is launched in chunks of 320 blocks of 65,536 elements") {
  MlpSpec spec;
  spec.widths = {65'536, 700};  // 700 blocks of weights, and one of bias: 701
  TrainingSpec training;
  training.precision = Precision::fp32;
  training.optimizer = OptimizerKind::sgd;
  training.weight_decay = false;
  training.implementation = OptimizerImplementation::foreach;
  const auto lowered = lower_training(mlp(spec), training);
  REQUIRE(lowered.has_value());
  std::int64_t launches = 0;
  for (std::size_t i = 0; i < lowered->kernels.size(); ++i)
    if (lowered->program.labels[lowered->program.works[i].label] == "_foreach_add_.List")
      launches = lowered->kernels[i].launches;
  CHECK(launches == 3);
}

}  // namespace
}  // namespace memsim::models
