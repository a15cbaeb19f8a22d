#include "sim/exec/streams.hpp"

#include <algorithm>

#include "sim/core/check.hpp"

namespace memsim::sim {

Streams::Streams(const std::vector<Job>& jobs, const Layout& layout, Agenda& agenda, Works& works,
                 Timeline& timeline)
    : layout_(layout),
      agenda_(agenda),
      works_(works),
      timeline_(timeline),
      rendezvous_(jobs, layout),
      jobs_(jobs.size()) {
  for (std::uint32_t queue = 0; queue < layout.queues().size(); ++queue) {
    const QueueOwner& owner = layout.queues()[queue];
    if (!owner.is_stream) continue;
    Stream& stream = states_.emplace_back();
    stream.job = owner.job;
    stream.local = owner.number - layout.job(owner.job).first_stream;
    stream.queue = queue;
  }
}

void Streams::put_work(std::uint32_t stream, std::uint32_t work, std::uint32_t phase) {
  put(stream, {Kind::work, 0, work, phase, 0});
}

void Streams::put_collective(std::uint32_t stream, std::uint32_t work, std::uint16_t communicator,
                             std::uint32_t phase) {
  put(stream, {Kind::collective, communicator, work, phase, 0});
}

void Streams::put_wait(std::uint32_t stream, std::uint32_t other, std::uint64_t position,
                       std::uint32_t phase) {
  put(stream, {Kind::wait, 0, other, phase, position});
}

void Streams::put(std::uint32_t stream, const Item& item) {
  Stream& state = states_[stream];
  StreamClock& positions = clock(stream);
  const std::uint64_t tail = positions.tail(state.local);
  if (tail - positions.head(state.local) == state.ring.size()) grow(state, positions);
  state.ring[tail & (state.ring.size() - 1)] = item;
  positions.put(state.local);
  if (state.state != State::empty) return;
  close(stream, agenda_.now());
  ++jobs_[state.job].busy;
  ready_.push_back(stream);
  advance();
}

void Streams::grow(Stream& stream, const StreamClock& clock) {
  constexpr std::size_t smallest = 16;
  std::vector<Item> larger(std::max(smallest, stream.ring.size() * 2));
  for (std::uint64_t at = clock.head(stream.local); at < clock.tail(stream.local); ++at)
    larger[at & (larger.size() - 1)] = item(stream, at);
  stream.ring.swap(larger);
}

void Streams::wake_at(std::uint32_t stream, std::uint64_t position, std::uint32_t thread) {
  add_waiter(stream, {position, thread, false});
}

void Streams::add_waiter(std::uint32_t stream, const Waiter& waiter) {
  MEMSIM_CHECK(!reached(stream, waiter.position), "a wait for a position already reached");
  Stream& state = states_[stream];
  state.waiters.push_back(waiter);
  state.next_position = std::min(state.next_position, waiter.position);
}

void Streams::advance() {
  std::size_t next = 0;
  while (next < ready_.size()) advance(ready_[next++]);  // may append
  ready_.clear();
}

void Streams::advance(std::uint32_t stream) {
  Stream& state = states_[stream];
  while (!clock(stream).idle(state.local)) {
    const Item& first = head(stream);
    if (first.kind == Kind::work) {
      state.state = State::running;
      works_.request(state.queue, first.target, agenda_.now());
      return;
    }
    if (first.kind == Kind::collective) {
      state.state = State::meeting;
      rendezvous_.arrive(state.queue, first.communicator, starting_);
      start_collectives();
      return;
    }
    if (!reached(first.target, first.position)) {
      state.state = State::held;
      add_waiter(first.target, {first.position, stream, true});
      return;
    }
    timeline_.close(state.queue, agenda_.now(), first.phase, Reason::event);
    remove_head(stream);
  }
}

void Streams::start_collectives() {
  for (const std::uint32_t queue : starting_) {
    const std::uint32_t stream = layout_.queues()[queue].number;
    states_[stream].state = State::running;
    works_.request(queue, head(stream).target, agenda_.now());
  }
  starting_.clear();
}

void Streams::work_ended(std::uint32_t stream) {
  const Item& first = head(stream);
  if (first.kind == Kind::work) {
    finish_work(stream);
    return;
  }
  over_.clear();
  rendezvous_.end(states_[stream].queue, first.communicator, over_, starting_);
  for (const std::uint32_t queue : over_) finish_work(layout_.queues()[queue].number);
  start_collectives();
}

void Streams::finish_work(std::uint32_t stream) {
  close(stream, agenda_.now());
  remove_head(stream);
  ready_.push_back(stream);
}

void Streams::remove_head(std::uint32_t stream) {
  Stream& state = states_[stream];
  StreamClock& positions = clock(stream);
  positions.end(state.local);
  wake_waiters(state, positions.head(state.local));
  if (!positions.idle(state.local)) return;
  state.state = State::empty;
  --jobs_[state.job].busy;
  end_job_if_done(state.job);
}

void Streams::wake_waiters(Stream& stream, std::uint64_t head) {
  if (head < stream.next_position) return;
  stream.next_position = no_position;
  std::size_t kept = 0;
  for (const Waiter& waiter : stream.waiters) {
    if (waiter.position > head) {
      stream.next_position = std::min(stream.next_position, waiter.position);
      stream.waiters[kept++] = waiter;
    } else if (waiter.is_stream) {
      ready_.push_back(waiter.number);
    } else {
      agenda_.wake(waiter.number);
    }
  }
  stream.waiters.resize(kept);
}

void Streams::enter_phase(std::uint32_t job, std::uint32_t phase) {
  const JobLayout& layout = layout_.job(job);
  for (std::uint32_t s = layout.first_stream; s < layout.first_stream + layout.streams; ++s) {
    if (states_[s].state == State::empty) close(s, agenda_.now());
  }
  jobs_[job].phase = phase;
}

void Streams::threads_finished(std::uint32_t job) {
  enter_phase(job, jobs_[job].phase);
  jobs_[job].threads_finished = true;
  end_job_if_done(job);
}

void Streams::end_job_if_done(std::uint32_t job) {
  if (jobs_[job].threads_finished && jobs_[job].busy == 0) jobs_[job].end = agenda_.simulated();
}

void Streams::close(std::uint32_t stream, Time until) {
  const Stream& state = states_[stream];
  const JobState& job = jobs_[state.job];
  if (state.state == State::empty) {
    const Reason reason = job.threads_finished ? Reason::finished : Reason::host;
    timeline_.close(state.queue, until, job.phase, reason);
    return;
  }
  const Item& first = head(stream);
  if (state.state == State::held) {
    timeline_.close(state.queue, until, first.phase, Reason::event);
    return;
  }
  if (state.state == State::meeting) {
    const Work& work = layout_.job(state.job).program->works[first.target];
    timeline_.close(state.queue, until, first.phase, Reason::rendezvous, work.label);
    return;
  }
  const Reason before = first.kind == Kind::work ? Reason::engine : Reason::rendezvous;
  timeline_.close_work(state.queue, until, first.phase, before, works_.of(state.queue));
}

std::string Streams::describe(std::uint32_t stream) const {
  const Stream& state = states_[stream];
  const JobLayout& job = layout_.job(state.job);
  if (state.state == State::held) {
    const std::uint32_t other = head(stream).target - job.first_stream;
    return "waits for an event of stream " + std::to_string(other);
  }
  if (state.state == State::empty) return "";
  const Item& first = head(stream);
  // A work speaks for itself, also when others wait for its end.
  if (first.kind == Kind::work) return "";
  const std::string communicator = std::to_string(job.placement->communicators[first.communicator]);
  std::string text = "waits at a collective of communicator " + communicator;
  std::string separator = " for job ";
  for (const std::uint32_t missing : rendezvous_.missing(state.job, first.communicator)) {
    text += separator + std::to_string(missing);
    separator = ", ";
  }
  return text;
}

void Streams::add_state(Digest& digest) const {
  rendezvous_.add_state(digest);
  for (const Stream& stream : states_) {
    const JobLayout& job = layout_.job(stream.job);
    const StreamClock& positions = *job.clock;
    const std::uint64_t first = positions.head(stream.local);
    const std::uint64_t end = positions.tail(stream.local);
    digest.add(end - first).add(static_cast<std::uint32_t>(stream.state));
    digest.add(positions.waited(stream.local) ? positions.waited_position(stream.local) - first
                                              : 0);
    for (std::uint64_t at = first; at < end; ++at) {
      const Item& i = item(stream, at);
      digest.add(static_cast<std::uint64_t>(i.kind) << 48 |
                 static_cast<std::uint64_t>(i.communicator) << 32 | i.target);
      digest.add(i.phase);
      if (i.kind != Kind::wait) continue;
      // A wait for what has already happened is the same wherever that lies.
      const std::uint64_t there = positions.head(i.target - job.first_stream);
      digest.add(i.position > there ? i.position - there : 0);
    }
    digest.add(stream.waiters.size());
    for (const Waiter& waiter : stream.waiters) {
      digest.add(waiter.position - first).add(waiter.number);
      digest.add(std::uint64_t{waiter.is_stream});
    }
    if (stream.state != State::running || works_.of(stream.queue).ended == Time::max()) continue;
    // Its part of a collective is over, the collective is not.
    const WorkRun& run = works_.of(stream.queue);
    digest.add(agenda_.now() - run.started).add(agenda_.now() - run.ended);
  }
  for (const JobState& job : jobs_) digest.add(job.phase).add(std::uint64_t{job.threads_finished});
}

}  // namespace memsim::sim
