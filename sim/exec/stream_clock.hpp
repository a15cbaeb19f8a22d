// How far the streams of one job have come, as allocators need to know it.
//
// A stream is a queue; its *position* n is the place behind its n-th operation (works and waits for
// events, in the order in which the host put them there). An event is a position; it is done when
// that many operations have ended. The caller makes one clock per job, hands it to the job's
// allocators as their StreamEvents and names it in the Placement; run() moves it. Outside of a run
// the streams are idle and every event is done.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/core/digest.hpp"
#include "sim/memory/allocator.hpp"

namespace memsim::sim {

class StreamClock final : public StreamEvents {
 public:
  // The present end of the stream; what is put there later does not belong to it.
  std::uint64_t record(StreamId stream) override;
  [[nodiscard]] bool done(StreamId stream, std::uint64_t position) override;
  // The host is going to wait for `position`: counted as done at once, and charged to the thread
  // that is inside the allocator when its call returns.
  void wait(StreamId stream, std::uint64_t position) override;
  void add_state(Digest& digest, StreamId stream, std::uint64_t position) const override;

  // The rest is for the executor.

  // All streams idle at position 0.
  void reset(std::uint32_t streams);
  [[nodiscard]] std::uint32_t streams() const { return static_cast<std::uint32_t>(all_.size()); }
  [[nodiscard]] std::uint64_t head(std::uint32_t stream) const { return all_[stream].head; }
  [[nodiscard]] std::uint64_t tail(std::uint32_t stream) const { return all_[stream].tail; }
  [[nodiscard]] bool idle(std::uint32_t stream) const {
    return all_[stream].head == all_[stream].tail;
  }
  // An operation was put at the end; one has ended. Requires (end): !idle(stream).
  void put(std::uint32_t stream) { ++all_[stream].tail; }
  void end(std::uint32_t stream) { ++all_[stream].head; }

  // Whether an allocator has waited for anything since the last call of this.
  [[nodiscard]] bool take_waits() { return std::exchange(has_waits_, false); }
  // Whether the furthest position that an allocator waited for is not reached yet.
  [[nodiscard]] bool waited(std::uint32_t stream) const {
    return all_[stream].waited > all_[stream].head;
  }
  [[nodiscard]] std::uint64_t waited_position(std::uint32_t stream) const {
    return all_[stream].waited;
  }

 private:
  struct Stream {
    std::uint64_t head = 0;    // operations ended
    std::uint64_t tail = 0;    // operations put
    std::uint64_t waited = 0;  // the furthest position that an allocator waited for
  };

  std::vector<Stream> all_;
  bool has_waits_ = false;
};

}  // namespace memsim::sim
