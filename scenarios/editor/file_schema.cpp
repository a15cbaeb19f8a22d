#include "scenarios/editor/file_schema.hpp"

#include <fmt/format.h>

#include "scenarios/editor/json_schema.hpp"
#include "scenarios/hardware/catalogue.hpp"
#include "scenarios/hardware/tree_loader.hpp"
#include "scenarios/workload/model_families.hpp"
#include "scenarios/workload/training_settings.hpp"
#include "scenarios/workload/workload.hpp"

namespace memsim::scenarios {
namespace {

constexpr std::string_view any_hardware = "hardware";
constexpr std::string_view model = "model";
constexpr std::string_view training = "training";

FileForm hardware_form(HardwareKind kind) {
  return {.name = std::string(name(kind)),
          .help = fmt::format("a {} file of memsim", name(kind)),
          .table = &table_schema(kind),
          .fixed = {{"schema", schema_of(kind)}},
          .is_hardware = true};
}

std::vector<FileForm> hardware_forms() {
  std::vector<FileForm> forms;
  forms.reserve(hardware_kinds.size());
  for (const HardwareKind kind : hardware_kinds) forms.push_back(hardware_form(kind));
  return forms;
}

std::vector<FileForm> model_forms() {
  std::vector<FileForm> forms;
  for (const ModelFamily& family : model_families())
    forms.push_back(
        {.name = std::string(family.name),
         .help = std::string(family.help),
         .table = family.schema(),
         .fixed = {{"schema", std::string(model_schema)}, {"family", std::string(family.name)}}});
  return forms;
}

std::string training_schema_text() {
  const FileForm form{.name = std::string(training),
                      .help = "how a model is trained",
                      .table = &training_file_schema(),
                      .fixed = {{"schema", std::string(train_schema)}}};
  std::vector<ShortName> short_names;
  for (const SettingAlias& alias : setting_aliases())
    short_names.push_back({&training_schema(), std::string(alias.alias), std::string(alias.key)});
  return json_schema("memsim training file", std::span(&form, 1), short_names);
}

}  // namespace

std::vector<std::string> file_schema_names() {
  std::vector<std::string> names{std::string(any_hardware)};
  for (const HardwareKind kind : hardware_kinds) names.emplace_back(name(kind));
  names.emplace_back(model);
  names.emplace_back(training);
  return names;
}

std::optional<std::string> file_schema(std::string_view wanted) {
  if (wanted == any_hardware) return json_schema("memsim hardware file", hardware_forms(), {});
  if (wanted == model) return json_schema("memsim model file", model_forms(), {});
  if (wanted == training) return training_schema_text();
  for (const HardwareKind kind : hardware_kinds) {
    if (wanted != name(kind)) continue;
    const FileForm form = hardware_form(kind);
    return json_schema(fmt::format("memsim {} file", wanted), std::span(&form, 1), {});
  }
  return std::nullopt;
}

}  // namespace memsim::scenarios
