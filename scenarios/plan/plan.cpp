#include "scenarios/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "models/machine/kernel_cost.hpp"
#include "scenarios/plan/assessment.hpp"
#include "scenarios/plan/host_memory.hpp"
#include "scenarios/plan/peak_owners.hpp"
#include "scenarios/plan/profile.hpp"
#include "scenarios/plan/simulation.hpp"
#include "scenarios/schema/quantity.hpp"
#include "sim/core/digest.hpp"

namespace memsim::scenarios {
namespace {

using sim::Bytes;

// Events of all runs together: what the answer itself may take, and what the search for levers may
// take beside it.
constexpr std::int64_t answer_events = 2'000'000'000;
constexpr std::int64_t basic_lever_events = 50'000'000;
constexpr std::int64_t all_lever_events = 200'000'000;

// Amounts that take `time` in all. The slowest time gives the lowest rate.
Estimate per_second(std::int64_t amount, const Estimate& time) {
  const auto rate = [&](std::int64_t picoseconds) {
    return sim::scale(amount, sim::picoseconds_per_second, std::max<std::int64_t>(1, picoseconds));
  };
  return {rate(time.value), rate(time.p90), rate(time.p10)};
}

// The type in which most of the matrix products are done; where there are none, most of the
// arithmetic.
models::DataType main_type(std::span<const models::KernelWork> kernels) {
  const auto is_product = [](const models::KernelWork& kernel) {
    return kernel.kind != models::KernelClass::streaming;
  };
  const bool has_products = std::ranges::any_of(kernels, is_product);
  std::array<sim::Int128, models::data_type_count> flops{};
  for (const models::KernelWork& kernel : kernels)
    if (!has_products || is_product(kernel))
      flops[static_cast<std::size_t>(kernel.type)] += kernel.flops;
  const auto most = std::ranges::max_element(flops) - flops.begin();
  return static_cast<models::DataType>(most);
}

class Planner {
 public:
  Planner(const PlanRequest& request, const TrainingSimulation& simulation, Assessment assessment,
          HostMemory host)
      : request_(request),
        simulation_(simulation),
        assessment_(std::move(assessment)),
        host_(std::move(host)) {}

  PlanAnswer run() {
    answer_.model = request_.model;
    answer_.parameters = simulation_.lowered().totals.parameters;
    answer_.system = request_.machine.spec().name;
    answer_.gpu = simulation_.gpu().name;
    answer_.error = request_.error;
    add_resources();
    add_phases();
    answer_.items =
        peak_owners(assessment_.profile.peak, assessment_.run.jobs.front().memories.front(),
                    simulation_.lowered().program.labels, simulation_.context());
    answer_.host = host_.items;
    add_step();
    add_failure();
    add_levers();
    add_assumptions();
    add_warnings();
    answer_.inputs_digest = inputs_digest();
    return std::move(answer_);
  }

 private:
  void add_resources() {
    const models::PlacedGpu& gpu = request_.machine.spec().gpus[request_.gpu];
    answer_.gpu_total = assessment_.unconstrained;
    add_resource({.id = "gpu_memory",
                  .name = gpu.name,
                  .part = gpu.part.name,
                  .phase = std::string(name(assessment_.profile.peak_phase)),
                  .limit = simulation_.capacity(),
                  .basis = assessment_.with_cache ? "highest reserve of the allocator"
                                                  : "least memory in which the job completes"},
                 assessment_.need);
    const models::SystemSpec& system = request_.machine.spec();
    add_resource({.id = "host_ram",
                  .name = "host RAM",
                  .part = system.host.name,
                  .phase = host_.load >= host_.save ? "load" : "save",
                  .limit = host_capacity(system),
                  .basis = "highest use of the process"},
                 host_.peak());
    add_resource({.id = "pinned_ram",
                  .name = "pinned RAM",
                  .part = system.host.name,
                  .phase = "forward",
                  .limit = host_capacity(system),
                  .basis = "batches of the data loader"},
                 host_.pinned);
  }

  void add_resource(ResourceAnswer resource, Bytes need) {
    resource.need = estimate(need.value(), request_.error);
    resource.probability = probability_of_fit(std::max<std::int64_t>(1, need.value()),
                                              resource.limit.value(), request_.error);
    resource.verdict = verdict(resource.probability);
    resource.sure_from = limit_that_fits(need, request_.error);
    answer_.verdict = std::max(answer_.verdict, resource.verdict);
    answer_.resources.push_back(std::move(resource));
  }

  void add_phases() {
    const Profile& profile = assessment_.profile;
    for (std::size_t i = 0; i < training_phase_count; ++i) {
      const auto phase = static_cast<TrainingPhase>(i);
      const PhaseProfile& part = profile.phases[i];
      const sim::Duration time = assessment_.timing().phases[i].time;
      const bool load = phase == TrainingPhase::load;
      answer_.phases.push_back({std::string(name(phase)), part.live, part.reserved,
                                simulation_.context(), load ? host_.load : host_.steady,
                                load ? time + host_.load_time : time, phase == profile.peak_phase});
    }
    answer_.phases.push_back({"save", profile.at_end.live, profile.at_end.reserved,
                              simulation_.context(), host_.save, host_.save_time, false});
  }

