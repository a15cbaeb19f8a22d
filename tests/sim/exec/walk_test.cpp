#include <string>
#include <tuple>
#include <vector>

#include "sim/exec/program_walk.hpp"
#include "tests/sim/exec/script.hpp"
#include "tests/support/catch.hpp"

using namespace memsim::sim;
using namespace memsim::test;

namespace {

// A sound program: block 0 takes one argument and has one slot of its own.
Program sound() {
  Program program;
  program.labels = {"x"};
  program.phases = {"p", "q"};
  program.slots = 2;
  program.events = 1;
  program.semaphores = 1;
  program.works.resize(1);
  program.bindings = {1, 0};
  Block& block = program.blocks.emplace_back();
  block.bound = 1;
  block.slots = 2;
  block.ops = {{.code = OpCode::allocate, .target = 1, .amount = 8},
               {.code = OpCode::allocate, .target = 0, .amount = 4},
               {.code = OpCode::release, .target = 1},
               {.code = OpCode::launch},
               {.code = OpCode::release, .target = 0}};
  program.threads.resize(1);
  program.threads[0].instructions = {{Step::phase, 1}, {Step::loop, 2},    {Step::call, 0, 0},
                                     {Step::loop, 2},  {Step::call, 0, 1}, {Step::end_loop},
                                     {Step::end_loop}, {Step::phase, 0},   {Step::call, 0, 0}};
  return program;
}

std::string fault(const Program& program) {
  const Result<void> result = validate_program(program);
  return result ? "" : result.error().message;
}

template <class Change>
std::string fault_after(Change change) {
  Program program = sound();
  change(program);
  return fault(program);
}

}  // namespace

TEST_CASE("operations are counted without walking through them, up to a limit") {
  // Calls: 2 x (1 + 2) + 1, of a block of five operations.
  CHECK(count_ops(sound(), 0, 1000) == 35);
  CHECK(count_ops(sound(), 0, 35) == 35);
  CHECK(count_ops(sound(), 0, 34) > 34);
  Program deep = sound();
  deep.threads[0].instructions[1].index = 0xFFFFFFFF;
  deep.threads[0].instructions[3].index = 0xFFFFFFFF;
  CHECK(count_ops(deep, 0, 1000) > 1000);
}

TEST_CASE("a walk unrolls loops, flattens calls and resolves slots") {
  std::vector<std::tuple<OpCode, std::uint32_t, std::uint32_t>> seen;
  for_each_op(sound(), 0, [&](const Op& op, std::uint32_t phase) {
    if (op.code == OpCode::allocate) seen.emplace_back(op.code, op.target, phase);
  });
  // Own slots follow the program's two; the argument is slot 1, twice slot 0, then slot 1 again.
  using T = std::tuple<OpCode, std::uint32_t, std::uint32_t>;
  std::vector<T> expected;
  for (const std::uint32_t bound : {1U, 0U, 0U, 1U, 0U, 0U}) {
    expected.emplace_back(OpCode::allocate, 2, 1);
    expected.emplace_back(OpCode::allocate, bound, 1);
  }
  expected.emplace_back(OpCode::allocate, 2, 0);
  expected.emplace_back(OpCode::allocate, 1, 0);
  CHECK(seen == expected);
}

TEST_CASE("a sound program has no fault") { CHECK(fault(sound()).empty()); }

TEST_CASE("a program needs a thread and a stream") {
  CHECK(fault_after([](Program& p) { p.streams = 0; }) == "a program without streams");
  CHECK(fault_after([](Program& p) { p.threads.clear(); }) == "a program without threads");
}

TEST_CASE("loops match and run at least once") {
  CHECK(fault_after([](Program& p) { p.threads[0].instructions[3].index = 0; }) ==
        "thread 0, instruction 3 is a loop that runs zero times");
  CHECK(fault_after([](Program& p) { p.threads[0].instructions.push_back({Step::end_loop}); }) ==
        "thread 0, instruction 9 ends a loop that was not begun");
  CHECK(fault_after([](Program& p) { p.threads[0].instructions.push_back({Step::loop, 1}); }) ==
        "thread 0 ends inside a loop");
}

