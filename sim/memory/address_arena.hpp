// Ranges of addresses: each request gets the lowest hole that is long enough, else the top.
//
// Neighbouring holes merge; a hole that reaches the top lowers the top. Finding, taking and giving
// back cost O(log holes): holes form a treap by address whose nodes know the longest hole below
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/digest.hpp"
#include "sim/core/units.hpp"

namespace memsim::sim {

class AddressArena {
 public:
  // Names a taken range until it is given back.
  enum class Range : std::uint32_t {};

  // Addresses [base, limit). Requires: base <= limit.
  AddressArena(std::uint64_t base, std::uint64_t limit);

  // Nothing if no hole is long enough and the top would pass the limit. Requires: size > 0.
  [[nodiscard]] std::optional<Range> take(Bytes size);
  // Requires: `range` is taken.
  void give_back(Range range);

  [[nodiscard]] std::uint64_t address(Range range) const;
  [[nodiscard]] Bytes size(Range range) const;
  // First address above everything taken.
  [[nodiscard]] std::uint64_t top() const { return top_; }

  // The taken ranges, whatever the order in which they came.
  void add_state(Digest& digest) const;
  // Ranges tile [base, top), no two holes touch, none touches the top, the treap holds the holes.
  void check_invariants() const;

 private:
  using Index = std::uint32_t;
  static constexpr Index none = 0xFFFFFFFF;
  enum class Use : std::uint8_t { unused, taken, hole };

  // A stretch of addresses; neighbours by address in `previous` and `next`. Holes also hang in the
  // treap (`left`, `right`), heap-ordered by a hash of their index. Unused nodes chain by `next`.
  struct Node {
    std::uint64_t address = 0;
    std::int64_t size = 0;
    std::int64_t longest = 0;  // of the holes in this subtree
    Index previous = none;
    Index next = none;
    Index left = none;
    Index right = none;
    Use use = Use::unused;
  };

  [[nodiscard]] std::optional<Range> take_at_top(std::int64_t length);
  [[nodiscard]] bool is_taken(Range range) const;
  [[nodiscard]] Index new_node(std::uint64_t address, std::int64_t size, Use use);
  // Into the list of neighbours, after `place` (none: as the first of an empty arena).
  void link_after(Index place, Index node);
  // Out of the list of neighbours, and for reuse.
  void drop_node(Index node);

  [[nodiscard]] Index first_fit(std::int64_t size) const;
  [[nodiscard]] Index merge(Index low, Index high);
  void split(Index tree, std::uint64_t address, Index& low, Index& high);
  void update(Index node);
  void insert_hole(Index node);
  void erase_hole(Index node);
  // Counts the holes of a subtree; `next_address` is the lowest address that may follow.
  std::size_t check_tree(Index node, std::uint64_t& next_address) const;

  std::uint64_t base_;
  std::uint64_t limit_;
  std::uint64_t top_;
  std::vector<Node> nodes_;
  Index unused_ = none;
  Index last_ = none;  // the range that ends at the top
  Index root_ = none;  // of the holes
};

}  // namespace memsim::sim
