#include "sim/exec/stream_clock.hpp"

#include <algorithm>

#include "sim/core/check.hpp"

namespace memsim::sim {

namespace {

std::size_t index(StreamId stream) { return static_cast<std::size_t>(stream); }

}  // namespace

std::uint64_t StreamClock::record(StreamId stream) {
  return index(stream) < all_.size() ? all_[index(stream)].tail : 0;
}

bool StreamClock::done(StreamId stream, std::uint64_t position) {
  if (index(stream) >= all_.size()) return true;
  const Stream& s = all_[index(stream)];
  return position <= std::max(s.head, s.waited);
}

void StreamClock::wait(StreamId stream, std::uint64_t position) {
  if (index(stream) >= all_.size()) return;
  Stream& s = all_[index(stream)];
  MEMSIM_CHECK(position <= s.tail, "an event that was never recorded");
  s.waited = std::max(s.waited, position);
  has_waits_ = true;
}

void StreamClock::add_state(Digest& digest, StreamId stream, std::uint64_t position) const {
  if (index(stream) >= all_.size()) return;
  const Stream& s = all_[index(stream)];
  const std::uint64_t reached = std::max(s.head, s.waited);
  if (position > reached) digest.add(position - s.head);
}

void StreamClock::reset(std::uint32_t streams) {
  all_.assign(streams, Stream{});
  has_waits_ = false;
}

}  // namespace memsim::sim
