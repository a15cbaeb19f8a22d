// Whole networks: structure of the program, totals, settings, errors. That the sequences are
// PyTorch's is tested with recorded ones (tests/validate/compare/torch_kind_test.cpp).
#include "models/training/lowering.hpp"

#include <algorithm>

#include "models/network/architectures/gpt.hpp"
#include "models/network/architectures/gpt_neox.hpp"
#include "models/network/architectures/mlp.hpp"
#include "models/network/functional.hpp"
#include "models/training/script.hpp"
#include "sim/exec/program_walk.hpp"
#include "tests/models/training/program_listing.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

GptSpec small_gpt(std::int64_t layers = 3) {
  GptSpec spec;
  spec.vocabulary = 40;
  spec.positions = 16;
  spec.layers = layers;
  spec.heads = 2;
  spec.hidden = 8;
  spec.dropout_millionths = 100'000;
  return spec;
}

GptNeoxSpec small_neox(std::int64_t layers = 3) {
  GptNeoxSpec spec;
  spec.vocabulary = 40;
  spec.positions = 16;
  spec.layers = layers;
  spec.heads = 2;
  spec.hidden = 32;
  return spec;
}

TrainingSpec small_training() {
  TrainingSpec training;
  training.sequence = 8;
  training.micro_batch = 2;
  return training;
}

LoweredTraining lower(const Network& network, const TrainingSpec& training) {
  auto lowered = lower_training(network, training);
  REQUIRE(lowered.has_value());
  return std::move(*lowered);
}

std::string failure(const Network& network, const TrainingSpec& training) {
  const auto lowered = lower_training(network, training);
  return lowered ? "" : lowered.error().message;
}

// The program with its loops is, operation for operation, the one written out.
void check_folding(const Network& network, const TrainingSpec& training) {
  const LoweredTraining folded = lower(network, training);
  const LoweredTraining plain = Script(network, training, Repetition::written_out).run();
  REQUIRE(sim::validate_program(folded.program).has_value());
  CHECK(folded.program.slots == plain.program.slots);
  CHECK(folded.kernels == plain.kernels);
  CHECK(list_ops(folded.program) == list_ops(plain.program));
}

bool has_loop(const sim::Program& program) {
  return std::ranges::any_of(program.threads[0].instructions,
                             [](const sim::Instruction& i) { return i.step == sim::Step::loop; });
}

TEST_CASE("a program with loops does what the program written out does") {
  const std::vector<Network> networks{gpt(small_gpt()), gpt_neox(small_neox(2))};
  TrainingSpec training = small_training();
  SECTION("as it comes") {
    training.steps = 6;
    CHECK(has_loop(lower(networks[0], training).program));
  }
  SECTION("accumulation") {
    training.accumulation = 7;
    CHECK(has_loop(lower(networks[0], training).program));
  }
  SECTION("outputs held into the next step: every second step is the same") {
    training.hold_outputs = true;
    training.steps = 9;
    CHECK(has_loop(lower(networks[0], training).program));
  }
  SECTION("outputs held, and accumulation") {
    training.hold_outputs = true;
    training.accumulation = 6;
    training.steps = 8;
  }
  SECTION("gradients that stay") {
    training.zero_to_none = false;
    training.accumulation = 3;
    training.steps = 5;
  }
  SECTION("gradients dropped at the end") {
    training.zero_at = ZeroGradAt::end;
    training.steps = 4;
  }
  SECTION("checkpointing, fused attention") {
    training.checkpointing = Checkpointing::reentrant;
    training.attention = AttentionKind::flash;
    training.accumulation = 4;
  }
  SECTION("non-reentrant checkpointing, workspaces") {
    training.checkpointing = Checkpointing::nonreentrant;
    training.gemm_workspace = sim::Bytes(4096);
    training.accumulation = 4;
    training.steps = 5;
  }
  SECTION("inference") {
    training.mode = Mode::infer;
    training.steps = 5;
    CHECK(has_loop(lower(networks[0], training).program));
  }
  for (const Network& network : networks) check_folding(network, training);
}

