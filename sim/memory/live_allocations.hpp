// The allocations that an allocator has handed out, by their names.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/core/check.hpp"
#include "sim/memory/allocator.hpp"

namespace memsim::sim {

// Names are used again, the last one given back first. `Record` is what the allocator keeps of
// each.
template <class Record>
class LiveAllocations {
 public:
  [[nodiscard]] AllocationId keep(Record record) {
    if (unused_.empty()) {
      MEMSIM_CHECK(entries_.size() < static_cast<std::size_t>(null_allocation),
                   "more allocations than 32-bit names");
      entries_.push_back({std::move(record), true});
      return AllocationId{static_cast<std::uint32_t>(entries_.size() - 1)};
    }
    const AllocationId id = unused_.back();
    unused_.pop_back();
    entries_[static_cast<std::size_t>(id)] = {std::move(record), true};
    return id;
  }

  // Requires: the allocation is live; so do the others.
  [[nodiscard]] const Record& at(AllocationId id) const { return entries_[place(id)].record; }
  [[nodiscard]] Record& at(AllocationId id) { return entries_[place(id)].record; }
  Record take(AllocationId id) {
    Entry& entry = entries_[place(id)];
    entry.live = false;
    unused_.push_back(id);
    return std::move(entry.record);
  }

  // In no order that means anything.
  template <class Visit>
  void visit(Visit&& visit) const {
    for (const Entry& entry : entries_) {
      if (entry.live) visit(entry.record);
    }
  }
  // In the order that `less` gives: the order in which a state is digested.
  template <class Less>
  [[nodiscard]] std::vector<const Record*> sorted(Less&& less) const {
    std::vector<const Record*> records;
    records.reserve(entries_.size() - unused_.size());
    visit([&](const Record& record) { records.push_back(&record); });
    std::sort(records.begin(), records.end(),
              [&](const Record* a, const Record* b) { return less(*a, *b); });
    return records;
  }

 private:
  struct Entry {
    Record record;
    bool live = false;
  };

  [[nodiscard]] std::size_t place(AllocationId id) const {
    const auto index = static_cast<std::size_t>(id);
    MEMSIM_CHECK(index < entries_.size() && entries_[index].live, "an allocation that is not live");
    return index;
  }

  std::vector<Entry> entries_;
  std::vector<AllocationId> unused_;
};

}  // namespace memsim::sim
