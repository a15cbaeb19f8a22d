#include "sim/exec/periods.hpp"

#include <algorithm>
#include <limits>

#include "sim/core/check.hpp"

namespace memsim::sim {

Periods::Periods(Agenda& agenda, Works& works, Streams& streams, Threads& threads,
                 Timeline& timeline, const std::vector<JobMemory>& memory)
    : agenda_(agenda),
      works_(works),
      streams_(streams),
      threads_(threads),
      timeline_(timeline),
      memory_(memory) {}

void Periods::visit(std::uint32_t thread) {
  // Works that are about to end at this very instant would have to be looked at half-way.
  if (threads_.follows_a_loop(thread) || works_.due(agenda_.now())) return;
  Loop& loop = find(thread, threads_.loops(thread).back().start);
  ++loop.iterations;
  if (loop.replace_after > 0 && recurs(loop.anchor)) {
    const std::int64_t periods = room(loop.anchor);
    if (periods > 0) skip(loop.anchor, periods);
  }
  if (loop.iterations < loop.replace_after) return;
  set_anchor(loop.anchor);
  loop.iterations = 0;
  loop.replace_after = std::max<std::int64_t>(1, loop.replace_after * 2);
}

Periods::Loop& Periods::find(std::uint32_t thread, std::size_t start) {
  const auto known = std::find_if(loops_.begin(), loops_.end(), [&](const Loop& loop) {
    return loop.thread == thread && loop.start == start;
  });
  if (known != loops_.end()) return *known;
  return loops_.emplace_back(Loop{.thread = thread, .start = start, .anchor = {}});
}

bool Periods::recurs(const Anchor& anchor) {
  return positions_key() == anchor.positions && works_key() == anchor.works &&
         bytes_key() == anchor.bytes &&
         timeline_.recurs(anchor.timeline, agenda_.simulated() - anchor.time);
}

std::int64_t Periods::room(const Anchor& anchor) {
  std::int64_t periods = std::numeric_limits<std::int64_t>::max();
  for (std::uint32_t t = 0; t < threads_.count(); ++t) {
    const std::vector<OpenLoop>& now = threads_.loops(t);
    for (std::size_t level = 0; level < now.size(); ++level) {
      const OpenLoop& then = anchor.loops[t][level];
      const std::int64_t taken = std::int64_t{then.left} - std::int64_t{now[level].left};
      if (taken == 0) continue;
      // Left and entered again in between: it would recur only with the same iterations left.
      if (now[level].instance != then.instance) return 0;
      periods = std::min(periods, std::int64_t{now[level].left} / taken - 1);
    }
  }
  return periods;
}

void Periods::skip(const Anchor& anchor, std::int64_t periods) {
  for (std::uint32_t t = 0; t < threads_.count(); ++t) {
    std::vector<OpenLoop>& now = threads_.loops(t);
    for (std::size_t level = 0; level < now.size(); ++level) {
      const std::int64_t taken =
          std::int64_t{anchor.loops[t][level].left} - std::int64_t{now[level].left};
      now[level].left -= static_cast<std::uint32_t>(taken * periods);
    }
  }
  const Duration period = agenda_.simulated() - anchor.time;
  timeline_.repeat(anchor.timeline, period, periods);
  agenda_.skip(period * periods);
  skipped_ += periods;
}

void Periods::set_anchor(Anchor& anchor) {
  anchor.positions = positions_key();
  anchor.works = works_key();
  anchor.bytes = bytes_key();
  anchor.time = agenda_.simulated();
  anchor.timeline = timeline_.state();
  anchor.loops.resize(threads_.count());
  for (std::uint32_t t = 0; t < threads_.count(); ++t) anchor.loops[t] = threads_.loops(t);
}

template <class F>
Periods::Key Periods::key(F&& add) const {
  constexpr std::array<std::uint64_t, 2> offsets{Digest::fnv_offset, 0x9E3779B97F4A7C15};
  Key result{};
  for (std::size_t half = 0; half < result.size(); ++half) {
    Digest digest(offsets[half]);
    add(digest);
    result[half] = digest.value();
  }
  return result;
}

std::uint64_t Periods::positions_key() const {
  Digest digest;
  threads_.add_positions(digest);
  for (const JobMemory& memory : memory_) memory.add_usage(digest);
  return digest.value();
}

Periods::Key Periods::works_key() {
  (void)works_.next_event(agenda_.now());  // settles
  return key([this](Digest& digest) {
    agenda_.add_state(digest);
    threads_.add_state(digest);
    streams_.add_state(digest);
    works_.add_state(digest, agenda_.now());
  });
}

Periods::Key Periods::bytes_key() const {
  return key([this](Digest& digest) {
    for (const JobMemory& memory : memory_) memory.add_state(digest);
  });
}

}  // namespace memsim::sim
