// Whether jobs can be run: sound programs on placements that have what the programs name.
#pragma once

#include <vector>

#include "sim/core/result.hpp"
#include "sim/exec/placement.hpp"

namespace memsim::sim {

// Errors name the job and what is wrong with it.
Result<void> check_jobs(const std::vector<Job>& jobs);

}  // namespace memsim::sim
