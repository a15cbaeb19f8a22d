// Who owns the memory of a GPU at its peak.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scenarios/plan/answer.hpp"
#include "sim/core/units.hpp"
#include "sim/memory/ledger.hpp"

namespace memsim::scenarios {

// What is held at `peak`, by category in their own order, empty ones left out; the sum is
// peak.reserved + context. `changes` are the recorded changes of the run that `peak` is of; each
// item names its largest tensors.
std::vector<ItemAnswer> peak_owners(const sim::MemoryState& peak,
                                    std::span<const sim::LedgerEntry> changes,
                                    std::span<const std::string> labels, sim::Bytes context);

}  // namespace memsim::scenarios