TEST_CASE("layers share blocks, whatever their number") {
  for (const Checkpointing checkpointing :
       {Checkpointing::none, Checkpointing::reentrant, Checkpointing::nonreentrant}) {
    TrainingSpec training = small_training();
    training.checkpointing = checkpointing;
    const std::size_t few = lower(gpt(small_gpt(4)), training).program.blocks.size();
    const std::size_t many = lower(gpt(small_gpt(12)), training).program.blocks.size();
    // Optimizer states carry the names of their parameters: one block per layer, once.
    CHECK(many == few + 8);
    training.optimizer = OptimizerKind::sgd;
    CHECK(lower(gpt(small_gpt(12)), training).program.blocks.size() ==
          lower(gpt(small_gpt(4)), training).program.blocks.size());
  }
}

TEST_CASE("after each phase exactly what must be alive is alive") {
  // Parameters P, buffers and inputs B; SGD has no state; the loss is one fp32 number.
  TrainingSpec training = small_training();
  training.precision = Precision::fp32;
  training.optimizer = OptimizerKind::adamw;
  training.implementation = OptimizerImplementation::plain;
  const LoweredTraining lowered = lower(gpt(small_gpt()), training);
  const TensorTotals& totals = lowered.totals;
  CHECK(totals.parameters == 40 * 8 + 16 * 8 + 3 * (12 * 64 + 13 * 8) + 2 * 8);
  CHECK(totals.parameter_bytes.value() == 4 * totals.parameters);
  CHECK(totals.gradient_bytes == totals.parameter_bytes);
  CHECK(totals.optimizer_bytes == 2 * totals.parameter_bytes);
  CHECK(totals.gradients == 2 + 3 * 12 + 2);
  CHECK(totals.optimizer_tensors == 2 * totals.gradients);
  CHECK(totals.buffer_bytes.value() == 3 * 16 * 16);     // masks of one byte
  CHECK(totals.input_bytes.value() == 2 * (2 * 8) * 8);  // ids and labels

  const CategoryBytes forward = bytes_after(lowered.program, "step2.forward");
  CHECK(forward.parameters == totals.parameter_bytes.value());
  CHECK(forward.gradients == 0);
  CHECK(forward.optimizer == totals.optimizer_bytes.value());
  CHECK(forward.buffers == totals.buffer_bytes.value() + totals.input_bytes.value());
  CHECK(forward.activations == totals.saved.bytes.value() + 4);
  const CategoryBytes backward = bytes_after(lowered.program, "step2.backward");
  CHECK(backward.gradients == totals.gradient_bytes.value());
  CHECK(backward.activations == 4);
  CHECK(backward.temporaries == 0);
  const CategoryBytes end = bytes_after(lowered.program, "step2.end");
  CHECK(end.total() == (totals.parameter_bytes + totals.gradient_bytes + totals.optimizer_bytes +
                        totals.buffer_bytes + totals.input_bytes)
                           .value());
}

std::int64_t gemm_flops(const LoweredTraining& lowered, std::string_view phase) {
  std::int64_t flops = 0;
  sim::for_each_op(lowered.program, 0, [&](const sim::Op& op, std::uint32_t index) {
    if (op.code != sim::OpCode::launch || lowered.program.phases[index] != phase) return;
    const KernelWork& work = lowered.kernels[op.target];
    if (work.kind == KernelClass::gemm) flops += work.flops;
  });
  return flops;
}

TEST_CASE("matrix products add up to the closed form, backward to twice that") {
  TrainingSpec training = small_training();
  training.precision = Precision::fp32;
  const std::int64_t tokens = 2 * 8, h = 8, layers = 3;
  // Per layer 12 h^2 weights, scores and values T h each; the head V h. A multiply-add is 2.
  const std::int64_t forward =
      2 * tokens * (layers * (12 * h * h + 2 * training.sequence * h) + 40 * h);
  LoweredTraining lowered = lower(gpt(small_gpt()), training);
  CHECK(gemm_flops(lowered, "step1.forward") == forward);
  CHECK(gemm_flops(lowered, "step1.backward") == 2 * forward);
  CHECK(lowered.totals.flops_forward > forward);
  CHECK(lowered.totals.flops_backward > 2 * forward);

  SECTION("checkpointing runs the layers forward once more") {
    training.checkpointing = Checkpointing::reentrant;
    lowered = lower(gpt(small_gpt()), training);
    const std::int64_t head = 2 * tokens * 40 * h;
    CHECK(gemm_flops(lowered, "step1.backward") == 3 * forward - head);
  }
}

