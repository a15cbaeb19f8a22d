#include "models/network/network.hpp"

#include <algorithm>

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

bool has_sequence(const Network& network) {
  return std::ranges::any_of(network.inputs, [](const Input& input) {
    return std::ranges::any_of(
        input.shape, [](const Extent& extent) { return extent.base == Extent::Base::sequence; });
  });
}

bool has_attention(const Network& network) {
  return std::ranges::any_of(network.statements, [](const Statement& statement) {
    return statement.presence != Presence::always;
  });
}

}  // namespace memsim::models
