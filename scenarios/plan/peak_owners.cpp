#include "scenarios/plan/peak_owners.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "sim/core/check.hpp"

namespace memsim::scenarios {
namespace {

using sim::Bytes;

constexpr std::size_t largest_shown = 5;

struct Holding {
  Bytes bytes;
  std::int64_t tensors = 0;
};

// By label and category, as it is at `peak`.
std::vector<std::array<Holding, sim::category_count>> holdings_at(
    const sim::MemoryState& peak, std::span<const sim::LedgerEntry> changes, std::size_t labels) {
  std::vector<std::array<Holding, sim::category_count>> holdings(labels);
  std::array<Bytes, sim::category_count> by_category{};
  Bytes live;
  for (const sim::LedgerEntry& change : changes) {
    if (change.label != sim::no_label) {
      const auto category = static_cast<std::size_t>(change.category);
      Holding& holding = holdings[change.label][category];
      holding.bytes += change.live_delta;
      holding.tensors += change.live_delta > Bytes(0) ? 1 : -1;
      by_category[category] += change.live_delta;
      live += change.live_delta;
    }
    // Not by time: a phase may begin at its peak, which an earlier change brought about.
    if (live == peak.live && change.reserved == peak.reserved && by_category == peak.by_category)
      return holdings;
  }
  MEMSIM_CHECK(false, "the peak is not among the recorded changes");
}

bool is_larger(const TensorShare& a, const TensorShare& b) {
  return std::tuple(b.bytes, a.name) < std::tuple(a.bytes, b.name);
}

}  // namespace

std::vector<ItemAnswer> peak_owners(const sim::MemoryState& peak,
                                    std::span<const sim::LedgerEntry> changes,
                                    std::span<const std::string> labels, Bytes context) {
  const auto holdings = holdings_at(peak, changes, labels.size());
  std::vector<ItemAnswer> items;
  for (std::size_t c = 0; c < sim::category_count; ++c) {
    ItemAnswer item;
    item.category = static_cast<sim::Category>(c);
    item.bytes = peak.by_category[c];
    if (item.category == sim::Category::cache) item.bytes = peak.reserved - peak.live;
    if (item.category == sim::Category::context) item.bytes = context;
    if (item.bytes == Bytes(0)) continue;
    for (std::size_t label = 0; label < labels.size(); ++label) {
      const Holding& holding = holdings[label][c];
      if (holding.bytes > Bytes(0))
        item.largest.push_back({labels[label], holding.tensors, holding.bytes});
    }
    const std::size_t shown = std::min(largest_shown, item.largest.size());
    std::ranges::partial_sort(item.largest,
                              item.largest.begin() + static_cast<std::ptrdiff_t>(shown), is_larger);
    item.largest.resize(shown);
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace memsim::scenarios
