#include "sim/memory/torch_free_set.hpp"

#include <algorithm>
#include <iterator>

namespace memsim::sim {

void TorchFreeSet::insert_in_crowd(std::size_t at, Key entry) {
  std::vector<Key>& entries = classes_[at];
  // The smallest that lie in the tree; those of other classes are no concern.
  const auto above = entries.empty() ? overflow_.end() : overflow_.upper_bound(entries.front());
  const bool crowded = above != overflow_.end() && class_of_key(*above) == at;
  const bool largest = !entries.empty() && entry > entries.front();
  if (largest && (crowded || entries.size() == array_limit)) {
    overflow_.insert(entry);
    return;
  }
  if (entries.size() == array_limit) {
    overflow_.insert(entries.front());
    entries.erase(entries.begin());
  }
  insert_in_array(at, entry);
}

// Brings the smallest entries of the class from the tree into its empty array.
void TorchFreeSet::refill(std::size_t at) {
  std::vector<Key>& entries = classes_[at];
  auto place = overflow_.lower_bound(from(smallest_units(at)));
  while (place != overflow_.end() && class_of_key(*place) == at &&
         entries.size() < array_limit / 2) {
    entries.push_back(*place);
    place = overflow_.erase(place);
  }
  std::reverse(entries.begin(), entries.end());
}

TorchBlockIndex TorchFreeSet::take_overflowed(std::set<Key>::const_iterator place) {
  const TorchBlockIndex index = index_of(*place);
  overflow_.erase(place);
  return index;
}

void TorchFreeSet::append_to(std::vector<TorchBlockIndex>& indices) const {
  auto above = overflow_.begin();
  for (std::size_t at = next_occupied(0); at < class_count; at = next_occupied(at + 1)) {
    for (std::size_t place = classes_[at].size(); place > 0; --place) {
      indices.push_back(index_of(classes_[at][place - 1]));
    }
    for (; above != overflow_.end() && class_of_key(*above) == at; ++above) {
      indices.push_back(index_of(*above));
    }
  }
}

std::optional<TorchFreeSet::Key> TorchFreeSet::first_from(Key lowest) const {
  const std::size_t at = class_of_key(lowest);
  const std::vector<Key>& entries = classes_[at];
  for (std::size_t place = entries.size(); place > 0; --place)
    if (entries[place - 1] >= lowest) return entries[place - 1];
  if (!overflow_.empty()) {
    const auto fit = overflow_.lower_bound(lowest);
    if (fit != overflow_.end() && class_of_key(*fit) == at) return *fit;
  }
  const std::size_t next = next_occupied(at + 1);
  if (next == class_count) return std::nullopt;
  return classes_[next].back();
}

std::optional<TorchFreeSet::Key> TorchFreeSet::last_in_class(std::size_t at, Key limit) const {
  const auto above = overflow_.lower_bound(limit);
  if (above != overflow_.begin() && class_of_key(*std::prev(above)) == at) return *std::prev(above);
  for (const Key entry : classes_[at])
    if (entry < limit) return entry;
  return std::nullopt;
}

std::optional<TorchFreeSet::Key> TorchFreeSet::before(Key key) const {
  for (std::size_t at = class_of_key(key) + 1; at > 0; --at)
    if (const auto last = last_in_class(at - 1, key)) return last;
  return std::nullopt;
}

std::optional<TorchFreeSet::Key> TorchFreeSet::last_below(std::int64_t size) const {
  return before(from(units(size)));
}

std::int64_t TorchFreeSet::largest() const {
  Key entry = overflow_.empty() ? 0 : *overflow_.rbegin();
  for (std::size_t at = class_count; at > 0; --at) {
    if (classes_[at - 1].empty()) continue;
    entry = std::max(entry, classes_[at - 1].front());
    break;
  }
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(entry >> 80) * unit);
}

std::size_t TorchFreeSet::size() const {
  std::size_t count = overflow_.size();
  for (const std::vector<Key>& entries : classes_) count += entries.size();
  return count;
}

void TorchFreeSet::check_invariants() const {
  for (std::size_t at = 0; at < class_count; ++at) {
    const std::vector<Key>& entries = classes_[at];
    const bool marked = (occupied_[at / 64] >> (at % 64) & 1) != 0;
    MEMSIM_CHECK(marked == !entries.empty(), "the bitmap of a free set is wrong");
    MEMSIM_CHECK(entries.size() <= array_limit, "a free set's array is too long");
    for (std::size_t place = 0; place < entries.size(); ++place) {
      MEMSIM_CHECK(class_of_key(entries[place]) == at, "a free block in the wrong class");
      MEMSIM_CHECK(place == 0 || entries[place - 1] > entries[place], "a free set out of order");
    }
  }
  for (const Key entry : overflow_) {
    const std::vector<Key>& entries = classes_[class_of_key(entry)];
    MEMSIM_CHECK(!entries.empty() && entries.front() < entry,
                 "an entry in the tree that belongs into the array");
  }
}

}  // namespace memsim::sim
