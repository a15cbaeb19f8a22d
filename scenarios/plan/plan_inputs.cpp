#include "scenarios/plan/plan_inputs.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "scenarios/hardware/catalogue.hpp"
#include "scenarios/hardware/hardware.hpp"
#include "scenarios/workload/overrides.hpp"

namespace memsim::scenarios {
namespace {

constexpr std::string_view precision_key = "train.precision";

bool is_default(const Setting& setting) { return setting.location.file == nullptr; }

// The default precision is that of current GPUs; one without units for it gets the other 16 bits.
void adapt_precision(PlanInputs& inputs) {
  const models::GpuSpec& gpu = inputs.system.gpus.front().part;
  const auto bf16 = static_cast<std::size_t>(models::DataType::bf16);
  const auto setting = std::ranges::find(inputs.settings, precision_key, &Setting::path);
  if (gpu.compute.peak[bf16].value() > 0 || setting == inputs.settings.end() ||
      !is_default(*setting))
    return;
  inputs.training.precision = models::Precision::autocast_fp16;
  setting->value = "autocast_fp16";
  inputs.warnings.push_back(
      {"W203", gpu.name + " has no units for bf16: precision is autocast_fp16"});
}

}  // namespace

std::optional<PlanInputs> read_plan_inputs(const std::filesystem::path& scenarios,
                                           const PlanNames& names, Sources& sources,
                                           Diagnostics& diagnostics) {
  const Overrides overrides = read_overrides(names.overrides, sources, diagnostics);
  const Catalogue catalogue(scenarios);
  std::optional<LoadedSystem> system = load_system(
      catalogue, names.hardware, std::span(&overrides.machine, 1), sources, diagnostics);
  std::optional<Model> model = read_model(scenarios, names.model, overrides, sources, diagnostics);
  std::optional<Training> training = read_training(names.training, overrides, sources, diagnostics);
  if (!system || !model || !training || diagnostics.has_errors()) return std::nullopt;

  PlanInputs inputs;
  inputs.system = std::move(system->spec);
  inputs.training = training->spec;
  inputs.settings = std::move(training->settings);
  const auto append = [&](Settings& settings) {
    std::ranges::move(settings, std::back_inserter(inputs.settings));
  };
  append(model->settings);
  append(system->settings);
  inputs.model = *std::move(model);
  adapt_precision(inputs);
  return inputs;
}

}  // namespace memsim::scenarios
