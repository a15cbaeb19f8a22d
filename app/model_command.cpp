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

// A model beside the texts that its settings point into.
struct Reading {
  scenarios::Sources sources;
  std::optional<Model> model;
};

std::unique_ptr<Reading> read(const Common& common, const std::string& name,
                              const std::vector<std::string>& sets) {
  auto reading = std::make_unique<Reading>();
  scenarios::Diagnostics diagnostics;
  const scenarios::Overrides overrides =
      scenarios::read_overrides(sets, reading->sources, diagnostics);
  reading->model = scenarios::read_model(common.data / "scenarios", name, overrides,
                                         reading->sources, diagnostics);
  print_diagnostics(diagnostics, common, "");
  if (diagnostics.has_errors()) reading->model.reset();
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
    const auto reading = read(common, name, {});
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
  print(common.json ? json{{"schema", "memsim.models/1"}, {"models", models}}.dump(2) + "\n"
                    : text);
  return ExitCode::fit;
}

ExitCode show(const Common& common, const std::string& name, const std::vector<std::string>& sets) {
  const auto reading = read(common, name, sets);
  const std::optional<Model>& model = reading->model;
  if (!model) return ExitCode::input_error;
  const std::int64_t parameters = models::parameter_count(model->network);
  json settings = json::array();
  std::string text = fmt::format("{}: {} parameters\n", model->name, grouped(parameters));
  for (const scenarios::Setting& setting : model->settings) {
    settings.push_back({{"key", setting.path},
                        {"value", setting.value},
                        {"origin", scenarios::origin(setting)},
                        {"help", setting.help}});
    text += fmt::format("  {:<18} = {:<10} {:<24} {}\n", setting.path, setting.value,
                        scenarios::origin(setting), setting.help);
  }
  print(common.json ? json{{"schema", "memsim.model_settings/1"},
                           {"name", model->name},
                           {"parameters", parameters},
                           {"settings", settings}}
                              .dump(2) +
                          "\n"
                    : text);
  return ExitCode::fit;
}

ExitCode check(const Common& common, const std::string& name) {
  if (!read(common, name, {})->model) return ExitCode::input_error;
  if (!common.json) print(name + " is a model that memsim reads\n");
  return ExitCode::fit;
}

}  // namespace

void add_model_command(CLI::App& root, Common& common, Action& action) {
  CLI::App* command = root.add_subcommand("model", "Lists, shows and checks models");
  command->require_subcommand(1);

  CLI::App* list_command = command->add_subcommand("list", "The models that come with memsim");
  add_common_options(*list_command, common);
  list_command->callback([&common, &action] { action = [&common] { return list(common); }; });

  const auto name = std::make_shared<std::string>();
  const auto sets = std::make_shared<std::vector<std::string>>();
  CLI::App* show_command =
      command->add_subcommand("show", "Settings of a model, with their origin");
  show_command->add_option("NAME", *name, "A file, or a name of `model list`")->required();
  show_command->add_option("--set", *sets, "Replaces a setting")->option_text("KEY=VALUE");
  add_common_options(*show_command, common);
  show_command->callback([&common, &action, name, sets] {
    action = [&common, name, sets] { return show(common, *name, *sets); };
  });

  CLI::App* check_command = command->add_subcommand("check", "Reports what is wrong with a file");
  check_command->add_option("NAME", *name, "A file, or a name of `model list`")->required();
  add_common_options(*check_command, common);
  check_command->callback(
      [&common, &action, name] { action = [&common, name] { return check(common, *name); }; });
}

}  // namespace memsim::app
