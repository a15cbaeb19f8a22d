// Which streams use a block, and when these uses have ended.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/memory/allocator.hpp"

namespace memsim::sim {

// Streams, each once, in the order of their numbers.
class StreamSet {
 public:
  void insert(StreamId stream) {
    const auto place = std::ranges::lower_bound(streams_, stream);
    if (place == streams_.end() || *place != stream) streams_.insert(place, stream);
  }
  [[nodiscard]] bool empty() const { return streams_.empty(); }
  [[nodiscard]] const std::vector<StreamId>& streams() const { return streams_; }

 private:
  std::vector<StreamId> streams_;
};

// The end of what was put on a stream before a block was given back.
struct StreamUse {
  StreamId stream;
  std::uint64_t event;
};
using StreamUseList = std::vector<StreamUse>;

// The present ends of these streams.
inline StreamUseList record_uses(StreamEvents& events, const StreamSet& set) {
  StreamUseList uses;
  uses.reserve(set.streams().size());
  for (const StreamId stream : set.streams()) uses.push_back({stream, events.record(stream)});
  return uses;
}

inline bool have_ended(StreamEvents& events, const StreamUseList& uses) {
  return std::ranges::all_of(
      uses, [&](const StreamUse& use) { return events.done(use.stream, use.event); });
}

// The host waits for those that have not ended.
inline void wait_for(StreamEvents& events, const StreamUseList& uses) {
  for (const StreamUse& use : uses) {
    if (!events.done(use.stream, use.event)) events.wait(use.stream, use.event);
  }
}

inline void add_uses(Digest& digest, const StreamEvents& events, const StreamUseList& uses) {
  digest.add(std::uint64_t{uses.size()});
  for (const StreamUse& use : uses) {
    digest.add(static_cast<std::uint64_t>(use.stream));
    events.add_state(digest, use.stream, use.event);
  }
}

inline void add_streams(Digest& digest, const StreamSet& set) {
  digest.add(std::uint64_t{set.streams().size()});
  for (const StreamId stream : set.streams()) digest.add(static_cast<std::uint64_t>(stream));
}

}  // namespace memsim::sim
