// What a plan needs to know of one run of a training job.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "scenarios/plan/answer.hpp"
#include "sim/core/units.hpp"
#include "sim/exec/placement.hpp"
#include "sim/exec/program.hpp"
#include "sim/exec/run_result.hpp"
#include "sim/memory/ledger.hpp"

namespace memsim::scenarios {

// The parts of training by which people think; a lowered program's phases each belong to one.
// Zeroing the gradients counts for the optimizer.
enum class TrainingPhase : std::uint8_t { load, forward, backward, optimizer };
inline constexpr std::size_t training_phase_count = 4;
std::string_view name(TrainingPhase phase);

// By the name that the lowering gave it ("step0.forward.end").
TrainingPhase training_phase(std::string_view phase_name);

// Highest values within one training phase, over all steps.
struct PhaseProfile {
  sim::Bytes live;
  sim::Bytes reserved;
  sim::Duration time;  // in the last step; load: in all
};

struct Profile {
  std::array<PhaseProfile, training_phase_count> phases;
  TrainingPhase peak_phase = TrainingPhase::load;
  sim::MemoryState peak;          // highest reserve, with the most live bytes of its instants
  sim::MemoryState at_end;        // after the last step
  sim::Bytes peak_live;           // highest live bytes, whatever the reserve
  sim::Duration step;             // the last step; sum of `shares`
  std::vector<TimeShare> shares;  // of the GPU's compute stream in the last step, largest first
};

// Requires: a run that ended without running out of memory, of a program as lower_training makes
// it; `routes` are those of its placement.
Profile profile(const sim::Program& program, std::span<const sim::Route> routes,
                const sim::Run& run);

}  // namespace memsim::scenarios
