// Structural checks of programs: everything that the executor relies on without looking.
#include <algorithm>
#include <optional>
#include <string>

#include "sim/exec/program_walk.hpp"

namespace memsim::sim {

namespace {

constexpr std::uint32_t nobody = 0xFFFFFFFF;

using Fault = std::optional<std::string>;

Fault check_work(const Work& work, std::size_t labels) {
  if (work.label >= labels) return "names a label that does not exist";
  if (work.latency < Duration(0)) return "has a negative latency";
  for (const Demand& demand : work.demands) {
    if (demand.amount < 0) return "demands a negative amount";
  }
  return std::nullopt;
}

class Checker {
 public:
  explicit Checker(const Program& program)
      : program_(program), labels_(std::max<std::size_t>(1, program.labels.size())) {}

  Result<void> check() {
    if (program_.streams == 0) return fail("a program without streams");
    if (program_.threads.empty()) return fail("a program without threads");
    for (std::size_t w = 0; w < program_.works.size(); ++w) {
      if (const Fault fault = check_work(program_.works[w], labels_); fault)
        return fail("work " + std::to_string(w) + " " + *fault);
    }
    for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
      if (Result<void> sound = check_block(b); !sound) return sound;
    }
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      if (Result<void> sound = check_instructions(t); !sound) return sound;
    }
    find_owners();
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) {
      if (Result<void> sound = check_slots(t); !sound) return sound;
    }
    return {};
  }

 private:
  Result<void> check_block(std::size_t b) {
    const Block& block = program_.blocks[b];
    const std::string where = "block " + std::to_string(b);
    if (block.bound > block.slots) return fail(where + " binds more slots than it has");
    std::vector<bool> live(block.slots - block.bound);
    std::vector<std::size_t>& outer = bound_ops_.emplace_back();
    for (std::size_t i = 0; i < block.ops.size(); ++i) {
      const Op& op = block.ops[i];
      Fault fault = check_op(op, block.slots);
      if (!fault && names_slot(op.code)) {
        if (op.target < block.bound) {
          outer.push_back(i);
        } else {
          fault = use(op.code, live, op.target - block.bound);
        }
      }
      if (fault) return fail(where + ", operation " + std::to_string(i) + " " + *fault);
    }
    const auto left = std::find(live.begin(), live.end(), true);
    if (left == live.end()) return {};
    return fail(where + " ends while its own slot " +
                std::to_string(left - live.begin() + block.bound) + " is live");
  }

  [[nodiscard]] Fault check_op(const Op& op, std::uint32_t slots) const {
    if (op.code > OpCode::empty_cache) return "does not exist";
    if (op.stream >= program_.streams) return "names a stream that does not exist";
    if (op.amount < 0) return "has a negative amount";
    switch (op.code) {
      case OpCode::allocate:
        if (op.label >= labels_) return "names a label that does not exist";
        [[fallthrough]];
      case OpCode::release:
      case OpCode::relabel:
      case OpCode::use_on_stream:
        if (op.target >= slots) return "names a slot that does not exist";
        break;
      case OpCode::launch:
      case OpCode::host_work:
      case OpCode::collective:
        return check_launch(op);
      case OpCode::record_event:
      case OpCode::wait_event:
      case OpCode::synchronize_event:
        if (op.target >= program_.events) return "names an event that does not exist";
        break;
      case OpCode::post:
      case OpCode::await:
        if (op.target >= program_.semaphores) return "names a semaphore that does not exist";
        if (op.amount == 0) return "posts or awaits nothing";
        break;
      case OpCode::synchronize_stream:
      case OpCode::synchronize_device:
      case OpCode::empty_cache:
        break;
    }
    if (op.category >= Category::cache) return "gives bytes to an owner that is not a tensor";
    return std::nullopt;
  }

  [[nodiscard]] Fault check_launch(const Op& op) const {
    if (op.target >= program_.works.size()) return "names a work that does not exist";
    if (op.code == OpCode::collective && program_.works[op.target].engine != no_engine)
      return "is a collective that needs a copy engine";
    return std::nullopt;
  }

  Result<void> check_instructions(std::size_t t) const {
    std::size_t depth = 0;
    const std::vector<Instruction>& code = program_.threads[t].instructions;
    for (std::size_t at = 0; at < code.size(); ++at) {
      Fault fault;
      switch (code[at].step) {
        case Step::call:
          fault = check_call(code[at]);
          break;
        case Step::loop:
          ++depth;
          if (code[at].index == 0) fault = "is a loop that runs zero times";
          break;
        case Step::end_loop:
          if (depth == 0) {
            fault = "ends a loop that was not begun";
          } else {
            --depth;
          }
          break;
        case Step::phase:
          if (code[at].index >= std::max<std::size_t>(1, program_.phases.size()))
            fault = "enters a phase that does not exist";
          break;
        default:
          fault = "does not exist";
          break;
      }
      if (fault) return fail(place(t, at) + " " + *fault);
    }
    if (depth > 0) return fail("thread " + std::to_string(t) + " ends inside a loop");
    return {};
  }

  [[nodiscard]] Fault check_call(const Instruction& call) const {
    if (call.index >= program_.blocks.size()) return "calls a block that does not exist";
    const std::size_t bound = program_.blocks[call.index].bound;
    if (bound > program_.bindings.size() || call.first > program_.bindings.size() - bound)
      return "has fewer bindings than its block needs";
    for (std::size_t i = call.first; i < call.first + bound; ++i) {
      if (program_.bindings[i] >= program_.slots) return "binds a slot that does not exist";
    }
    return std::nullopt;
  }

  // Slots that one thread alone uses can be followed in its order; those of several cannot.
  void find_owners() {
    owners_.assign(program_.slots, nobody);
    shared_.assign(program_.slots, false);
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) {
      for (const Instruction& call : program_.threads[t].instructions) {
        if (call.step != Step::call) continue;
        for (const std::size_t i : bound_ops_[call.index]) {
          const std::uint32_t slot =
              resolve_slot(program_, call, program_.blocks[call.index].ops[i].target);
          if (owners_[slot] != nobody && owners_[slot] != t) shared_[slot] = true;
          owners_[slot] = t;
        }
      }
    }
  }

  // Walks each loop twice: whatever its body leaves behind is then there when it begins again.
  Result<void> check_slots(std::size_t t) const {
    struct Loop {
      std::size_t start;
      bool again;
    };
    std::vector<Loop> loops;
    std::vector<bool> live(program_.slots);
    const std::vector<Instruction>& code = program_.threads[t].instructions;
    for (std::size_t at = 0; at < code.size(); ++at) {
      if (code[at].step == Step::loop) loops.push_back({at, code[at].index > 1});
      if (code[at].step == Step::end_loop) {
        if (loops.back().again) {
          loops.back().again = false;
          at = loops.back().start;
        } else {
          loops.pop_back();
        }
      }
      if (code[at].step != Step::call) continue;
      for (const std::size_t i : bound_ops_[code[at].index]) {
        const Op& op = program_.blocks[code[at].index].ops[i];
        const std::uint32_t slot = resolve_slot(program_, code[at], op.target);
        if (shared_[slot]) continue;
        const Fault fault = use(op.code, live, slot);
        if (!fault) continue;
        return fail(place(t, at) + " (block " + std::to_string(code[at].index) + ", operation " +
                    std::to_string(i) + ") " + *fault);
      }
    }
    return {};
  }

  static Fault use(OpCode code, std::vector<bool>& live, std::size_t slot) {
    if (code == OpCode::allocate) {
      if (live[slot]) return "allocates slot " + std::to_string(slot) + ", which is live";
      live[slot] = true;
      return std::nullopt;
    }
    if (!live[slot]) return "uses slot " + std::to_string(slot) + ", which is not live";
    if (code == OpCode::release) live[slot] = false;
    return std::nullopt;
  }

  static std::string place(std::size_t thread, std::size_t instruction) {
    return "thread " + std::to_string(thread) + ", instruction " + std::to_string(instruction);
  }

  const Program& program_;
  std::size_t labels_;
  std::vector<std::vector<std::size_t>> bound_ops_;  // by block: operations on slots of callers
  std::vector<std::uint32_t> owners_;                // by program slot: a thread that uses it
  std::vector<bool> shared_;                         // by program slot
};

}  // namespace

Result<void> validate_program(const Program& program) { return Checker(program).check(); }

}  // namespace memsim::sim
