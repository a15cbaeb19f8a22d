// Sets in the order in which the real allocator walks them.
//
// PyTorch keeps its outstanding events, the streams that use a block, and the private pools that
// can be freed in robin-hood hash tables. The order of their slots decides in which order pending
// frees complete and pools are emptied, and with it the peaks of some statistics, so it is part of
// being exact. Rules of that table: slot = top bits of hash x 2^64 / golden ratio; 4 slots at
// first, twice as many when more than half would be taken or an entry would lie too far from its
// slot; erasing moves the entries behind it back by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/memory/allocator.hpp"

namespace memsim::sim {

// `hash` is the real table's hash of a key.
template <class Key, std::uint64_t (*hash)(const Key&)>
class TorchHashOrder {
 public:
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t size() const { return count_; }

  // No change if it is there.
  void insert(const Key& key) {
    if (entries_.empty()) grow();
    Entry entry{key, 0};
    while (!place(entry)) grow();
  }
  // The table keeps its size.
  void clear() {
    std::fill(entries_.begin(), entries_.end(), Entry{});
    count_ = 0;
  }

  // Calls visit(key) for each key in order; those for which it returns true are erased. `visit`
  // must not change the set.
  template <class Visit>
  void visit_and_erase(Visit&& visit) {
    for (std::size_t at = 0; at < entries_.size();) {
      if (entries_[at].distance >= 0 && visit(entries_[at].key)) {
        erase_at(at);  // what follows may have moved here: look again
      } else {
        ++at;
      }
    }
  }
  template <class Visit>
  void visit(Visit&& visit) const {
    for (const Entry& entry : entries_) {
      if (entry.distance >= 0) visit(entry.key);
    }
  }
  [[nodiscard]] bool contains(const Key& key) const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return entry.distance >= 0 && entry.key == key; });
  }

 private:
  static constexpr std::uint64_t golden = 11400714819323198485ULL;  // 2^64 / golden ratio
  static constexpr std::uint32_t first_slots_log2 = 2;
  static constexpr std::uint32_t least_reach = 4;

  // distance: from the slot that the hash asks for; -1 = empty.
  struct Entry {
    Key key{};
    std::int32_t distance = -1;
  };

  [[nodiscard]] std::size_t slot_of(const Key& key) const {
    return static_cast<std::size_t>((golden * hash(key)) >> (64 - slots_log2_));
  }
  // How far from its slot an entry may lie, exclusive.
  [[nodiscard]] std::int32_t reach() const {
    return static_cast<std::int32_t>(std::max(least_reach, slots_log2_));
  }

  // True if `entry` is in the table now; false if the table has to grow first to take `entry`.
  bool place(Entry& entry) {
    entry.distance = 0;
    std::size_t at = slot_of(entry.key);
    for (; entries_[at].distance >= entry.distance; ++at, ++entry.distance) {
      if (entries_[at].key == entry.key) return true;
    }
    const bool full = 2 * (count_ + 1) > (std::size_t{1} << slots_log2_);
    if (full || entry.distance == reach()) return false;
    // Whoever lies nearer to its slot makes room and looks for a place further on.
    const std::size_t first = at;
    while (entries_[at].distance >= 0) {
      if (entries_[at].distance < entry.distance) std::swap(entry, entries_[at]);
      ++at;
      if (++entry.distance == reach()) {
        std::swap(entry.key, entries_[first].key);
        return false;
      }
    }
    entries_[at] = entry;
    ++count_;
    return true;
  }

  void grow() {
    slots_log2_ = entries_.empty() ? first_slots_log2 : slots_log2_ + 1;
    std::vector<Entry> old((std::size_t{1} << slots_log2_) + static_cast<std::size_t>(reach()));
    std::swap(old, entries_);
    count_ = 0;
    for (const Entry& entry : old) {
      if (entry.distance >= 0) insert(entry.key);
    }
  }

  void erase_at(std::size_t at) {
    for (; entries_[at + 1].distance > 0; ++at) {
      entries_[at] = {entries_[at + 1].key, entries_[at + 1].distance - 1};
    }
    entries_[at] = Entry{};
    --count_;
  }

  std::vector<Entry> entries_;  // slots and, behind them, room for entries pushed past the end
  std::uint32_t slots_log2_ = 0;
  std::size_t count_ = 0;
};

// The hash of a CUDA stream of device 0: the kind of device (1) in the top byte, the handle below.
// Handles are taken to be 16 apart, the default stream's is 0.
inline std::uint64_t torch_stream_hash(const StreamId& stream) {
  return (std::uint64_t{1} << 56) | (std::uint64_t{16} * static_cast<std::uint64_t>(stream));
}
using TorchStreamOrder = TorchHashOrder<StreamId, torch_stream_hash>;

}  // namespace memsim::sim
