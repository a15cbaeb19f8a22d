// Who had which share of what, from the spans of a run: rates are constant while the same transfers
// have bytes on the way.
#pragma once

#include <cstddef>
#include <vector>

#include "models/machine/machine.hpp"
#include "sim/core/units.hpp"

namespace memsim::scenarios {

// Bytes of one transfer were on the way.
struct Flowing {
  std::size_t transfer = 0;
  sim::Time begin;
  sim::Time end;
};

// The rate and the limit of one transfer during a stretch of time.
struct Share {
  std::size_t transfer = 0;
  sim::Bandwidth rate;
  sim::ResourceId bottleneck = sim::no_resource;  // no_resource: its own cap
};

struct Stretch {
  sim::Duration time;
  std::vector<Share> shares;  // of all that flow, by transfer
};

// In order of time; stretches in which nothing flows are left out. `ways` by transfer.
std::vector<Stretch> stretches(const models::Machine& machine,
                               const std::vector<models::CopyWay>& ways,
                               const std::vector<Flowing>& flowing);

}  // namespace memsim::scenarios
