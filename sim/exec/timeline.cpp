#include "sim/exec/timeline.hpp"

#include <algorithm>

namespace memsim::sim {

Timeline::Timeline(const Layout& layout, bool record_spans)
    : layout_(layout), marks_(layout.queues().size()), record_spans_(record_spans) {
  std::size_t at = 0;
  for (const JobLayout& job : layout.jobs()) {
    const std::size_t length = reason_count + job.placement->routes.size();
    for (std::uint32_t queue = 0; queue < job.queues(); ++queue) {
      rows_.push_back({at, length});
      at += length * job.phases;
    }
    tables_.push_back({.counts = at, .entered = {}, .was_entered = std::vector<bool>(job.phases)});
    at += job.phases;
  }
  sums_.resize(at);
}

void Timeline::close(std::uint32_t queue, Time until, std::uint32_t phase, Reason reason,
                     std::uint32_t label, std::uint32_t route) {
  const Time mark = marks_[queue];
  const Time end = until + skipped_;
  if (end <= mark) return;
  const std::int64_t length = (end - mark).value();
  const std::size_t at = rows_[queue].first + phase * rows_[queue].length;
  sums_[at + static_cast<std::size_t>(reason)] += length;
  if (route != no_route) sums_[at + reason_count + route] += length;
  marks_[queue] = end;
  if (!record_spans_) return;
  const std::uint32_t job = layout_.queues()[queue].job;
  const std::uint32_t local_queue = queue - layout_.job(job).first_queue();
  spans_.push_back({job, local_queue, phase, reason, route, label, mark, end});
}

void Timeline::close_work(std::uint32_t queue, Time until, std::uint32_t phase, Reason before,
                          const WorkRun& run) {
  const std::uint32_t label = run.work->label;
  close(queue, std::min(until, run.started), phase, before, label);
  if (run.started >= until) return;
  close(queue, std::min(until, run.started + run.latency), phase, Reason::latency, label);
  close(queue, std::min(until, run.ended), phase, Reason::work, label, run.route);
  close(queue, until, phase, Reason::rendezvous, label);
}

void Timeline::enter_phase(std::uint32_t job, std::uint32_t phase, bool counts) {
  Table& table = tables_[job];
  if (counts) ++sums_[table.counts + phase];
  if (table.was_entered[phase]) return;
  table.was_entered[phase] = true;
  table.entered.push_back(phase);
}

bool Timeline::recurs(const State& before, Duration period) const {
  for (std::size_t queue = 0; queue < marks_.size(); ++queue) {
    const Duration moved = marks_[queue] - before.marks[queue];
    if (moved != period && moved != Duration(0)) return false;
  }
  return true;
}

void Timeline::repeat(const State& before, Duration period, std::int64_t times) {
  for (std::size_t i = 0; i < sums_.size(); ++i)
    sums_[i] = checked_add(sums_[i], checked_mul(sums_[i] - before.sums[i], times));
  for (std::size_t queue = 0; queue < marks_.size(); ++queue) {
    if (marks_[queue] != before.marks[queue]) marks_[queue] += period * times;
  }
  skipped_ += period * times;
}

QueueTime Timeline::time(std::uint32_t queue, std::uint32_t phase) const {
  const Rows& rows = rows_[queue];
  const std::size_t at = rows.first + phase * rows.length;
  QueueTime result;
  for (std::size_t r = 0; r < reason_count; ++r) result.by_reason[r] = Duration(sums_[at + r]);
  for (std::size_t i = reason_count; i < rows.length; ++i)
    result.by_route.emplace_back(sums_[at + i]);
  return result;
}

}  // namespace memsim::sim
