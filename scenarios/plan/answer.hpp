// The answer of the planner: does it fit, why, and the way out. Plain data in integers; reports
// turn it into text and JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/machine/units.hpp"
#include "scenarios/plan/uncertainty.hpp"
#include "scenarios/workload/training_settings.hpp"
#include "sim/core/units.hpp"
#include "sim/memory/category.hpp"

namespace memsim::scenarios {

// A prediction with its 10th and 90th percentile, in the unit of its field.
struct Estimate {
  std::int64_t value = 0;
  std::int64_t p10 = 0;
  std::int64_t p90 = 0;
};
Estimate estimate(std::int64_t value, const PredictionError& error);

// One resource that the job needs an amount of.
struct ResourceAnswer {
  std::string id;     // "gpu_memory", "host_ram", "pinned_ram"
  std::string name;   // for people: "gpu0"
  std::string part;   // what it is: "a100-sxm4-40gb", "ddr5-2ch"
  std::string phase;  // in which the most is needed
  Estimate need{};    // bytes
  sim::Bytes limit;
  models::Fraction probability{};  // of fitting
  Verdict verdict = Verdict::fit;
  sim::Bytes sure_from{};  // the smallest limit under which the verdict would be FIT
  std::string basis;       // how the need was found
};

// Bytes of one tensor name (all tensors that carry it).
struct TensorShare {
  std::string name;
  std::int64_t tensors = 0;
  sim::Bytes bytes;
};

// What is held for one purpose at the peak.
struct ItemAnswer {
  sim::Category category = sim::Category::parameters;
  sim::Bytes bytes;
  std::vector<TensorShare> largest;  // by name, largest first; not all
};

// The highest values within one phase of training, over all steps that were simulated: as if there
// were enough memory. Times: in the memory that is there, if the job completes in it.
struct PhaseAnswer {
  std::string name;      // "load", "forward", "backward", "optimizer", "save"
  sim::Bytes live;       // owned by tensors
  sim::Bytes reserved;   // held by the allocator
  sim::Bytes unmanaged;  // held outside the allocator: driver context
  sim::Bytes host;       // RAM of the host
  sim::Duration time;    // load, save: once; the others: of one steady step
  bool peak = false;     // the phase of the highest total
  [[nodiscard]] sim::Bytes total() const { return reserved + unmanaged; }
};

// Part of a host's RAM at its peak.
struct HostItem {
  std::string name;
  sim::Bytes bytes;
};

struct HostAnswer {
  std::vector<HostItem> load;  // what is held while the model is built and moved to the GPU
  std::vector<HostItem> save;  // what is held while a checkpoint is gathered
};

// Time of the GPU in one steady step, by what it was bound by. The entries sum to the step.
struct TimeShare {
  std::string resource;  // "compute", "HBM", "kernel start", "host launch", ...
  sim::Duration time;
  bool idle = false;  // the GPU did nothing
};

struct StepAnswer {
  Estimate time;                  // picoseconds
  std::vector<TimeShare> shares;  // largest first
  std::string sample_unit;        // what is counted: "tokens", or "samples" where there are none
  std::int64_t samples = 0;       // per step
  Estimate samples_per_second;
  std::int64_t flops = 0;  // of the step, recomputation included
  Estimate flops_per_second;
  std::string flops_type;            // in which most of them are done
  models::OperationRate peak_flops;  // of the GPU for that type, per second
};

// What changing settings does, found by running again.
struct LeverAnswer {
  std::vector<SettingValue> settings;
  sim::Bytes need;                    // of GPU memory, as ResourceAnswer says of it
  sim::Bytes reserved;                // of GPU memory, as PlanAnswer::gpu_total
  std::int64_t memory_delta = 0;      // bytes reserved more than now
  std::int64_t host_delta = 0;        // bytes of host RAM more than now, at their highest
  std::optional<sim::Duration> step;  // empty: no step time, it does not fit
  std::optional<std::int64_t>
      time_delta_ppm;              // per token, relative to now; empty: no step time to compare
  Verdict verdict = Verdict::fit;  // of all resources
  std::string side_effect;         // what else changes ("other numerics"); may be empty
};

struct LeverReport {
  std::vector<LeverAnswer> useful;          // change memory or time for the better, best first
  std::vector<LeverAnswer> useless;         // change nothing that matters here
  std::optional<LeverAnswer> smallest_set;  // what fits together, if no single lever does
  // That fits with the other settings as they are; not beyond largest_count.
  std::optional<std::int64_t> largest_micro_batch;
  bool complete = true;  // false: the bound on events ended the search
};

struct Assumption {
  std::string key;
  std::string value;
  std::string origin;  // "file:line", "default", "preset 1b", "--set", "assumed"
};

struct Warning {
  std::string id;  // documented in docs/warnings.md
  std::string text;
};

// A simulated out-of-memory at the capacity that the machine has.
struct FailureAnswer {
  std::string phase;
  std::string tensor;  // that found no room
  sim::Bytes requested;
  sim::Bytes short_by;  // need - limit; 0 when fragmentation is the cause
  bool fragmented =
      false;            // all tensors would have found room, had the free memory been in one piece
  std::string message;  // in the words of the real allocator
};

struct PlanAnswer {
  std::string model;
  std::int64_t parameters = 0;
  std::string system;
  std::string gpu;
  Verdict verdict = Verdict::fit;         // the worst of the resources
  std::vector<ResourceAnswer> resources;  // GPU memory first
  std::vector<PhaseAnswer> phases;
  std::vector<ItemAnswer> items;  // sum to the total of the peak phase
  sim::Bytes gpu_total;           // reserved at most, with the context: the peak phase's total
  HostAnswer host;
  StepAnswer step;
  std::optional<FailureAnswer> failure;
  std::optional<LeverReport> levers;  // empty: not asked for
  std::vector<Assumption> assumptions;
  std::vector<Warning> warnings;
  PredictionError error = default_error;
  std::uint64_t inputs_digest = 0;
};

}  // namespace memsim::scenarios
