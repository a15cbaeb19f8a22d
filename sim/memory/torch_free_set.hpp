// The free blocks of one stream and pool, in the order (size, address).
//
// Sizes fall into 256 classes, eight per power of two, each with its small sorted array; a bitmap
// says which are occupied. The best fit is in the class of the request or, if nothing there is
// large enough, the first entry of the next occupied class. Arrays descend, so that the smallest
// entry leaves from the end. A class that outgrows its array keeps its larger entries in a tree:
// one for all classes, as the order of entries is the order of classes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "sim/core/check.hpp"
#include "sim/core/int128.hpp"
#include "sim/memory/torch_blocks.hpp"
#include "sim/memory/torch_rules.hpp"

namespace memsim::sim {

class TorchFreeSet {
 public:
  // Size and address in units of 512 bytes (48 bits each: sizes and addresses up to 2^57), then the
  // index. Order of keys is order of (size, address), as no two blocks share an address.
  using Key = UInt128;

  static Key key(const TorchBlockRecord& block, TorchBlockIndex index) {
    return from(units(block.size)) | (static_cast<Key>(block.address / unit) << 32) | index;
  }
  static TorchBlockIndex index_of(Key key) { return static_cast<TorchBlockIndex>(key); }

  // Requires: not in the set.
  void insert(const TorchBlockRecord& block, TorchBlockIndex index) {
    const Key entry = key(block, index);
    const std::size_t at = class_of(units(block.size));
    if (classes_[at].size() == array_limit || !overflow_.empty()) [[unlikely]] {
      insert_in_crowd(at, entry);
    } else {
      insert_in_array(at, entry);
    }
  }

  // Requires: in the set.
  void erase(const TorchBlockRecord& block, TorchBlockIndex index) {
    const Key entry = key(block, index);
    const std::size_t at = class_of(units(block.size));
    const std::vector<Key>& entries = classes_[at];
    std::size_t place = entries.size();
    while (place > 0 && entries[place - 1] < entry) --place;
    if (place > 0 && entries[place - 1] == entry) [[likely]] {
      erase_at(at, place - 1);
    } else {
      MEMSIM_CHECK(overflow_.erase(entry) == 1, "a free block outside its free set");
    }
  }

  // Takes the smallest block of at least `size` bytes out of the set, among equals the one at the
  // lowest address; no_torch_block if there is none. Requires: size is a multiple of 512.
  TorchBlockIndex take_best_fit(std::int64_t size) {
    const Key lowest = from(units(size));
    const std::size_t at = class_of(units(size));
    const std::vector<Key>& entries = classes_[at];
    for (std::size_t place = entries.size(); place > 0; --place) {
      if (entries[place - 1] >= lowest) return take(at, place - 1);
    }
    if (!overflow_.empty()) [[unlikely]] {
      const auto fit = overflow_.lower_bound(lowest);
      if (fit != overflow_.end() && class_of_key(*fit) == at) return take_overflowed(fit);
    }
    const std::size_t next = next_occupied(at + 1);
    return next == class_count ? no_torch_block : take(next, classes_[next].size() - 1);
  }

  // Walking, for searches that options change. The first key of a block of at least `size` bytes,
  // the one after a key, the one before a key of the set or that an insertion would have; nothing
  // at the end.
  [[nodiscard]] std::optional<Key> first_of(std::int64_t size) const {
    return first_from(from(units(size)));
  }
  [[nodiscard]] std::optional<Key> after(Key key) const { return first_from(key + 1); }
  [[nodiscard]] std::optional<Key> last_below(std::int64_t size) const;
  [[nodiscard]] std::optional<Key> before(Key key) const;

  // Appends the blocks in order.
  void append_to(std::vector<TorchBlockIndex>& indices) const;
  [[nodiscard]] std::int64_t largest() const;
  [[nodiscard]] std::size_t size() const;
  // Order inside and between classes, arrays and tree; the bitmap.
  void check_invariants() const;

 private:
  static constexpr std::size_t class_count = 256;
  static constexpr std::uint64_t unit = torch_min_block;
  // Moving this many entries costs as much as a step in the tree.
  static constexpr std::size_t array_limit = 64;

  static std::uint64_t units(std::int64_t size) { return static_cast<std::uint64_t>(size) / unit; }
  static Key from(std::uint64_t size_units) { return static_cast<Key>(size_units) << 80; }

  // Grows with the size; exact below 8 units; the last class takes all from 8 TiB on.
  static std::size_t class_of(std::uint64_t size_units) {
    if (size_units < 8) return size_units;
    const auto power = static_cast<std::size_t>(std::bit_width(size_units)) - 1;
    const std::size_t step = (size_units >> (power - 3)) & 7;
    const std::size_t at = (power - 2) * 8 + step;
    return at < class_count ? at : class_count - 1;
  }

  // The smallest size of a class.
  static std::uint64_t smallest_units(std::size_t at) {
    return at < 8 ? at : std::uint64_t{8 + at % 8} << (at / 8 - 1);
  }
  static std::size_t class_of_key(Key entry) {
    return class_of(static_cast<std::uint64_t>(entry >> 80));
  }

  // The first occupied class at or after `at`; class_count if there is none.
  [[nodiscard]] std::size_t next_occupied(std::size_t at) const {
    std::uint64_t mask = ~std::uint64_t{0} << (at % 64);
    for (std::size_t word = at / 64; word < occupied_.size(); ++word) {
      const std::uint64_t bits = occupied_[word] & mask;
      if (bits != 0) return word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      mask = ~std::uint64_t{0};
    }
    return class_count;
  }

  TorchBlockIndex take(std::size_t at, std::size_t place) {
    const TorchBlockIndex index = index_of(classes_[at][place]);
    erase_at(at, place);
    return index;
  }
  void erase_at(std::size_t at, std::size_t place) {
    std::vector<Key>& entries = classes_[at];
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(place));
    if (entries.empty()) vacate(at);
  }
  void vacate(std::size_t at) {
    if (!overflow_.empty()) [[unlikely]]
      refill(at);
    if (classes_[at].empty()) occupied_[at / 64] &= ~(std::uint64_t{1} << (at % 64));
  }
  void insert_in_array(std::size_t at, Key entry) {
    std::vector<Key>& entries = classes_[at];
    std::size_t place = entries.size();
    while (place > 0 && entries[place - 1] < entry) --place;
    entries.insert(entries.begin() + static_cast<std::ptrdiff_t>(place), entry);
    occupied_[at / 64] |= std::uint64_t{1} << (at % 64);
  }

  [[nodiscard]] std::optional<Key> first_from(Key lowest) const;
  // The largest key below `limit` in one class.
  [[nodiscard]] std::optional<Key> last_in_class(std::size_t at, Key limit) const;

  // Of a class the array holds the smallest entries, the tree the others; the array is empty only
  // if the class is.
  void insert_in_crowd(std::size_t at, Key entry);
  void refill(std::size_t at);
  TorchBlockIndex take_overflowed(std::set<Key>::const_iterator place);

  std::array<std::uint64_t, class_count / 64> occupied_{};
  std::array<std::vector<Key>, class_count> classes_;
  std::set<Key> overflow_;
};

}  // namespace memsim::sim
