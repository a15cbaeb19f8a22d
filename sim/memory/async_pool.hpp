// The memory of a stream-ordered pool of the CUDA driver: its segments, and which free ranges which
// stream may use.
//
// A range that is given back on a stream may be used again on that stream at once, in stream order.
// It is *ready*, for every stream, when the pool sees that its last use has ended. A range whose
// uses lie on several streams is for nobody until all of them have ended. Ready ranges merge; a
// range given back also takes in ready neighbours and those of its own stream, all of which wait
// for its use from then on.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "sim/memory/allocator.hpp"
#include "sim/memory/driver.hpp"
#include "sim/memory/segment_blocks.hpp"
#include "sim/memory/stream_uses.hpp"

namespace memsim::sim {

class AsyncPool {
 public:
  // Both outlive the pool.
  AsyncPool(Driver& driver, StreamEvents& events) : driver_(driver), events_(events) {}
  ~AsyncPool();
  AsyncPool(const AsyncPool&) = delete;
  AsyncPool& operator=(const AsyncPool&) = delete;

  // The best fit among what `stream` may use now; no_block if there is none. The rest of the range
  // stays what it was.
  [[nodiscard]] BlockIndex take(std::int64_t size, StreamId stream);
  // A segment of at least `size` bytes from the driver; false, and no change, if it has not that
  // much.
  [[nodiscard]] bool grow(std::int64_t size, DriverWork& work);
  // Requires: the block was taken. `use` is the only one, or `uses` are all of them.
  void give_back(BlockIndex block, StreamUse use);
  void give_back(BlockIndex block, StreamUseList uses);

  // What has ended becomes ready.
  void observe();
  // Waits for the use of the smallest range of another stream that is large enough; false if there
  // is none.
  bool wait_for_fit(std::int64_t size, StreamId stream);
  void wait_for_all();
  // Segments that are wholly ready go back, the highest first, until at most `keep` bytes are held.
  void trim(std::int64_t keep, DriverWork& work);

  [[nodiscard]] std::uint64_t address(BlockIndex block) const { return blocks_[block].address; }
  [[nodiscard]] std::int64_t held() const { return held_; }
  [[nodiscard]] std::int64_t largest_free() const;

  void add_state(Digest& digest) const;
  // Also that the blocks taken are as many bytes as `used`.
  void check_invariants(std::int64_t used) const;

 private:
  enum class Use : std::uint8_t {
    taken,
    ready,
    ordered,  // free for one stream
    guarded,  // free when all uses have ended
  };
  struct State {
    Use use = Use::ready;
    StreamId stream{};  // ordered: whose, until which event
    std::uint64_t event = 0;
  };
  using Blocks = SegmentBlocks<State>;
  struct Ordered {
    std::set<Fit> fits;
    std::set<std::pair<std::uint64_t, BlockIndex>> by_event;
  };
  struct Guarded {
    BlockIndex block;
    StreamUseList uses;
  };

  [[nodiscard]] Fit fit(BlockIndex block) const {
    return {blocks_[block].size, blocks_[block].address, block};
  }
  [[nodiscard]] bool is_ready(BlockIndex block) const {
    return block != no_block && blocks_[block].state.use == Use::ready;
  }
  [[nodiscard]] bool may_join(BlockIndex block, StreamId stream) const;
  void insert(BlockIndex block);
  void erase(BlockIndex block);
  void make_ready(BlockIndex block);
  void check_sets() const;

  Driver& driver_;
  StreamEvents& events_;
  Blocks blocks_;
  std::set<Fit> ready_;
  std::map<StreamId, Ordered> ordered_;
  std::deque<Guarded> guarded_;  // looked at in the order in which they came
  std::int64_t held_ = 0;
};

}  // namespace memsim::sim
