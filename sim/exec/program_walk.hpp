// Walks over what a program does, without running it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/result.hpp"
#include "sim/exec/program.hpp"

namespace memsim::sim {

// Whether `target` of this operation is a tensor slot.
constexpr bool names_slot(OpCode code) {
  return code == OpCode::allocate || code == OpCode::release || code == OpCode::relabel ||
         code == OpCode::use_on_stream;
}

// The program slot behind slot `target` of a called block. Slots that live and die inside the block
// get the numbers from Program::slots on; calls that follow each other use them again.
// Requires: `call` is a call, target < slots of its block.
inline std::uint32_t resolve_slot(const Program& program, const Instruction& call,
                                  std::uint32_t target) {
  const Block& block = program.blocks[call.index];
  return target < block.bound ? program.bindings[call.first + target]
                              : program.slots + (target - block.bound);
}

// Calls f(op, phase) for every operation of a thread in the order in which it executes them: loops
// unrolled, calls flattened, slots resolved. Requires: validate_program(program) has a value.
template <class F>
void for_each_op(const Program& program, std::size_t thread, F&& f) {
  struct Loop {
    std::size_t start;
    std::uint32_t left;
  };
  std::vector<Loop> loops;
  std::uint32_t phase = 0;
  const std::vector<Instruction>& code = program.threads[thread].instructions;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const Instruction& instruction = code[at];
    switch (instruction.step) {
      case Step::call:
        for (Op op : program.blocks[instruction.index].ops) {
          if (names_slot(op.code)) op.target = resolve_slot(program, instruction, op.target);
          f(static_cast<const Op&>(op), phase);
        }
        break;
      case Step::loop:
        loops.push_back({at, instruction.index - 1});
        break;
      case Step::end_loop:
        if (loops.back().left == 0) {
          loops.pop_back();
        } else {
          --loops.back().left;
          at = loops.back().start;
        }
        break;
      case Step::phase:
        phase = instruction.index;
        break;
    }
  }
}

// How many operations for_each_op would see, as far as they are not more than `most`: else
// something above it. Requires: as for_each_op; 0 <= most < 2^62.
inline std::int64_t count_ops(const Program& program, std::size_t thread, std::int64_t most) {
  std::vector<std::int64_t> outer;  // counts up to the loops that are open
  std::int64_t count = 0;
  const std::vector<Instruction>& code = program.threads[thread].instructions;
  std::vector<std::uint32_t> times;
  for (const Instruction& instruction : code) {
    if (instruction.step == Step::call) {
      count += static_cast<std::int64_t>(program.blocks[instruction.index].ops.size());
    } else if (instruction.step == Step::loop) {
      outer.push_back(count);
      times.push_back(instruction.index);
      count = 0;
    } else if (instruction.step == Step::end_loop) {
      const Int128 all = static_cast<Int128>(count) * times.back() + outer.back();
      count = all > most ? most + 1 : static_cast<std::int64_t>(all);
      outer.pop_back();
      times.pop_back();
    }
    if (count > most) count = most + 1;
  }
  return count;
}

// Errors: loops that do not match or run zero times; a block, binding, slot, work, stream, event,
// semaphore, label or phase that does not exist; works with negative amounts or latencies; a slot
// allocated while it is live, or used or released while it is not, as far as one thread's own order
// decides it; slots of a block's own that outlive it. The message names thread, instruction, block
// and operation. What only a placement can tell (memories, routes, engines, communicators) is
// checked by run().
Result<void> validate_program(const Program& program);

}  // namespace memsim::sim
