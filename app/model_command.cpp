// memsim model list|show|check: which models can be planned, and what describes them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/command.hpp"
#include "app/console.hpp"
#include "app/report/format.hpp"
#include "models/network/network.hpp"
#include "scenarios/workload/model_families.hpp"
#include "scenarios/workload/workload.hpp"

namespace memsim::app {
namespace {

using nlohmann::json;
using scenarios::Model;

// Names may be anything: bytes that are not UTF-8 become U+FFFD.
std::string dump(const json& document) {
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

struct ModelOptions {
  std::string name;
  std::vector<std::string> overrides;
};

// What NAME is, or what is wrong with it.
struct Reading {
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;
  std::optional<Model> model;
};

std::unique_ptr<Reading> read(const Common& common, const ModelOptions& options) {
  auto reading = std::make_unique<Reading>();
  const scenarios::Overrides overrides =
      scenarios::read_overrides(options.overrides, {}, reading->sources, reading->diagnostics);
  reading->model = scenarios::read_model(common.data / "scenarios", options.name, overrides,
                                         reading->sources, reading->diagnostics);
  report(reading->diagnostics, common, "");
  if (reading->diagnostics.has_errors()) reading->model.reset();
  return reading;
}

std::string value_of(const Model& model, std::string_view path) {
  for (const scenarios::Setting& setting : model.settings)
    if (setting.path == path) return setting.value;
  return "";
}

ExitCode list(const Common& common) {
  json models = json::array();
  std::string text = fmt::format("{:<14}{:<10}{:>8}{:>9}{:>7}{:>22}\n", "name", "family", "layers",
                                 "hidden", "heads", "parameters");
  for (const std::string& name : scenarios::model_presets(common.data / "scenarios")) {
    const auto reading = read(common, {name, {}});
    const std::optional<Model>& model = reading->model;
    if (!model) return ExitCode::input_error;
    const std::int64_t parameters = models::parameter_count(model->network);
    models.push_back({{"name", name}, {"family", model->family}, {"parameters", parameters}});
    text += fmt::format("{:<14}{:<10}{:>8}{:>9}{:>7}{:>22}\n", name, model->family,
                        value_of(*model, "model.layers"), value_of(*model, "model.hidden"),
                        value_of(*model, "model.heads"), grouped(parameters));
  }
  text += "\nfamilies, for files of your own:\n";
  for (const scenarios::ModelFamily& family : scenarios::model_families())
    text += fmt::format("  {:<10}{}\n", family.name, family.help);
  print(common.json ? dump({{"schema", "memsim.models/1"}, {"models", models}}) : text);
  return ExitCode::fit;
}

std::string settings_text(const Model& model, std::int64_t parameters) {
  std::string text = fmt::format("{}: {} parameters\n", model.name, grouped(parameters));
  for (const scenarios::Setting& setting : model.settings)
    text += fmt::format("  {:<22} {:<14} {}\n    # {}\n", setting.path, setting.value,
                        scenarios::origin(setting), setting.help);
  return text;
}

std::string settings_json(const Model& model, std::int64_t parameters) {
  json settings = json::array();
  for (const scenarios::Setting& setting : model.settings)
    settings.push_back({{"key", setting.path},
                        {"value", setting.value},
                        {"origin", scenarios::origin(setting)},
                        {"help", setting.help}});
  return dump({{"schema", "memsim.model_settings/1"},
               {"name", model.name},
               {"parameters", parameters},
               {"settings", settings}});
}

ExitCode show(const Common& common, const ModelOptions& options) {
  const auto reading = read(common, options);
  if (!reading->model) return ExitCode::input_error;
  const std::int64_t parameters = models::parameter_count(reading->model->network);
  print(common.json ? settings_json(*reading->model, parameters)
                    : settings_text(*reading->model, parameters));
  return ExitCode::fit;
}

ExitCode check(const Common& common, const ModelOptions& options) {
  const auto reading = read(common, options);
  if (!reading->model) return ExitCode::input_error;
  print(common.json ? reading->diagnostics.json()
                    : fmt::format("{} is a model that memsim reads\n", reading->model->name));
  return ExitCode::fit;
}

using Answer = ExitCode (*)(const Common&, const ModelOptions&);

// A subcommand about one file or preset.
void add_named(CLI::App& parent, const char* name, const char* help, Answer answer, Common& common,
               Action& action) {
  CLI::App* command = parent.add_subcommand(name, help);
  const auto options = std::make_shared<ModelOptions>();
  command->add_option("NAME", options->name, "A file, or a name of `model list`")->required();
  expect_value(
      *command->add_option("--set", options->overrides, "Replaces a setting; may be repeated"),
      "KEY=VALUE");
  add_common_options(*command, common);
  command->callback([&common, &action, options, answer] {
    action = [&common, options, answer] { return answer(common, *options); };
  });
}

}  // namespace

void add_model_command(CLI::App& root, Common& common, Action& action) {
  CLI::App* command = root.add_subcommand("model", "Lists, shows and checks models");
  command->require_subcommand(1);

  CLI::App* list_command = command->add_subcommand("list", "The models that come with memsim");
  add_common_options(*list_command, common);
  list_command->callback([&common, &action] { action = [&common] { return list(common); }; });

  add_named(*command, "show", "Settings of a model, with their origin", show, common, action);
  add_named(*command, "check", "Reports what is wrong with a file", check, common, action);
}

}  // namespace memsim::app
