// Blocks, slots and repetitions of recorded programs.
#include "models/training/recorder.hpp"

#include "sim/exec/program_walk.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

using sim::Category;
constexpr Category any = Category::activations;

Recorder::Id take(Recorder& recorder, std::int64_t bytes, Lifetime lifetime = Lifetime::passing) {
  return recorder.allocate(bytes, any, recorder.label("t"), lifetime);
}

std::vector<sim::Step> steps(const sim::Program& program) {
  std::vector<sim::Step> list;
  for (const sim::Instruction& instruction : program.threads[0].instructions)
    list.push_back(instruction.step);
  return list;
}

TEST_CASE("equal pieces are one block, called with different slots") {
  Recorder recorder;
  std::vector<Recorder::Id> kept;
  for (int i = 0; i < 3; ++i) {
    const Recorder::Id inside = take(recorder, 100);
    kept.push_back(take(recorder, 50));
    recorder.release(inside);
    recorder.cut();
  }
  const sim::Program program = recorder.finish().program;
  REQUIRE(program.blocks.size() == 1);
  CHECK(program.blocks[0].bound == 1);  // only the tensor that outlives the block
  CHECK(program.blocks[0].slots == 2);
  CHECK(program.bindings == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(program.slots == 3);
  CHECK(sim::validate_program(program).has_value());
}

TEST_CASE("a released slot is taken again, the lowest first") {
  Recorder recorder;
  const Recorder::Id a = take(recorder, 1);
  const Recorder::Id b = take(recorder, 1);
  const Recorder::Id c = take(recorder, 1);
  recorder.cut();
  CHECK(recorder.slot(c) == 2);
  recorder.release(b);
  recorder.release(a);
  recorder.cut();
  const Recorder::Id d = take(recorder, 1);
  recorder.cut();
  CHECK(recorder.slot(d) == 0);
}

TEST_CASE("within a block, what comes does not take the slot of what goes") {
  Recorder recorder;
  const Recorder::Id a = take(recorder, 1);
  recorder.cut();
  recorder.release(a);
  const Recorder::Id b = take(recorder, 1);
  recorder.cut();
  CHECK(recorder.slot(b) == 1);
  CHECK(sim::validate_program(recorder.finish().program).has_value());
}

TEST_CASE("kept and named tensors have slots of their own") {
  Recorder recorder;
  const Recorder::Id passing = take(recorder, 1);
  const Recorder::Id named = take(recorder, 1, Lifetime::named);
  recorder.cut();
  recorder.release(passing);
  recorder.release(named);
  recorder.cut();
  const Recorder::Id kept = take(recorder, 1, Lifetime::kept);
  const Recorder::Id again = take(recorder, 1, Lifetime::named);
  recorder.cut();
  CHECK(recorder.slot(kept) == 2);
  CHECK(recorder.slot(again) == 1);
}

TEST_CASE("equal kernels are one work, and their operations are counted each time") {
  Recorder recorder;
  KernelWork work;
  work.flops = 7;
  recorder.launch(recorder.label("relu"), work);
  recorder.launch(recorder.label("relu"), work);
  recorder.launch(recorder.label("gelu"), work);
  CHECK(recorder.flops() == 21);
  const Recorder::Recording recording = recorder.finish();
  CHECK(recording.kernels.size() == 2);
  CHECK(recording.program.works.size() == 2);
  CHECK(recording.program.labels[recording.program.works[1].label] == "gelu");
}

TEST_CASE("a repetition is a loop over the same calls, in phases of another name") {
  Recorder recorder;
  recorder.phase("step0.forward");
  const Mark begin = recorder.mark();
  recorder.phase("step1.forward");
  recorder.release(take(recorder, 8));
  const Mark end = recorder.mark();
  recorder.repeat(begin, end, 4, "step1.", "step2.");
  const sim::Program program = recorder.finish().program;
  using sim::Step;
  CHECK(steps(program) == std::vector<Step>{Step::phase, Step::phase, Step::call, Step::loop,
                                            Step::phase, Step::call, Step::end_loop});
  CHECK(program.phases ==
        std::vector<std::string>{"step0.forward", "step1.forward", "step2.forward"});
  int allocations = 0;
  sim::for_each_op(program, 0, [&](const sim::Op& op, std::uint32_t phase) {
    if (op.code != sim::OpCode::allocate) return;
    CHECK(phase == (allocations++ == 0 ? 1 : 2));
  });
  CHECK(allocations == 5);
}

TEST_CASE("a repetition of zero times leaves no trace") {
  Recorder recorder;
  const Mark begin = recorder.mark();
  recorder.release(take(recorder, 8));
  recorder.repeat(begin, recorder.mark(), 0, "", "");
  CHECK(recorder.finish().program.threads[0].instructions.size() == 1);
}

TEST_CASE("an empty block is not called") {
  Recorder recorder;
  recorder.cut();
  recorder.cut();
  CHECK(recorder.finish().program.threads[0].instructions.empty());
}

}  // namespace
}  // namespace memsim::models
