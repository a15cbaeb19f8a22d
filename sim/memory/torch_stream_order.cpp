#include "sim/memory/torch_stream_order.hpp"

#include <algorithm>
#include <utility>

namespace memsim::sim {
namespace {

// The hash of a CUDA stream of device 0: the kind of device (1) in the top byte, the handle below.
// Handles are taken to be 16 apart, the default stream's is 0.
constexpr std::uint64_t hash(StreamId stream) {
  return (std::uint64_t{1} << 56) | (std::uint64_t{16} * static_cast<std::uint64_t>(stream));
}
constexpr std::uint64_t golden = 11400714819323198485ULL;  // 2^64 / golden ratio

constexpr std::uint32_t first_slots_log2 = 2;
constexpr std::uint32_t least_reach = 4;

}  // namespace

std::size_t TorchStreamOrder::slot_of(StreamId stream) const {
  return static_cast<std::size_t>((golden * hash(stream)) >> (64 - slots_log2_));
}

// How far from its slot an entry may lie, exclusive.
std::int32_t TorchStreamOrder::reach() const {
  return static_cast<std::int32_t>(std::max(least_reach, slots_log2_));
}

void TorchStreamOrder::insert(StreamId stream) {
  if (entries_.empty()) grow();
  Entry entry{stream, 0};
  while (!place(entry)) grow();
}

bool TorchStreamOrder::place(Entry& entry) {
  entry.distance = 0;
  std::size_t at = slot_of(entry.stream);
  for (; entries_[at].distance >= entry.distance; ++at, ++entry.distance) {
    if (entries_[at].stream == entry.stream) return true;
  }
  const bool full = 2 * (count_ + 1) > (std::size_t{1} << slots_log2_);
  if (full || entry.distance == reach()) return false;
  // Whoever lies nearer to its slot makes room and looks for a place further on.
  const std::size_t first = at;
  while (entries_[at].distance >= 0) {
    if (entries_[at].distance < entry.distance) std::swap(entry, entries_[at]);
    ++at;
    if (++entry.distance == reach()) {
      std::swap(entry.stream, entries_[first].stream);
      return false;
    }
  }
  entries_[at] = entry;
  ++count_;
  return true;
}

void TorchStreamOrder::grow() {
  slots_log2_ = entries_.empty() ? first_slots_log2 : slots_log2_ + 1;
  std::vector<Entry> old((std::size_t{1} << slots_log2_) + static_cast<std::size_t>(reach()));
  std::swap(old, entries_);
  count_ = 0;
  for (const Entry& entry : old) {
    if (entry.distance >= 0) insert(entry.stream);
  }
}

void TorchStreamOrder::clear() {
  std::fill(entries_.begin(), entries_.end(), Entry{});
  count_ = 0;
}

void TorchStreamOrder::erase_at(std::size_t at) {
  for (; entries_[at + 1].distance > 0; ++at) {
    entries_[at] = {entries_[at + 1].stream, entries_[at + 1].distance - 1};
  }
  entries_[at] = Entry{};
  --count_;
}

}  // namespace memsim::sim
