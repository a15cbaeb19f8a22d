// What was typed after `memsim transfer`, read into transfers on a machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/machine/machine.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/source.hpp"
#include "scenarios/transfer/transfer.hpp"
#include "sim/core/units.hpp"

namespace memsim::scenarios {

// As typed. Nodes are "ddr0" (numbered over all sockets), "gpu0", "nvme0", "nic0" and "ddr": the
// memory of the process, on the NUMA node `numa`, or else on the one closest to the device at the
// other end. "ddr0*3+ddr1" is a buffer whose pages take turns: three on ddr0, one on ddr1.
struct TransferWords {
  std::string hardware;
  std::string from;
  std::string to;
  std::string size = "1 GiB";  // or a sweep over powers of two: "1KiB..1GiB"
  std::string count = "1";
  std::optional<std::string> numa;
  std::string threads = "1";            // that touch the host's memory while it is pinned
  bool pageable = false;                // of all transfers with one end in the host
  std::vector<std::string> concurrent;  // FROM:TO or FROM:TO:SIZE
  std::vector<std::string> overrides;   // --set
};

struct TransferQuestion {
  models::Machine machine;
  std::vector<Transfer> transfers;
  std::vector<bool> swept;        // by transfer: it has no size of its own
  std::vector<sim::Bytes> sizes;  // that the swept ones take, one after another; at least one
};

// Empty after an error. Errors, beside those of the machine's files: E107 unknown node, E12x sizes
// and counts, E135 a sweep that ends before it begins, E143 a transfer that is not FROM:TO, E152.
std::optional<TransferQuestion> read_transfer(const std::filesystem::path& scenarios,
                                              const TransferWords& words, Sources& sources,
                                              Diagnostics& diagnostics);

}  // namespace memsim::scenarios
