#include "sim/memory/address_arena.hpp"

#include <algorithm>
#include <cstddef>

#include "sim/core/check.hpp"

namespace memsim::sim {
namespace {

// Heap order of the treap: a bijection of the index, so that no pattern of requests makes it deep.
constexpr std::uint32_t priority(std::uint32_t index) {
  std::uint32_t mixed = (index ^ (index >> 16)) * 0x7feb352dU;
  mixed = (mixed ^ (mixed >> 15)) * 0x846ca68bU;
  return mixed ^ (mixed >> 16);
}

}  // namespace

AddressArena::AddressArena(std::uint64_t base, std::uint64_t limit)
    : base_(base), limit_(limit), top_(base) {
  MEMSIM_CHECK(base <= limit, "an arena that ends before it starts");
}

std::optional<AddressArena::Range> AddressArena::take(Bytes size) {
  MEMSIM_CHECK(size > Bytes(0), "a range without addresses");
  const std::int64_t length = size.value();
  const Index hole = first_fit(length);
  if (hole == none) return take_at_top(length);
  erase_hole(hole);
  const std::int64_t rest = nodes_[hole].size - length;
  nodes_[hole].use = Use::taken;
  if (rest > 0) {
    const std::uint64_t after = nodes_[hole].address + static_cast<std::uint64_t>(length);
    const Index remainder = new_node(after, rest, Use::hole);
    nodes_[hole].size = length;
    link_after(hole, remainder);
    insert_hole(remainder);
  }
  return Range{hole};
}

std::optional<AddressArena::Range> AddressArena::take_at_top(std::int64_t length) {
  if (static_cast<std::uint64_t>(length) > limit_ - top_) return std::nullopt;
  const Index node = new_node(top_, length, Use::taken);
  link_after(last_, node);
  top_ += static_cast<std::uint64_t>(length);
  return Range{node};
}

void AddressArena::give_back(Range range) {
  MEMSIM_CHECK(is_taken(range), "a range given back that is not taken");
  const auto node = static_cast<Index>(range);
  nodes_[node].use = Use::hole;
  for (const Index neighbour : {nodes_[node].previous, nodes_[node].next}) {
    if (neighbour == none || nodes_[neighbour].use != Use::hole) continue;
    erase_hole(neighbour);
    nodes_[node].address = std::min(nodes_[node].address, nodes_[neighbour].address);
    nodes_[node].size += nodes_[neighbour].size;
    drop_node(neighbour);
  }
  if (node == last_) {
    top_ = nodes_[node].address;
    drop_node(node);
  } else {
    insert_hole(node);
  }
}

std::uint64_t AddressArena::address(Range range) const {
  MEMSIM_CHECK(is_taken(range), "the address of a range that is not taken");
  return nodes_[static_cast<Index>(range)].address;
}

Bytes AddressArena::size(Range range) const {
  MEMSIM_CHECK(is_taken(range), "the size of a range that is not taken");
  return Bytes(nodes_[static_cast<Index>(range)].size);
}

bool AddressArena::is_taken(Range range) const {
  const auto node = static_cast<Index>(range);
  return node < nodes_.size() && nodes_[node].use == Use::taken;
}

AddressArena::Index AddressArena::new_node(std::uint64_t address, std::int64_t size, Use use) {
  Index index = unused_;
  if (index != none) {
    unused_ = nodes_[index].next;
  } else {
    index = static_cast<Index>(nodes_.size());
    nodes_.emplace_back();
  }
  nodes_[index] = Node{};
  nodes_[index].address = address;
  nodes_[index].size = size;
  nodes_[index].use = use;
  return index;
}

void AddressArena::link_after(Index place, Index node) {
  const Index following = place == none ? none : nodes_[place].next;
  nodes_[node].previous = place;
  nodes_[node].next = following;
  if (place != none) nodes_[place].next = node;
  if (following != none) {
    nodes_[following].previous = node;
  } else {
    last_ = node;
  }
}

void AddressArena::drop_node(Index node) {
  const Index before = nodes_[node].previous;
  const Index after = nodes_[node].next;
  if (before != none) nodes_[before].next = after;
  if (after != none) {
    nodes_[after].previous = before;
  } else {
    last_ = before;
  }
  nodes_[node].use = Use::unused;
  nodes_[node].next = unused_;
  unused_ = node;
}

AddressArena::Index AddressArena::first_fit(std::int64_t size) const {
  Index tree = root_;
  if (tree == none || nodes_[tree].longest < size) return none;
  while (true) {
    const Node& node = nodes_[tree];
    if (node.left != none && nodes_[node.left].longest >= size) {
      tree = node.left;
    } else if (node.size >= size) {
      return tree;
    } else {
      tree = node.right;
    }
  }
}

void AddressArena::update(Index node) {
  Node& self = nodes_[node];
  self.longest = self.size;
  for (const Index child : {self.left, self.right}) {
    if (child != none) self.longest = std::max(self.longest, nodes_[child].longest);
  }
}

AddressArena::Index AddressArena::merge(Index low, Index high) {
  if (low == none) return high;
  if (high == none) return low;
  if (priority(low) > priority(high)) {
    nodes_[low].right = merge(nodes_[low].right, high);
    update(low);
    return low;
  }
  nodes_[high].left = merge(low, nodes_[high].left);
  update(high);
  return high;
}

void AddressArena::split(Index tree, std::uint64_t address, Index& low, Index& high) {
  if (tree == none) {
    low = high = none;
  } else if (nodes_[tree].address < address) {
    Index rest = none;
    split(nodes_[tree].right, address, rest, high);
    nodes_[tree].right = rest;
    update(tree);
    low = tree;
  } else {
    Index rest = none;
    split(nodes_[tree].left, address, low, rest);
    nodes_[tree].left = rest;
    update(tree);
    high = tree;
  }
}

void AddressArena::insert_hole(Index node) {
  nodes_[node].left = nodes_[node].right = none;
  update(node);
  Index low = none;
  Index high = none;
  split(root_, nodes_[node].address, low, high);
  root_ = merge(merge(low, node), high);
}

void AddressArena::erase_hole(Index node) {
  Index low = none;
  Index self = none;
  Index high = none;
  split(root_, nodes_[node].address, low, high);
  split(high, nodes_[node].address + 1, self, high);
  MEMSIM_CHECK(self == node, "a hole that is not in the tree of holes");
  root_ = merge(low, high);
}

void AddressArena::add_state(Digest& digest) const {
  digest.add(base_).add(limit_).add(top_);
  for (Index node = last_; node != none; node = nodes_[node].previous) {
    if (nodes_[node].use == Use::taken) digest.add(nodes_[node].address).add(nodes_[node].size);
  }
}

void AddressArena::check_invariants() const {
  std::uint64_t above = top_;
  std::size_t holes = 0;
  Use use_above = Use::hole;  // the top lies where the last taken range ends
  for (Index node = last_; node != none; node = nodes_[node].previous) {
    const Node& self = nodes_[node];
    MEMSIM_CHECK(self.use != Use::unused && self.size > 0,
                 "a range that is neither taken nor free");
    MEMSIM_CHECK(self.address + static_cast<std::uint64_t>(self.size) == above,
                 "a gap or an overlap between ranges");
    MEMSIM_CHECK(self.use == Use::taken || use_above == Use::taken, "two holes touch");
    MEMSIM_CHECK(self.previous == none || nodes_[self.previous].next == node, "a broken link");
    if (self.use == Use::hole) ++holes;
    above = self.address;
    use_above = self.use;
  }
  MEMSIM_CHECK(above == base_ && top_ <= limit_, "ranges that do not tile the arena");
  std::uint64_t next_address = base_;
  MEMSIM_CHECK(check_tree(root_, next_address) == holes, "holes missing in the tree of holes");
}

std::size_t AddressArena::check_tree(Index node, std::uint64_t& next_address) const {
  if (node == none) return 0;
  const Node& self = nodes_[node];
  std::int64_t longest = self.size;
  for (const Index child : {self.left, self.right}) {
    if (child == none) continue;
    longest = std::max(longest, nodes_[child].longest);
    MEMSIM_CHECK(priority(child) < priority(node), "the tree of holes is not a heap");
  }
  std::size_t count = check_tree(self.left, next_address);
  MEMSIM_CHECK(self.use == Use::hole && self.longest == longest, "a wrong node in the tree");
  MEMSIM_CHECK(self.address >= next_address, "the tree of holes is out of order");
  next_address = self.address + 1;
  count += 1 + check_tree(self.right, next_address);
  return count;
}

}  // namespace memsim::sim