TEST_CASE("what autograd keeps is told by node, oldest holder first") {
  // y = relu(x W) V, cross-entropy; x [2, 4], W [4, 4], V [4, 3], by autocast in bf16. addmm keeps
  // its matrices: x and W as bf16 copies (16 and 32 bytes; x needs no gradient, so W is not kept),
  // relu's result 2 x 4 x 2, and V as a copy, 4 x 3 x 2. relu keeps its result, which it made
  // first.
  MlpSpec spec;
  spec.widths = {4, 4, 3};
  TrainingSpec training;
  training.micro_batch = 2;
  training.precision = Precision::autocast_bf16;
  training.rules = TorchRules::v1_13;
  const SavedTotals saved = lower(mlp(spec), training).totals.saved;
  std::vector<std::string> nodes;
  for (const SavedByNode& node : saved.by_node)
    nodes.push_back(std::string(node.node) + " " + std::to_string(node.tensors) + " " +
                    std::to_string(node.bytes.value()) + " " + std::to_string(node.parameters) +
                    " " + std::to_string(node.new_bytes.value()));
  // Logits are bf16; nll_loss gets an fp32 copy of their log-softmax, labels and total weight.
  CHECK(nodes == std::vector<std::string>{"AddmmBackward0 3 56 0 40",
                                          "LogSoftmaxBackward0 1 12 0 12",
                                          "NllLossBackward0 3 44 0 28", "ReluBackward0 1 16 0 16"});
  CHECK(saved.tensors == 8);
  CHECK(saved.parameter_cast_bytes.value() == 24);
  CHECK(saved.storages == 6);
  CHECK(saved.bytes.value() == 40 + 12 + 28 + 16);
  CHECK(saved.bytes_512.value() == 6 * 512);
  CHECK(saved.bytes_with_inputs.value() == saved.bytes.value() + 2 * 8);  // labels

  training.precision = Precision::fp32;
  const SavedTotals plain = lower(mlp(spec), training).totals.saved;
  CHECK(plain.parameter_cast_bytes.value() == 0);
  // Now V itself is kept, a parameter, and x, an input.
  CHECK(plain.by_node[0].parameters == 1);
  CHECK(plain.bytes_with_inputs.value() == plain.bytes.value() + 2 * 8 + 2 * 4 * 4);
}

TEST_CASE("gradients that meet at an edge are counted, and those that 2.x adds in place") {
  // A block's input goes into LayerNorm and into the sum behind it, twice a layer; the tied table
  // gets a gradient from the head and one from the embedding. The script of reentrant checkpointing
  // holds the gradient that comes into a layer, so the first sum of its pass is not in place.
  TrainingSpec training = small_training();
  const auto sums = [&](TorchRules rules) {
    training.rules = rules;
    const TensorTotals totals = lower(gpt(small_gpt(3)), training).totals;
    return std::pair(totals.gradient_sums, totals.gradient_sums_in_place);
  };
  CHECK(sums(TorchRules::v1_13) == std::pair<std::int64_t, std::int64_t>(7, 0));
  CHECK(sums(TorchRules::v2) == std::pair<std::int64_t, std::int64_t>(7, 7));
  training.checkpointing = Checkpointing::reentrant;
  CHECK(sums(TorchRules::v2).second == 7 - 3);
  training.mode = Mode::infer;
  CHECK(sums(TorchRules::v2).first == 0);
}

TEST_CASE("sizes beyond 64 bits can be told from other defects") {
  TrainingSpec training = small_training();
  training.micro_batch = std::int64_t{1} << 60;
  CHECK_THROWS_AS(lower_training(gpt(small_gpt()), training), sim::Overflow);
}

