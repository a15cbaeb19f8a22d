#include "scenarios/plan/plan_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "models/network/network.hpp"
#include "models/training/lowering.hpp"
#include "scenarios/hardware/allocator_choice.hpp"
#include "scenarios/hardware/catalogue.hpp"
#include "scenarios/hardware/hardware.hpp"
#include "scenarios/hardware/hardware_schema.hpp"
#include "scenarios/workload/overrides.hpp"

namespace memsim::scenarios {
namespace {

constexpr std::string_view precision_key = "train.precision";

bool is_default(const Setting& setting) { return setting.location.file == nullptr; }

// The default precision is that of current GPUs; one without units for it gets the other 16 bits.
// Where bf16 was asked for, it is what the user gets.
void adapt_precision(PlanInputs& inputs) {
  const models::GpuSpec& gpu = inputs.system.gpus.front().part;
  const bool wants_bf16 = inputs.training.precision == models::Precision::autocast_bf16 ||
                          inputs.training.precision == models::Precision::pure_bf16;
  const auto bf16 = static_cast<std::size_t>(models::DataType::bf16);
  const auto setting = std::ranges::find(inputs.settings, precision_key, &Setting::path);
  if (!wants_bf16 || gpu.compute.peak[bf16].value() > 0 || setting == inputs.settings.end()) return;
  std::string_view consequence = "matrix products run at the rate of fp32";
  if (is_default(*setting)) {
    inputs.training.precision = models::Precision::autocast_fp16;
    setting->value = "autocast_fp16";
    consequence = "precision is autocast_fp16";
  }
  inputs.warnings.push_back(
      {"W203", fmt::format("{} has no units for bf16: {}", gpu.name, consequence)});
}

Diagnostic at_setting(std::string_view code, const Setting* setting, std::string message) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  if (setting != nullptr) diagnostic.location = setting->location;
  diagnostic.message = std::move(message);
  if (setting != nullptr && is_default(*setting)) {
    diagnostic.label = "this is the default";
    diagnostic.help = fmt::format("--set {}=...", setting->path);
  }
  return diagnostic;
}

const Setting* find(const Settings& settings, std::string_view path) {
  const auto found = std::ranges::find(settings, path, &Setting::path);
  return found == settings.end() ? nullptr : &*found;
}

void check_settings(const Model& model, const Training& training, Diagnostics& diagnostics) {
  for (const sim::Error& defect : models::defects(model.network, training.spec)) {
    const std::string_view key =
        std::string_view(defect.message).substr(0, defect.message.find(':'));
    if (training.faults.hide(key)) continue;  // it has its default, which nobody asked for
    diagnostics.add(at_setting("E136", find(training.settings, key), defect.message));
  }
}

// Leaves out settings that play no part in the network; where one was given, a warning says so.
void drop_idle_settings(const models::Network& network, Settings& settings,
                        Diagnostics& diagnostics) {
  const auto drop = [&](std::string_view key, std::string_view missing) {
    const Setting* setting = find(settings, key);
    if (setting == nullptr) return;
    if (!is_default(*setting)) {
      Diagnostic warning = at_setting("W136", setting, fmt::format("`{}` changes nothing", key));
      warning.label = fmt::format("the model has no {}", missing);
      diagnostics.add(std::move(warning));
    }
    std::erase_if(settings, [&](const Setting& each) { return each.path == key; });
  };
  if (!models::has_sequence(network)) drop("train.sequence", "tokens");
  if (!models::has_attention(network)) drop("train.attention", "attention");
}

}  // namespace

std::optional<PlanInputs> read_plan_inputs(const std::filesystem::path& scenarios,
                                           const PlanNames& names, Sources& sources,
                                           Diagnostics& diagnostics) {
  Overrides overrides = read_overrides(names.overrides, system_keys(), sources, diagnostics);
  if (names.allocator) overrides.machine.push_back(allocator_override(*names.allocator, sources));
  const Catalogue catalogue(scenarios);
  std::optional<LoadedSystem> system;
  std::optional<Model> model;
  if (names.hardware.empty())
    diagnostics.add(missing_option("--hw", "expected a machine", "see `memsim hw list`"));
  if (names.model.empty())
    diagnostics.add(
        missing_option("--model", "expected what is trained", "see `memsim model list`"));
  if (!names.hardware.empty())
    system = load_system(catalogue, names.hardware, overrides.machine, sources, diagnostics);
  if (!names.model.empty())
    model = read_model(scenarios, names.model, overrides, sources, diagnostics);
  std::optional<Training> training = read_training(names.training, overrides, sources, diagnostics);
  if (model && training) check_settings(*model, *training, diagnostics);
  if (!system || !model || !training || diagnostics.has_errors()) return std::nullopt;
  drop_idle_settings(model->network, training->settings, diagnostics);

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