  void add_step() {
    const models::LoweredTraining& lowered = simulation_.lowered();
    const models::TrainingSpec& training = simulation_.training();
    const bool has_tokens = models::has_sequence(request_.network);
    StepAnswer& step = answer_.step;
    step.time = estimate(assessment_.timing().step.value(), request_.error);
    step.shares = assessment_.timing().shares;
    step.sample_unit = has_tokens ? "tokens" : "samples";
    step.samples = sim::checked_mul(training.micro_batch, training.accumulation);
    if (has_tokens) step.samples = sim::checked_mul(step.samples, training.sequence);
    step.flops = sim::checked_mul(
        sim::checked_add(lowered.totals.flops_forward, lowered.totals.flops_backward),
        training.accumulation);
    step.samples_per_second = per_second(step.samples, step.time);
    step.flops_per_second = per_second(step.flops, step.time);
    const models::DataType type =
        models::executed_as(simulation_.gpu().compute, main_type(lowered.kernels));
    step.flops_type = name(type);
    step.peak_flops = simulation_.gpu().compute.peak[static_cast<std::size_t>(type)];
  }

  void add_failure() {
    if (!assessment_.failure) return;
    const sim::MemoryOutcome& failure = *assessment_.failure;
    const sim::Program& program = simulation_.lowered().program;
    FailureAnswer answer;
    answer.phase = name(training_phase(program.phases[failure.phase]));
    answer.tensor = program.labels[failure.label];
    answer.requested = failure.cause.requested;
    answer.short_by = std::max(Bytes(0), assessment_.need - simulation_.capacity());
    const bool enough_for_tensors = assessment_.least() <= simulation_.capacity();
    answer.fragmented = enough_for_tensors && failure.cause.fragmented();
    answer.message = failure.cause.message;
    answer_.failure = std::move(answer);
  }

  void add_levers() {
    if (request_.levers == LeverScope::none) return;
    EventBudget budget(request_.levers == LeverScope::all ? all_lever_events : basic_lever_events);
    const LeverBase base{request_.machine, request_.gpu, request_.network, request_.training,
                         assessment_,      host_,        request_.error};
    answer_.levers = find_levers(base, request_.levers, budget);
  }

  void add_assumptions() {
    for (const Setting& input : request_.inputs)
      answer_.assumptions.push_back({input.path, input.value, origin(input)});
    answer_.assumptions.push_back({"plan.error", std::string(request_.error.source), "default"});
    answer_.assumptions.push_back(
        {"plan.process", format_quantity(host_process_base.value(), Dimension::bytes), "assumed"});
    answer_.assumptions.push_back(
        {"plan.pinned_batches", std::to_string(pinned_batches), "assumed"});
  }

  void add_warnings() {
    const std::size_t gpus = request_.machine.gpu_count();
    if (gpus > 1)
      answer_.warnings.push_back(
          {"W201", fmt::format("one of {} GPUs is used: parallel training is not modelled", gpus)});
    if (answer_.levers && !answer_.levers->complete)
      answer_.warnings.push_back({"W202", "the bound on events ended the search for levers"});
  }

  // Of everything that decides the answer.
  [[nodiscard]] std::uint64_t inputs_digest() const {
    sim::Digest digest;
    for (const Setting& input : request_.inputs)
      digest.add(input.path).add("=").add(input.value).add("\n");
    digest.add(static_cast<std::uint64_t>(request_.levers)).add(request_.error.half_width);
    digest.add(static_cast<std::uint64_t>(request_.gpu));
    if (const auto& products = request_.machine.gpu(request_.gpu).compute.gemm)
      products->add_to(digest);
    return digest.value();
  }

  const PlanRequest& request_;
  const TrainingSimulation& simulation_;
  Assessment assessment_;
  HostMemory host_;
  PlanAnswer answer_;
};

}  // namespace

Estimate estimate(std::int64_t value, const PredictionError& error) {
  return {value, p10(value, error), p90(value, error)};
}

Planned<PlanAnswer> plan(const PlanRequest& request) {
  return within_64_bits([&]() -> Planned<PlanAnswer> {
    const auto simulation = TrainingSimulation::prepare(request.machine, request.gpu,
                                                        request.network, request.training);
    if (!simulation) return tl::unexpected(simulation.error());
    auto host = simulate_host_memory(request.machine, request.gpu, simulation->lowered().totals);
    if (!host) return tl::unexpected(host.error());
    EventBudget budget(answer_events);
    auto assessment = assess(*simulation, request.error, true, budget);
    if (!assessment) return tl::unexpected(assessment.error());
    return Planner(request, *simulation, *std::move(assessment), *std::move(host)).run();
  });
}

}  // namespace memsim::scenarios
