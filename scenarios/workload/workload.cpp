#include "scenarios/workload/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "scenarios/schema/files.hpp"
#include "scenarios/schema/reader.hpp"
#include "scenarios/schema/spelling.hpp"
#include "scenarios/workload/model_families.hpp"
#include "scenarios/workload/training_settings.hpp"
#include "scenarios/workload/workload_file.hpp"

namespace memsim::scenarios {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".toml";

// The file itself, else the preset of that name; empty if there is neither.
fs::path find_model(const fs::path& scenarios, std::string_view wanted) {
  if (!wanted.empty() && is_file(wanted)) return wanted;
  if (wanted.ends_with(extension)) wanted.remove_suffix(extension.size());
  if (wanted.empty() || fs::path(wanted).has_parent_path()) return {};
  const fs::path preset = scenarios / "models" / (std::string(wanted) + std::string(extension));
  return is_file(preset) ? preset : fs::path();
}

Location typed(std::string_view text, Sources& sources) {
  return whole(sources.add("command line", std::string(text), SourceRole::command_line));
}

void prefix_paths(std::string_view prefix, Settings& settings) {
  for (Setting& setting : settings) setting.path = std::string(prefix) + "." + setting.path;
}

const ModelFamily* read_family(const Node& tree, Diagnostics& diagnostics) {
  const Node* family = tree.find("family");
  if (family != nullptr && family->type == NodeType::text)
    if (const ModelFamily* known = find_model_family(family->text)) return known;
  if (family == nullptr && tree.incomplete) return nullptr;  // it may be in what is left out
  std::vector<std::string> names;
  for (const ModelFamily& known : model_families()) names.emplace_back(known.name);
  const std::string meant = family == nullptr ? "" : nearest(family->text, names);
  diagnostics.add(
      {.code = family == nullptr ? "E105" : "E107",
       .location = tree.value_location("family"),
       .message = family == nullptr ? "`family` is missing" : "unknown family of models",
       .label = fmt::format("expected one of {}", fmt::join(names, ", ")),
       .notes = {},
       .help = meant.empty() ? "" : fmt::format("did you mean \"{}\"?", meant),
       .suggestion = meant.empty() ? "" : fmt::format("\"{}\"", meant)});
  return nullptr;
}

// A model without a name is called like its file.
void name_by_file(Node& table, const fs::path& path) {
  if (const Node* given = table.find("name"); given != nullptr && !given->text.empty()) return;
  Node name;
  name.type = NodeType::text;
  name.text = path.stem().string();
  table.set("name", {}, std::move(name));
}

}  // namespace

std::vector<std::string> model_presets(const fs::path& scenarios) {
  std::vector<std::string> names;
  std::error_code none;
  const fs::directory_iterator folder(scenarios / "models", none);
  if (none) return names;
  for (const auto& entry : folder)
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::optional<Model> read_model(const fs::path& scenarios, std::string_view wanted,
                                const Overrides& overrides, Sources& sources,
                                Diagnostics& diagnostics) {
  const Location named = typed(wanted, sources);
  const fs::path path = find_model(scenarios, wanted);
  if (path.empty()) {
    report_missing({"model", std::string(wanted), wanted, model_presets(scenarios),
                    "`memsim model list` shows the catalogue"},
                   named, diagnostics);
    return std::nullopt;
  }
  const bool is_preset = path.parent_path() == scenarios / "models";
  const std::string name = is_preset ? "models/" + path.filename().string() : std::string(wanted);
  std::optional<Node> tree =
      load_workload_file(path, name, model_schema, named, sources, diagnostics);
  if (!tree) return std::nullopt;
  Node table = merge(*std::move(tree), overrides.model);
  name_by_file(table, path);
  const ModelFamily* family = read_family(table, diagnostics);
  if (family == nullptr) return std::nullopt;
  Model model;
  std::optional<models::Network> network = family->read(table, diagnostics, model.settings);
  if (!network) return std::nullopt;
  model.network = *std::move(network);
  model.family = family->name;
  model.name = table.find("name")->text;
  prefix_paths("model", model.settings);
  return model;
}

std::optional<Training> read_training(const std::optional<std::string>& file,
                                      const Overrides& overrides, Sources& sources,
                                      Diagnostics& diagnostics) {
  Node tree;
  if (file) {
    const Location named = typed(*file, sources);
    if (!is_file(*file)) {
      report_missing({"training file", *file, *file, {}, ""}, named, diagnostics);
      return std::nullopt;
    }
    std::optional<Node> loaded =
        load_workload_file(*file, *file, train_schema, named, sources, diagnostics);
    if (!loaded) return std::nullopt;
    tree = *std::move(loaded);
    if (Node* train = tree.find("train"); train != nullptr && train->type == NodeType::table)
      *train = write_out_aliases(std::move(*train), diagnostics);
  }
  std::vector<Node> over;
  for (const Node& train : overrides.train) {
    over.emplace_back().location = train.location;
    over.back().set("train", train.location, train);
  }
  tree = merge(std::move(tree), over);
  Training training;
  PartlyRead<TrainingFile> file_read =
      read_partly(training_file_schema(), tree, diagnostics, &training.settings);
  training.spec = file_read.record.train;
  training.faults = std::move(file_read.faults);
  return training;
}

}  // namespace memsim::scenarios
