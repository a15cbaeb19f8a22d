// The text of PyTorch's out-of-memory error (v2.6.0).
#pragma once

#include <optional>
#include <string>

#include "sim/core/units.hpp"

namespace memsim::sim {

// An amount as PyTorch writes it: "512 bytes", "1.00 KiB", "34.00 MiB", "1.50 GiB"; a unit is used
// for more than one of it. Requires: amount >= 0.
std::string torch_format_size(Bytes amount);

struct TorchOomFacts {
  Bytes segment;  // what was asked of the driver
  int device = 0;
  Bytes capacity;
  Bytes free;  // on the device
  bool process_known = false;
  Bytes process;                 // all of this process' device memory, if known
  std::optional<Bytes> limit{};  // of what the allocator may take
  Bytes allocated;
  Bytes reserved;
  Bytes in_private_pools{};  // free blocks of theirs
};
std::string torch_oom_message(const TorchOomFacts& facts);

// For requests that no device could serve.
std::string torch_oversize_message();

}  // namespace memsim::sim
