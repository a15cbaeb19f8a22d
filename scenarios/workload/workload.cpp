#include "scenarios/workload/workload.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "scenarios/schema/reader.hpp"
#include "scenarios/workload/model_families.hpp"
#include "scenarios/workload/training_settings.hpp"
#include "scenarios/workload/workload_file.hpp"

namespace memsim::scenarios {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".toml";
constexpr std::string_view model_schema = "memsim.model/1";
constexpr std::string_view train_schema = "memsim.train/1";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// The file itself, else the preset of that name; empty if there is neither.
fs::path find_model(const fs::path& scenarios, std::string_view wanted) {
  if (is_file(wanted)) return wanted;
  if (wanted.ends_with(extension)) wanted.remove_suffix(extension.size());
  if (fs::path(wanted).has_parent_path()) return {};
  const fs::path preset = scenarios / "models" / (std::string(wanted) + std::string(extension));
  return is_file(preset) ? preset : fs::path();
}

void prefix_paths(std::string_view prefix, Settings& settings) {
  for (Setting& setting : settings) setting.path = std::string(prefix) + "." + setting.path;
}

const ModelFamily* read_family(const Node& tree, Diagnostics& diagnostics) {
  const Node* family = tree.find("family");
  if (family != nullptr && family->type == NodeType::text)
    if (const ModelFamily* known = find_model_family(family->text)) return known;
  std::vector<std::string> names;
  std::string list;
  for (const ModelFamily& known : model_families()) {
    names.emplace_back(known.name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  Diagnostic diagnostic;
  diagnostic.code = family == nullptr ? "E105" : "E107";
  diagnostic.location = tree.value_location("family");
  diagnostic.message = family == nullptr ? "`family` is missing" : "unknown family of models";
  diagnostic.label = "expected one of " + list;
  diagnostics.add(std::move(diagnostic));
  return nullptr;
}

struct TrainFile {
  models::TrainingSpec train;
};

const Schema<TrainFile>& train_file_schema() {
  static const Schema<TrainFile> schema = Schema<TrainFile>("training")
                                              .table("train", &TrainFile::train, training_schema(),
                                                     {.help = "how the model is trained"});
  return schema;
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
  const fs::path path = find_model(scenarios, wanted);
  if (path.empty()) {
    report_unknown_name("model", wanted, model_presets(scenarios), diagnostics);
    return std::nullopt;
  }
  const bool is_preset = path.parent_path() == scenarios / "models";
  const std::string shown = is_preset ? "models/" + path.filename().string() : std::string(wanted);
  std::optional<Node> tree = load_workload_file(path, shown, model_schema, sources, diagnostics);
  if (!tree) return std::nullopt;
  const Node table = merge(*std::move(tree), overrides.model);
  const ModelFamily* family = read_family(table, diagnostics);
  if (family == nullptr) return std::nullopt;
  Model model;
  std::optional<models::Network> network = family->read(table, diagnostics, model.settings);
  if (!network) return std::nullopt;
  model.network = *std::move(network);
  model.family = family->name;
  const Node* name = table.find("name");
  model.name = name == nullptr ? path.stem().string() : name->text;
  prefix_paths("model", model.settings);
  return model;
}

std::optional<Training> read_training(const std::optional<std::string>& file,
                                      const Overrides& overrides, Sources& sources,
                                      Diagnostics& diagnostics) {
  Node tree;
  if (file) {
    std::optional<Node> loaded =
        load_workload_file(*file, *file, train_schema, sources, diagnostics);
    if (!loaded) return std::nullopt;
    tree = *std::move(loaded);
    if (Node* train = tree.find("train"); train != nullptr && train->type == NodeType::table)
      *train = write_out_aliases(std::move(*train), diagnostics);
  }
  if (!overrides.train.entries.empty()) {
    Node over;
    over.location = overrides.train.location;
    over.set("train", overrides.train.location, overrides.train);
    tree = merge(std::move(tree), over);
  }
  Training training;
  const std::optional<TrainFile> read_file =
      read(train_file_schema(), tree, diagnostics, &training.settings);
  if (!read_file || diagnostics.has_errors()) return std::nullopt;
  training.spec = read_file->train;
  return training;
}

}  // namespace memsim::scenarios
