// A set of streams in the order in which the real allocator walks them.
//
// PyTorch keeps its outstanding events, and the streams that use a block, in robin-hood hash
// tables. The order of their slots decides in which order pending frees complete, and with it the
// peaks of some statistics, so it is part of being exact. Rules of that table: slot = top bits of
// hash x 2^64 / golden ratio; 4 slots at first, twice as many when more than half would be taken or
// an entry would lie too far from its slot; erasing moves the entries behind it back by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/memory/allocator.hpp"

namespace memsim::sim {

class TorchStreamOrder {
 public:
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t size() const { return count_; }

  // No change if it is there.
  void insert(StreamId stream);
  // The table keeps its size.
  void clear();

  // Calls visit(stream) for each stream in order; those for which it returns true are erased.
  // `visit` must not change the set.
  template <class Visit>
  void visit_and_erase(Visit&& visit) {
    for (std::size_t at = 0; at < entries_.size();) {
      if (entries_[at].distance >= 0 && visit(entries_[at].stream)) {
        erase_at(at);  // what follows may have moved here: look again
      } else {
        ++at;
      }
    }
  }
  template <class Visit>
  void visit(Visit&& visit) const {
    for (const Entry& entry : entries_) {
      if (entry.distance >= 0) visit(entry.stream);
    }
  }

 private:
  // distance: from the slot that the hash asks for; -1 = empty.
  struct Entry {
    StreamId stream{};
    std::int32_t distance = -1;
  };

  // True if `entry` is in the table now; false if the table has to grow first to take `entry`.
  bool place(Entry& entry);
  [[nodiscard]] std::size_t slot_of(StreamId stream) const;
  [[nodiscard]] std::int32_t reach() const;
  void grow();
  void erase_at(std::size_t at);

  std::vector<Entry> entries_;  // slots and, behind them, room for entries pushed past the end
  std::uint32_t slots_log2_ = 0;
  std::size_t count_ = 0;
};

}  // namespace memsim::sim
