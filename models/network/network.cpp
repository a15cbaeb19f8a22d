#include "models/network/network.hpp"

#include "sim/core/units.hpp"

namespace memsim::models {

std::int64_t parameter_count(const Network& network) {
  std::int64_t count = 0;
  for (const Parameter& parameter : network.parameters) {
    std::int64_t elements = 1;
    for (const std::int64_t extent : parameter.shape) elements = sim::checked_mul(elements, extent);
    count = sim::checked_add(count, elements);
  }
  return count;
}

}  // namespace memsim::models