TEST_CASE("checkpointing keeps the inputs of the layers only") {
  TrainingSpec training = small_training();
  training.precision = Precision::fp32;
  training.checkpointing = Checkpointing::reentrant;
  GptSpec spec = small_gpt(5);
  spec.dropout_millionths = 0;
  const TensorTotals totals = lower(gpt(spec), training).totals;
  const std::int64_t tokens = 2 * 8;
  // Five inputs and the final LayerNorm's; its statistics and result; positions; log-probabilities
  // and the total weight.
  CHECK(totals.saved.bytes.value() ==
        6 * tokens * 8 * 4 + 2 * tokens * 4 + tokens * 8 * 4 + 8 * 8 + tokens * 40 * 4 + 4);
}

TEST_CASE("a parameter used outside and inside a checkpointed layer gets all its gradients") {
  // logits = ((x W) W) W, the product in the middle checkpointed. W [4, 4], x [2, 4].
  Builder builder;
  const Var x = builder.input("x", {batch_extent, 4}, DataType::fp32);
  const Var labels = builder.input("labels", {batch_extent}, DataType::int64);
  const Linear shared = make_linear(builder, "shared", 4, 4, /*bias=*/false);
  {
    Var y = linear(x, shared);
    y = builder.layer({y.id()}, [&] { return linear(y, shared); });
    y = linear(y, shared);
    const Var loss = cross_entropy(y, labels);
    builder.result(loss, y);
  }
  TrainingSpec training = small_training();
  training.precision = Precision::fp32;
  training.rules = TorchRules::v1_13;
  training.checkpointing = Checkpointing::reentrant;
  const LoweredTraining lowered = lower(builder.finish(), training);
  std::vector<std::string> products;
  for (const std::string& line : list_memory(lowered.program, "step0.backward"))
    if (line.starts_with("mm") || line.starts_with("add")) products.push_back(line);
  // Outside: W's gradient waits, x's goes on. Inside: again forward, W's gradient is taken over at
  // once, x's goes on. Outside: W's, added to the one that waited.
  CHECK(products == std::vector<std::string>{"mm 64", "mm 32", "mm 32", "mm 64", "mm 32", "mm 64",
                                             "add.Tensor 64"});
  CHECK(bytes_after(lowered.program, "step0.backward").gradients == 64);
}

TEST_CASE("fused attention has no scores, no mask and no mask buffer") {
  TrainingSpec training = small_training();
  training.attention = AttentionKind::flash;
  const LoweredTraining lowered = lower(gpt(small_gpt()), training);
  CHECK(lowered.totals.buffer_bytes.value() == 0);
  const auto forward = list_memory(lowered.program, "step0.forward");
  CHECK(std::ranges::none_of(forward, [](const std::string& line) {
    return line.starts_with("_softmax") || line.starts_with("eq.Scalar");
  }));
  CHECK(std::ranges::any_of(forward, [](const std::string& line) {
    return line.starts_with("_scaled_dot_product_flash_attention");
  }));
}

TEST_CASE("GPT-NeoX: rotary buffers, scores in place of zeros, a head of its own") {
  TrainingSpec training = small_training();
  training.precision = Precision::fp32;
  const LoweredTraining lowered = lower(gpt_neox(small_neox()), training);
  // Head width 16, a quarter of it rotated: cosines and sines [16, 4], frequencies [2], the mask,
  // and a scalar, in each of three layers.
  CHECK(lowered.totals.buffer_bytes.value() == 3 * (2 * 16 * 4 * 4 + 2 * 4 + 16 * 16 + 4));
  // Scores [2 x 2, 8, 8] fp32: zeros, product, masked, probabilities.
  const auto forward = list_memory(lowered.program, "step0.forward");
  CHECK(std::ranges::count(forward, "zeros 1024") == 3);
  CHECK(std::ranges::count(forward, "- zeros 1024") == 3);
  CHECK(std::ranges::count(forward, "baddbmm 1024") == 3);
  CHECK(std::ranges::count(forward, "where.self 1024") == 3);
  CHECK(std::ranges::count(forward, "_softmax 1024") == 3);
  // Token t predicts t + 1: seven of eight rows go into the loss.
  CHECK(std::ranges::count(forward, "_log_softmax 2240") == 1);
  CHECK(bytes_after(lowered.program, "step2.end").total() ==
        (lowered.totals.parameter_bytes + lowered.totals.gradient_bytes +
         lowered.totals.optimizer_bytes + lowered.totals.buffer_bytes + lowered.totals.input_bytes)
            .value());
}

