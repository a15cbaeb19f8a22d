// Stream events for tests: done at once, or when the test says so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/memory/allocator.hpp"

namespace memsim::sim {

class TestEvents final : public StreamEvents {
 public:
  bool manual = false;
  std::vector<StreamId> recorded;  // streams in the order in which events were recorded
  std::vector<StreamId> waited;    // ... and were waited for

  void complete(StreamId stream) { done_[stream] = recorded.size(); }

  std::uint64_t record(StreamId stream) override {
    recorded.push_back(stream);
    return recorded.size();
  }
  [[nodiscard]] bool done(StreamId stream, std::uint64_t event) override {
    return !manual || is_done(stream, event);
  }
  void wait(StreamId stream, std::uint64_t event) override {
    waited.push_back(stream);
    done_[stream] = std::max(done_[stream], event);
  }
  void add_state(Digest& digest, StreamId stream, std::uint64_t event) const override {
    digest.add(std::uint64_t{!manual || is_done(stream, event)});
  }

 private:
  [[nodiscard]] bool is_done(StreamId stream, std::uint64_t event) const {
    const auto found = done_.find(stream);
    return found != done_.end() && event <= found->second;
  }

  std::map<StreamId, std::uint64_t> done_;  // up to which event
};

}  // namespace memsim::sim
