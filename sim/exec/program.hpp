// What the host threads of one process (rank) do, in order.
//
// Two levels: a *block* is a list of operations that was lowered once; the threads *call* blocks,
// binding their tensor slots, and loop over calls. Operations hold numbers only; names are indices
// into `labels`.
//
// Works, routes, memories, communicators and events are numbered locally to the program; a
// Placement (executor.hpp) says what they are on a machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/memory/category.hpp"

namespace memsim::sim {

enum class OpCode : std::uint8_t {
  // Slot `target` <- `amount` bytes of memory `unit`, for stream `stream`, owned by (category,
  // label).
  allocate,
  // Slot `target` gives its bytes back.
  release,
  // Slot `target` now belongs to `category` (a temporary became a gradient).
  relabel,
  // Slot `target` is also used on `stream` (record_stream).
  use_on_stream,
  // Work `target` goes to the end of `stream`. The thread pays for `amount` launches (0 counts as
  // 1); while the stream's queue is full it waits first.
  launch,
  // The thread itself does work `target` and is busy until it ends.
  host_work,
  // Like launch; the work starts when all members of communicator `unit` have reached theirs, and
  // ends when the slowest of them does.
  collective,
  // Event `target` <- the present end of `stream`.
  record_event,
  // What follows on `stream` waits for event `target` as it stands now; never recorded is done.
  wait_event,
  // The thread waits for event `target`.
  synchronize_event,
  // The thread waits for all that is on `stream` now.
  synchronize_stream,
  // The thread waits for all that is on the program's streams now.
  synchronize_device,
  // Semaphore `target` += amount.
  post,
  // The thread waits until semaphore `target` >= amount, then subtracts it. Threads are served in
  // the order of their arrival.
  await,
  // Memory `unit` gives its cache back.
  empty_cache,
};

struct Op {
  OpCode code;
  Category category = Category::temporaries;
  std::uint16_t unit = 0;  // memory or communicator
  std::uint32_t stream = 0;
  std::uint32_t target = 0;  // slot, work, event or semaphore
  std::uint32_t label = 0;   // index into Program::labels
  std::int64_t amount = 0;

  friend bool operator==(const Op&, const Op&) = default;
};

// Slots below `bound` are bound by the caller; the others live and die inside the block.
struct Block {
  std::vector<Op> ops;
  std::uint32_t bound = 0;  // slots 0 .. bound-1 are arguments
  std::uint32_t slots = 0;  // all slots
};

// One demand of a work on a route of the placement: all demands of a work run at the same time.
struct Demand {
  std::uint32_t route = 0;  // index into Placement::routes
  std::int64_t amount = 0;  // bytes; on a compute route picoseconds at full rate
};

enum class WorkKind : std::uint8_t { kernel, copy, host };

inline constexpr std::uint32_t no_engine = 0xFFFFFFFF;

// A kernel, a copy or a piece of host work: `latency`, then until its last demand is met; without
// demands it ends after its latency. The demand that ends last (of equal ones the first) is what
// bound it.
struct Work {
  std::uint32_t label = 0;
  WorkKind kind = WorkKind::kernel;
  std::uint32_t engine = no_engine;  // copy engine (Placement::engines) that it occupies alone
  Duration latency;
  std::vector<Demand> demands;
};

enum class Step : std::uint8_t {
  call,  // block `index`, slots from bindings[first ...]
  loop,  // repeat up to the matching end_loop `index` times (>= 1)
  end_loop,
  phase,  // from here on the thread is in phase `index`
};

struct Instruction {
  Step step;
  std::uint32_t index = 0;
  std::uint32_t first = 0;  // call: first entry of `bindings`
};

// A thread whose first instruction enters no phase starts in phase 0. Memory counts for the phase
// that thread 0 is in, time as run_result.hpp says.
struct Thread {
  std::vector<Instruction> instructions;
};

struct Program {
  std::vector<Block> blocks;
  std::vector<std::uint32_t> bindings;  // program slots
  std::uint32_t slots = 0;              // program slots in all
  std::vector<Thread> threads;          // thread 0 starts first at equal times
  std::vector<Work> works;
  std::vector<std::string> labels;  // names of tensors and works, for people
  std::vector<std::string> phases;  // names by phase index
  std::uint32_t streams = 1;
  std::uint32_t events = 0;
  std::uint32_t semaphores = 0;
};

}  // namespace memsim::sim