TEST_CASE("a sequence of one token can be trained on") {
  TrainingSpec training = small_training();
  training.sequence = 1;
  check_folding(gpt(small_gpt()), training);
  check_folding(gpt_neox(small_neox()), training);  // nothing to predict: empty logits
}

TEST_CASE("pure precisions store parameters, floating buffers and inputs in two bytes") {
  MlpSpec spec;
  spec.widths = {6, 4, 3};
  spec.activation = Activation::tanh;
  spec.dropout_millionths = 200'000;
  TrainingSpec training = small_training();
  for (const Precision precision : {Precision::pure_bf16, Precision::pure_fp16}) {
    training.precision = precision;
    const TensorTotals totals = lower(mlp(spec), training).totals;
    CHECK(totals.parameter_bytes.value() == 2 * (6 * 4 + 4 + 4 * 3 + 3));
    CHECK(totals.input_bytes.value() == 2 * 6 * 2 + 2 * 8);
  }
}

TEST_CASE("cuBLAS workspaces are buffers of the forward and the backward thread") {
  TrainingSpec training = small_training();
  training.gemm_workspace = sim::Bytes(1 << 20);
  const LoweredTraining lowered = lower(gpt(small_gpt()), training);
  const auto all = list_memory(lowered.program, "");
  CHECK(std::ranges::count(all, "cublas_workspace 1048576") == 2);
  CHECK(std::ranges::count(all, "- cublas_workspace 1048576") == 0);
  training.mode = Mode::infer;
  CHECK(std::ranges::count(list_memory(lower(gpt(small_gpt()), training).program, ""),
                           "cublas_workspace 1048576") == 1);
}

TEST_CASE("settings that a network cannot be run with name the user's key") {
  const Network network = gpt(small_gpt());
  const auto with = [](auto change) {
    TrainingSpec training = small_training();
    change(training);
    return training;
  };
  CHECK(failure(network, with([](TrainingSpec& t) { t.sequence = 17; })) ==
        "train.sequence: 17 is beyond the 16 positions of the network");
  CHECK(failure(network, with([](TrainingSpec& t) { t.sequence = 0; })) ==
        "train.sequence: 0 is less than 1");
  CHECK(failure(network, with([](TrainingSpec& t) { t.micro_batch = 0; })) ==
        "train.micro_batch: 0 is less than 1");
  CHECK(failure(network, with([](TrainingSpec& t) { t.accumulation = -3; })) ==
        "train.accumulation: -3 is less than 1");
  CHECK(failure(network, with([](TrainingSpec& t) { t.steps = 0; })) ==
        "train.steps: 0 is less than 1");
  CHECK(failure(network, with([](TrainingSpec& t) { t.gemm_workspace = sim::Bytes(-1); })) ==
        "train.gemm_workspace: a size below 0");
  MlpSpec spec;
  spec.widths = {6, 3};
  CHECK(failure(mlp(spec), with([](TrainingSpec& t) {
                  t.checkpointing = Checkpointing::reentrant;
                })) == "train.checkpointing: the network has no layers to checkpoint");
}

TEST_CASE("a network that cannot be run says where") {
  Builder builder;
  const Var x = builder.input("x", {batch_extent, 4}, DataType::fp32);
  const Linear layer = make_linear(builder, "fc", 5, 2);
  {
    const Var y = linear(x, layer);
    builder.result(y, y);
  }
  CHECK(failure(builder.finish(), small_training()) ==
        "operator linear: linear: the input's last extent is not the weight's");

  Builder other;
  const Var z = other.input("z", {batch_extent, 4}, DataType::fp32);
  {
    Arg argument(z);
    const Var y = other.call("fold_space", {&argument});
    other.result(y, y);
  }
  CHECK(failure(other.finish(), small_training()) == "memsim has no operator fold_space");
}

}  // namespace
}  // namespace memsim::models
