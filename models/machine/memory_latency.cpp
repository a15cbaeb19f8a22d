#include "models/machine/memory_latency.hpp"

namespace memsim::models {

sim::Duration loaded_latency(sim::Duration idle, Fraction utilisation) {
  const std::int64_t used = utilisation.value();
  MEMSIM_CHECK(used >= 0 && used <= parts_per_million, "a memory used more than fully");
  // 0.07 u / (1 - 0.97 u) with u in parts per million.
  return idle +
         sim::Duration(sim::scale(idle.value(), 7 * used, 100 * parts_per_million - 97 * used));
}

sim::Bandwidth load_rate(std::int64_t lines, sim::Duration latency) {
  return sim::Bandwidth(
      sim::scale(lines * cache_line.value(), sim::picoseconds_per_second, latency.value()));
}

}  // namespace memsim::models
