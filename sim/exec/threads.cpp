#include "sim/exec/threads.hpp"

#include <algorithm>

#include "sim/core/check.hpp"

namespace memsim::sim {

Threads::Threads(const Layout& layout, Agenda& agenda, Works& works, Streams& streams,
                 Timeline& timeline, std::vector<JobMemory>& memory)
    : layout_(layout),
      agenda_(agenda),
      works_(works),
      streams_(streams),
      timeline_(timeline),
      memory_(memory),
      jobs_(layout.jobs().size()) {
  for (std::uint32_t queue = 0; queue < layout.queues().size(); ++queue) {
    const QueueOwner& owner = layout.queues()[queue];
    if (owner.is_stream) continue;
    const JobLayout& job = layout.job(owner.job);
    State& thread = states_.emplace_back();
    thread.job = owner.job;
    thread.local = owner.number - job.first_thread;
    thread.queue = queue;
    thread.code = &job.program->threads[thread.local].instructions;
    std::uint32_t locals = 0;
    for (const Block& block : job.program->blocks)
      locals = std::max(locals, block.slots - block.bound);
    thread.locals.resize(locals);
    thread.targets.resize(job.streams);
    ++jobs_[owner.job].unfinished;
    agenda_.wake(owner.number);
    if (thread.code->empty() || thread.code->front().step != Step::phase) {
      timeline_.enter_phase(owner.job, 0, false);
      if (thread.local == 0) memory_[owner.job].begin_phase(agenda_.simulated(), 0);
    }
  }
  for (std::uint32_t j = 0; j < jobs_.size(); ++j) {
    jobs_[j].events.resize(layout.job(j).program->events);
    jobs_[j].semaphores.resize(layout.job(j).program->semaphores);
  }
}

Threads::Stop Threads::wake(std::uint32_t number) {
  State& thread = states_[number];
  close(number, agenda_.now());
  thread.wait = Wait::none;
  if (thread.op != thread.op_end) {
    if (!go_on(thread)) return Stop::blocked;
    ++thread.op;
  }
  return run(thread);
}

Threads::Stop Threads::resume(std::uint32_t number) { return run(states_[number]); }

Threads::Stop Threads::run(State& thread) {
  Stop stop = Stop::blocked;
  do {
    while (thread.op != thread.op_end) {
      if (!agenda_.count() || !execute(thread, *thread.op)) return Stop::blocked;
      ++thread.op;
    }
  } while (fetch(thread, stop));
  return stop;
}

bool Threads::fetch(State& thread, Stop& stop) {
  const std::vector<Instruction>& code = *thread.code;
  const Program& program = *job(thread).program;
  for (;;) {
    if (thread.next == code.size()) {
      finish(thread);
      return false;
    }
    if (!agenda_.count()) return false;
    const Instruction& instruction = code[thread.next++];
    switch (instruction.step) {
      case Step::call: {
        const Block& block = program.blocks[instruction.index];
        thread.op = block.ops.data();
        thread.op_end = thread.op + block.ops.size();
        thread.bindings = program.bindings.data() + instruction.first;
        thread.bound = block.bound;
        return true;
      }
      case Step::loop:
        thread.loops.push_back({thread.next - 1, instruction.index - 1, thread.next_instance++});
        break;
      case Step::end_loop: {
        OpenLoop& loop = thread.loops.back();
        if (loop.left == 0) {
          thread.loops.pop_back();
          break;
        }
        --loop.left;
        thread.next = loop.start + 1;
        stop = Stop::boundary;
        return false;
      }
      case Step::phase:
        enter_phase(thread, instruction.index);
        break;
    }
  }
}

void Threads::enter_phase(State& thread, std::uint32_t phase) {
  thread.phase = phase;
  timeline_.enter_phase(thread.job, phase, thread.local == 0);
  if (thread.local != 0) return;
  streams_.enter_phase(thread.job, phase);
  memory_[thread.job].begin_phase(agenda_.simulated(), phase);
}

void Threads::finish(State& thread) {
  block(thread, Wait::finished, Then::done, Reason::finished, no_label);
  if (--jobs_[thread.job].unfinished == 0) streams_.threads_finished(thread.job);
}

void Threads::block(State& thread, Wait wait, Then then, Reason reason, std::uint32_t label) {
  thread.wait = wait;
  thread.then = then;
  thread.reason = reason;
  thread.label = label;
}

bool Threads::follows_a_loop(std::uint32_t number) const {
  return std::any_of(states_.begin(), states_.begin() + number,
                     [](const State& thread) { return !thread.loops.empty(); });
}

void Threads::close(std::uint32_t number, Time until) {
  const State& thread = states_[number];
  if (thread.wait == Wait::work) {
    timeline_.close_work(thread.queue, until, thread.phase, Reason::engine,
                         works_.of(thread.queue));
  } else {
    timeline_.close(thread.queue, until, thread.phase, thread.reason, thread.label);
  }
}

std::string Threads::describe(std::uint32_t number) const {
  const State& thread = states_[number];
  if (thread.wait == Wait::stream) return "waits for stream " + std::to_string(thread.stream);
  if (thread.wait == Wait::semaphore) {
    const std::uint32_t target = thread.op->target;
    return "waits for semaphore " + std::to_string(target) + ", which has " +
           std::to_string(jobs_[thread.job].semaphores[target].count) + " of the " +
           std::to_string(thread.op->amount) + " it needs";
  }
  return "";
}

void Threads::add_positions(Digest& digest) const {
  for (const State& thread : states_) {
    digest.add(thread.next).add(thread.op_end - thread.op);
    digest.add(static_cast<std::uint64_t>(thread.wait) << 32 | thread.loops.size());
  }
}

void Threads::add_wait(Digest& digest, const State& thread, const StreamClock& clock) const {
  digest.add(static_cast<std::uint64_t>(thread.then) << 40 |
             static_cast<std::uint64_t>(thread.reason) << 32 | thread.label);
  if (thread.wait == Wait::sleep) digest.add(thread.until - agenda_.now());
  if (thread.wait == Wait::stream) {
    const std::uint64_t head = clock.head(thread.stream);
    digest.add(thread.stream).add(thread.position - std::min(thread.position, head));
  }
  if (thread.then == Then::drain || thread.then == Then::drain_device) {
    digest.add(thread.drained);
    for (std::uint32_t s = thread.drained; s < thread.targets.size(); ++s)
      digest.add(thread.targets[s] - std::min(thread.targets[s], clock.head(s)));
  }
  if (thread.then == Then::drain || thread.then == Then::pay)
    digest.add(thread.customer).add(thread.cost).add(std::uint64_t{thread.failure.has_value()});
}

void Threads::add_state(Digest& digest) const {
  for (const State& thread : states_) {
    const StreamClock& clock = *job(thread).clock;
    for (const OpenLoop& loop : thread.loops) digest.add(loop.start);
    digest.add(thread.phase);
    if (thread.wait != Wait::none) add_wait(digest, thread, clock);
    if (thread.op != thread.op_end) memory_[thread.job].add_state(digest, thread.locals);
  }
  for (std::uint32_t j = 0; j < jobs_.size(); ++j) {
    const JobLayout& layout = layout_.job(j);
    for (const Event& event : jobs_[j].events) {
      const std::uint64_t head = layout.clock->head(event.stream);
      const bool done = event.position <= head;
      digest.add(done ? 0 : event.position - head).add(done ? 0 : event.stream);
    }
    for (const Semaphore& semaphore : jobs_[j].semaphores) {
      digest.add(semaphore.count).add(semaphore.waiters.size());
      for (const SemaphoreWaiter& waiter : semaphore.waiters) digest.add(waiter.thread);
    }
  }
}

}  // namespace memsim::sim
