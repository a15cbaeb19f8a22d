// Streams as a recording tells them: work has ended at once, or when the recording says so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

#include "sim/memory/allocator.hpp"

namespace memsim::scenarios {

class RecordedStreams final : public sim::StreamEvents {
 public:
  // Whether work ends only by complete().
  void set_manual(bool manual) { manual_ = manual; }
  // Everything recorded on the stream so far is done.
  void complete(sim::StreamId stream) { done_up_to(stream, recorded_); }

  std::uint64_t record(sim::StreamId /*stream*/) override { return ++recorded_; }
  [[nodiscard]] bool done(sim::StreamId stream, std::uint64_t event) override {
    return !manual_ || event <= completed(stream);
  }
  void wait(sim::StreamId stream, std::uint64_t event) override { done_up_to(stream, event); }
  void add_state(sim::Digest& digest, sim::StreamId stream, std::uint64_t event) const override {
    digest.add(std::uint64_t{!manual_ || event <= completed(stream)});
  }

 private:
  [[nodiscard]] std::uint64_t completed(sim::StreamId stream) const {
    const auto found = completed_.find(stream);
    return found == completed_.end() ? 0 : found->second;
  }
  void done_up_to(sim::StreamId stream, std::uint64_t event) {
    std::uint64_t& latest = completed_[stream];
    latest = std::max(latest, event);
  }

  bool manual_ = false;
  std::uint64_t recorded_ = 0;                        // events are numbered over all streams
  std::map<sim::StreamId, std::uint64_t> completed_;  // up to which event, by stream
};

}  // namespace memsim::scenarios
