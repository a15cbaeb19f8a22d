// What the operations of a program do to a thread. Each function returns whether the operation is
// over; if not, the thread waits (or the run is stopped) and `Then` says how it goes on.
#include <algorithm>
#include <utility>

#include "sim/exec/threads.hpp"

namespace memsim::sim {

namespace {

bool is_idle(const DriverWork& work) {
  return (work.mallocs | work.failed_mallocs | work.frees | work.maps | work.unmaps) == 0 &&
         !work.synchronized;
}

}  // namespace

bool Threads::execute(State& thread, const Op& op) {
  const JobLayout& layout = job(thread);
  switch (op.code) {
    case OpCode::allocate:
      return allocate(thread, op);
    case OpCode::release:
    case OpCode::relabel:
    case OpCode::use_on_stream:
      return use_slot(thread, op);
    case OpCode::launch:
    case OpCode::collective:
      return launch(thread, op);
    case OpCode::host_work:
      works_.request(thread.queue, op.target, agenda_.now());
      block(thread, Wait::work, Then::done, Reason::work, no_label);
      return false;
    case OpCode::record_event:
      jobs_[thread.job].events[op.target] = {op.stream, layout.clock->tail(op.stream)};
      return true;
    case OpCode::wait_event:
      return wait_event(thread, op);
    case OpCode::synchronize_event:
      return synchronize_event(thread, op);
    case OpCode::synchronize_stream:
      return reach(thread, op.stream, layout.clock->tail(op.stream), Then::trim, no_label) &&
             trim(thread);
    case OpCode::synchronize_device:
      return synchronize_device(thread);
    case OpCode::post:
      return post(thread, op);
    case OpCode::await:
      return await(thread, op);
    case OpCode::empty_cache:
      break;
  }
  return empty_cache(thread, op);
}

bool Threads::go_on(State& thread) {
  switch (thread.then) {
    case Then::done:
      return true;
    case Then::launch:
      return launch(thread, *thread.op);
    case Then::enqueue:
      return enqueue(thread, *thread.op);
    case Then::drain:
      return drain(thread);
    case Then::drain_device:
      return drain_device(thread);
    case Then::trim:
      return trim(thread);
    case Then::pay:
      break;
  }
  return settle_up(thread);
}

bool Threads::allocate(State& thread, const Op& op) {
  Slot& target = slot(thread, op.target);
  if (target.live) return fault(thread, op, "allocates a slot that is live");
  DriverWork work;
  auto failure = memory_[thread.job].allocate(target, op, agenda_.simulated(), work);
  if (!failure && is_idle(work) && !job(thread).clock->take_waits()) [[likely]]
    return true;
  thread.failure = std::move(failure);
  return charge(thread, work, op.label);
}

bool Threads::use_slot(State& thread, const Op& op) {
  Slot& target = slot(thread, op.target);
  if (!target.live) return fault(thread, op, "uses a slot that is not live");
  JobMemory& memory = memory_[thread.job];
  if (op.code == OpCode::relabel) {
    memory.relabel(target, op.category, agenda_.simulated());
    return true;
  }
  if (op.code == OpCode::use_on_stream) {
    memory.use_on_stream(target, op.stream);
    return true;
  }
  DriverWork work;
  memory.release(target, agenda_.simulated(), work);
  if (is_idle(work) && !job(thread).clock->take_waits()) [[likely]]
    return true;
  return charge(thread, work, target.label);
}

bool Threads::empty_cache(State& thread, const Op& op) {
  DriverWork work;
  memory_[thread.job].empty_cache(op.unit, agenda_.simulated(), work);
  return charge(thread, work, no_label);
}

bool Threads::launch(State& thread, const Op& op) {
  const JobLayout& layout = job(thread);
  const DriverCosts& driver = layout.placement->driver;
  const Work& work = layout.program->works[op.target];
  const std::uint64_t tail = layout.clock->tail(op.stream);
  const std::uint64_t depth = driver.queue_depth;
  if (tail >= depth && !reach(thread, op.stream, tail - depth + 1, Then::launch, work.label))
    return false;
  const Duration one =
      work.kind == WorkKind::copy ? driver.copy.value_or(driver.launch) : driver.launch;
  const Duration cost = one * std::max<std::int64_t>(1, op.amount);
  return spend(thread, cost, Reason::launch, work.label, Then::enqueue) && enqueue(thread, op);
}

bool Threads::enqueue(State& thread, const Op& op) {
  const std::uint32_t stream = job(thread).first_stream + op.stream;
  if (op.code == OpCode::collective) {
    streams_.put_collective(stream, op.target, op.unit, thread.phase);
  } else {
    streams_.put_work(stream, op.target, thread.phase);
  }
  return true;
}

bool Threads::wait_event(State& thread, const Op& op) {
  const JobLayout& layout = job(thread);
  const Event& event = jobs_[thread.job].events[op.target];
  if (event.stream == op.stream || layout.clock->head(event.stream) >= event.position) return true;
  streams_.put_wait(layout.first_stream + op.stream, layout.first_stream + event.stream,
                    event.position, thread.phase);
  return true;
}

bool Threads::synchronize_event(State& thread, const Op& op) {
  const Event& event = jobs_[thread.job].events[op.target];
  return reach(thread, event.stream, event.position, Then::trim, no_label) && trim(thread);
}

bool Threads::synchronize_device(State& thread) {
  for (std::uint32_t s = 0; s < job(thread).streams; ++s)
    thread.targets[s] = job(thread).clock->tail(s);
  thread.drained = 0;
  thread.customer = no_label;
  return drain_device(thread);
}

bool Threads::drain_device(State& thread) {
  return reach_targets(thread, Then::drain_device) && trim(thread);
}

// Pools of the driver may give memory back when the host has waited.
bool Threads::trim(State& thread) {
  DriverWork work;
  memory_[thread.job].synchronized(agenda_.simulated(), work);
  return is_idle(work) || charge(thread, work, no_label);
}

bool Threads::reach(State& thread, std::uint32_t stream, std::uint64_t position, Then then,
                    std::uint32_t label) {
  const JobLayout& layout = job(thread);
  if (layout.clock->head(stream) >= position) return true;
  thread.stream = stream;
  thread.position = position;
  block(thread, Wait::stream, then, Reason::device, label);
  streams_.wake_at(layout.first_stream + stream, position, number(thread));
  return false;
}

bool Threads::post(State& thread, const Op& op) {
  Semaphore& semaphore = jobs_[thread.job].semaphores[op.target];
  semaphore.count = checked_add(semaphore.count, op.amount);
  std::size_t served = 0;
  for (; served < semaphore.waiters.size(); ++served) {
    const SemaphoreWaiter& waiter = semaphore.waiters[served];
    if (waiter.amount > semaphore.count) break;
    semaphore.count -= waiter.amount;
    agenda_.wake(waiter.thread);
  }
  const auto first = semaphore.waiters.begin();
  semaphore.waiters.erase(first, first + static_cast<std::ptrdiff_t>(served));
  return true;
}

bool Threads::await(State& thread, const Op& op) {
  Semaphore& semaphore = jobs_[thread.job].semaphores[op.target];
  if (semaphore.waiters.empty() && semaphore.count >= op.amount) {
    semaphore.count -= op.amount;
    return true;
  }
  semaphore.waiters.push_back({number(thread), op.amount});
  block(thread, Wait::semaphore, Then::done, Reason::semaphore, no_label);
  return false;
}

bool Threads::charge(State& thread, const DriverWork& work, std::uint32_t label) {
  const JobLayout& layout = job(thread);
  thread.cost = layout.placement->driver.of(work);
  thread.customer = label;
  for (std::uint32_t s = 0; s < layout.streams; ++s) {
    thread.targets[s] =
        work.synchronized ? layout.clock->tail(s) : layout.clock->waited_position(s);
  }
  thread.drained = 0;
  return drain(thread);
}

bool Threads::reach_targets(State& thread, Then then) {
  for (; thread.drained < thread.targets.size(); ++thread.drained) {
    const std::uint64_t target = thread.targets[thread.drained];
    if (!reach(thread, thread.drained, target, then, thread.customer)) return false;
  }
  return true;
}

bool Threads::drain(State& thread) {
  if (!reach_targets(thread, Then::drain)) return false;
  return spend(thread, thread.cost, Reason::driver, thread.customer, Then::pay) &&
         settle_up(thread);
}

bool Threads::settle_up(State& thread) {
  if (!thread.failure) return true;
  agenda_.stop(MemoryOutcome{.job = thread.job,
                             .thread = thread.local,
                             .memory = thread.op->unit,
                             .phase = thread.phase,
                             .label = thread.op->label,
                             .time = agenda_.simulated(),
                             .cause = std::move(*thread.failure)});
  return false;
}

bool Threads::spend(State& thread, Duration time, Reason reason, std::uint32_t label, Then then) {
  if (time == Duration(0)) return true;
  const Time until = agenda_.now() + time;
  // Nothing else happens before: the thread need not wait for its turn.
  if (agenda_.next_wake() > until && works_.next_event(agenda_.now()) > until) {
    agenda_.advance(until);
    timeline_.close(thread.queue, until, thread.phase, reason, label);
    return true;
  }
  thread.until = until;
  block(thread, Wait::sleep, then, reason, label);
  agenda_.wake_at(until, number(thread));
  return false;
}

bool Threads::fault(const State& thread, const Op& op, const char* what) {
  const Program& program = *job(thread).program;
  std::string message = "job " + std::to_string(thread.job) + ", thread " +
                        std::to_string(thread.local) + ", instruction " +
                        std::to_string(thread.next - 1) + ": " + what;
  if (op.label < program.labels.size()) message += " (" + program.labels[op.label] + ")";
  agenda_.stop(Error{std::move(message)});
  return false;
}

}  // namespace memsim::sim
