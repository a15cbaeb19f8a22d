#include "sim/memory/torch_free_set.hpp"

namespace memsim::sim {

void TorchFreeSet::append_to(std::vector<TorchBlockIndex>& indices) const {
  for (std::size_t at = next_occupied(0); at < class_count; at = next_occupied(at + 1)) {
    for (std::size_t place = classes_[at].size(); place > 0; --place) {
      indices.push_back(index_of(classes_[at][place - 1]));
    }
  }
}

std::int64_t TorchFreeSet::largest() const {
  for (std::size_t at = class_count; at > 0; --at) {
    if (classes_[at - 1].empty()) continue;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(classes_[at - 1].front() >> 80) *
                                     unit);
  }
  return 0;
}

std::size_t TorchFreeSet::size() const {
  std::size_t count = 0;
  for (const std::vector<Key>& entries : classes_) count += entries.size();
  return count;
}

void TorchFreeSet::check_invariants() const {
  for (std::size_t at = 0; at < class_count; ++at) {
    const bool marked = (occupied_[at / 64] >> (at % 64) & 1) != 0;
    MEMSIM_CHECK(marked == !classes_[at].empty(), "the bitmap of a free set is wrong");
    for (std::size_t place = 0; place < classes_[at].size(); ++place) {
      const Key entry = classes_[at][place];
      MEMSIM_CHECK(class_of(static_cast<std::uint64_t>(entry >> 80)) == at,
                   "a free block in the wrong class");
      MEMSIM_CHECK(place == 0 || classes_[at][place - 1] > entry, "a free set out of order");
    }
  }
}

}  // namespace memsim::sim