TEST_CASE("instructions name what exists") {
  CHECK(fault_after([](Program& p) { p.threads[0].instructions[0].index = 2; }) ==
        "thread 0, instruction 0 enters a phase that does not exist");
  CHECK(fault_after([](Program& p) { p.threads[0].instructions[2].index = 1; }) ==
        "thread 0, instruction 2 calls a block that does not exist");
  CHECK(fault_after([](Program& p) { p.threads[0].instructions[2].first = 2; }) ==
        "thread 0, instruction 2 has fewer bindings than its block needs");
  CHECK(fault_after([](Program& p) { p.bindings[0] = 2; }) ==
        "thread 0, instruction 2 binds a slot that does not exist");
  CHECK(fault_after([](Program& p) { p.threads[0].instructions[0].step = static_cast<Step>(9); }) ==
        "thread 0, instruction 0 does not exist");
}

TEST_CASE("operations name what exists") {
  const auto with = [](const Op& op) {
    return fault_after([&](Program& p) { p.blocks[0].ops[3] = op; });
  };
  const std::string where = "block 0, operation 3 ";
  CHECK(with({.code = OpCode::launch, .target = 1}) == where + "names a work that does not exist");
  CHECK(with({.code = OpCode::host_work, .target = 1}) ==
        where + "names a work that does not exist");
  CHECK(with({.code = OpCode::launch, .stream = 1}) ==
        where + "names a stream that does not exist");
  CHECK(with({.code = OpCode::record_event, .target = 1}) ==
        where + "names an event that does not exist");
  CHECK(with({.code = OpCode::post, .target = 1, .amount = 1}) ==
        where + "names a semaphore that does not exist");
  CHECK(with({.code = OpCode::await, .target = 0}) == where + "posts or awaits nothing");
  CHECK(with({.code = OpCode::relabel, .target = 2}) == where + "names a slot that does not exist");
  CHECK(with({.code = OpCode::allocate, .target = 1, .label = 1}) ==
        where + "names a label that does not exist");
  CHECK(with({.code = OpCode::relabel, .category = Category::context, .target = 0}) ==
        where + "gives bytes to an owner that is not a tensor");
  CHECK(with({.code = OpCode::launch, .amount = -1}) == where + "has a negative amount");
  CHECK(with({.code = static_cast<OpCode>(99)}) == where + "does not exist");
  for (const OpCode code : {OpCode::synchronize_device, OpCode::synchronize_stream,
                            OpCode::empty_cache, OpCode::collective, OpCode::wait_event})
    CHECK(with({.code = code}).empty());
}

TEST_CASE("works have labels and no negative amounts; collectives need no engine") {
  CHECK(fault_after([](Program& p) { p.works[0].label = 1; }) ==
        "work 0 names a label that does not exist");
  CHECK(fault_after([](Program& p) { p.works[0].latency = ps(-1); }) ==
        "work 0 has a negative latency");
  CHECK(fault_after([](Program& p) { p.works[0].demands = {{0, -1}}; }) ==
        "work 0 demands a negative amount");
  CHECK(fault_after([](Program& p) {
          p.works[0].engine = 0;
          p.blocks[0].ops[3].code = OpCode::collective;
        }) == "block 0, operation 3 is a collective that needs a copy engine");
}

TEST_CASE("slots of a block live and die inside it") {
  CHECK(fault_after([](Program& p) { p.blocks[0].bound = 3; }) ==
        "block 0 binds more slots than it has");
  CHECK(fault_after([](Program& p) { p.blocks[0].ops[2].code = OpCode::relabel; }) ==
        "block 0 ends while its own slot 1 is live");
  CHECK(fault_after([](Program& p) { p.blocks[0].ops[0].code = OpCode::release; }) ==
        "block 0, operation 0 uses slot 0, which is not live");
}

TEST_CASE("a thread's own slots are allocated before they are used, in every iteration") {
  CHECK(fault_after([](Program& p) { p.blocks[0].ops[1].code = OpCode::release; }) ==
        "thread 0, instruction 2 (block 0, operation 1) uses slot 1, which is not live");
  // Left live by the first iteration of the inner loop, allocated again by the second.
  CHECK(fault_after([](Program& p) { p.blocks[0].ops[4].code = OpCode::relabel; }) ==
        "thread 0, instruction 4 (block 0, operation 1) allocates slot 0, which is live");
}

TEST_CASE("slots that threads share are not followed") {
  Script script;
  script.slots = 1;
  script.thread(0).release(0);
  script.thread(1).allocate(0, 1);
  CHECK(fault(script.program()).empty());
}
