// A 4-ary heap of (key, id) whose keys can be changed and taken out by id.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace memsim::sim {

// Ids are small numbers; where an id lies is kept in a vector of the owner, indexed by id. Heaps
// whose ids are disjoint at any time may share one such vector. Which of several equal keys is on
// top depends on history: owners treat equal keys alike.
// Requires: the vector outlives the heap and is longer than every id used; absent ids hold
// `absent`.
template <class Key>
class IndexedHeap {
 public:
  static constexpr std::uint32_t absent = 0xFFFFFFFF;

  explicit IndexedHeap(std::vector<std::uint32_t>& places) : places_(&places) {}

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] const Key& top_key() const { return entries_.front().key; }
  [[nodiscard]] std::uint32_t top() const { return entries_.front().id; }

  // Inserts `id`, or changes its key.
  void set(std::uint32_t id, const Key& key) {
    std::size_t at = (*places_)[id];
    if (at == absent) {
      at = entries_.size();
      entries_.push_back({key, id});
    }
    settle(at, {key, id});
  }

  // Takes out `id` if it is there.
  void erase(std::uint32_t id) {
    const std::size_t at = (*places_)[id];
    if (at == absent) return;
    (*places_)[id] = absent;
    const Entry last = entries_.back();
    entries_.pop_back();
    if (at < entries_.size()) settle(at, last);
  }

 private:
  static constexpr std::size_t arity = 4;
  struct Entry {
    Key key;
    std::uint32_t id;
  };

  void put(std::size_t at, const Entry& entry) {
    entries_[at] = entry;
    (*places_)[entry.id] = static_cast<std::uint32_t>(at);
  }

  // Places `entry` at the hole `at`, or above or below it where it belongs.
  void settle(std::size_t at, const Entry& entry) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / arity;
      if (!(entry.key < entries_[parent].key)) break;
      put(at, entries_[parent]);
      at = parent;
    }
    const std::size_t size = entries_.size();
    for (std::size_t child = at * arity + 1; child < size; child = at * arity + 1) {
      std::size_t least = child;
      const std::size_t end = std::min(child + arity, size);
      for (std::size_t i = child + 1; i < end; ++i)
        if (entries_[i].key < entries_[least].key) least = i;
      if (!(entries_[least].key < entry.key)) break;
      put(at, entries_[least]);
      at = least;
    }
    put(at, entry);
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t>* places_;
};

}  // namespace memsim::sim
