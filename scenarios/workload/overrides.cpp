#include "scenarios/workload/overrides.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/schema/override.hpp"
#include "scenarios/schema/spelling.hpp"
#include "scenarios/workload/training_settings.hpp"

namespace memsim::scenarios {
namespace {

void report_unknown(const Entry& entry, Diagnostics& diagnostics) {
  std::vector<std::string> known;
  for (const SettingAlias& alias : setting_aliases()) known.emplace_back(alias.alias);
  for (const Field& field : training_schema().fields()) known.push_back(field.key);
  const std::string meant = nearest(entry.key, known);
  Diagnostic diagnostic;
  diagnostic.code = "E104";
  diagnostic.location = entry.key_location;
  diagnostic.message = fmt::format("unknown key `{}`", entry.key);
  diagnostic.label = "neither a path nor a setting of [train]";
  diagnostic.help = meant.empty()
                        ? "settings are paths such as train.micro_batch, model.layers, gpu.memory"
                        : fmt::format("did you mean `{}`?", meant);
  diagnostic.suggestion = meant;
  diagnostics.add(std::move(diagnostic));
}

// `table` with the one key `entry`.
Node table_with(Entry entry) {
  Node table;
  table.location = entry.key_location;
  table.set(entry.key, entry.key_location, std::move(entry.value));
  return table;
}

class Sorter {
 public:
  explicit Sorter(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void add(Entry entry) {
    if (entry.value.is_scalar() || entry.value.type == NodeType::list) {
      add_word(std::move(entry));
    } else if (entry.key == "model") {
      lay_on(result_.model, entry.value);
    } else if (entry.key == "train") {
      lay_on(result_.train, write_out_aliases(std::move(entry.value), diagnostics_));
    } else {
      lay_on(result_.machine, table_with(std::move(entry)));
    }
  }

  Overrides take() { return std::move(result_); }

 private:
  void add_word(Entry entry) {
    const std::string_view key = training_key(entry.key);
    if (key.empty()) {
      report_unknown(entry, diagnostics_);
      return;
    }
    entry.key = key;
    lay_on(result_.train, table_with(std::move(entry)));
  }

  static void lay_on(Node& base, const Node& over) { base = merge(std::move(base), over); }

  Diagnostics& diagnostics_;
  Overrides result_;
};

}  // namespace

Overrides read_overrides(std::span<const std::string> texts, Sources& sources,
                         Diagnostics& diagnostics) {
  Sorter sorter(diagnostics);
  for (const std::string& text : texts) {
    std::optional<Node> tree = parse_override(text, sources, diagnostics);
    if (!tree) continue;
    for (Entry& entry : tree->entries) sorter.add(std::move(entry));
  }
  return sorter.take();
}

}  // namespace memsim::scenarios
