#include "scenarios/workload/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/schema/display.hpp"
#include "scenarios/schema/override.hpp"
#include "scenarios/schema/spelling.hpp"
#include "scenarios/workload/training_settings.hpp"

namespace memsim::scenarios {
namespace {

void report_unknown(const Entry& entry, std::span<const std::string> machine,
                    Diagnostics& diagnostics) {
  std::vector<std::string> known;
  for (const SettingAlias& alias : setting_aliases()) known.emplace_back(alias.alias);
  for (const Field& field : training_schema().fields()) known.push_back(field.key);
  known.insert(known.end(), machine.begin(), machine.end());
  std::string meant = nearest(entry.key, known);
  for (const Field& field : training_schema().fields())
    if (std::ranges::find(field.rules.aliases, entry.key) != field.rules.aliases.end())
      meant = field.key;
  Diagnostic diagnostic;
  diagnostic.code = "E104";
  diagnostic.location = entry.key_location;
  diagnostic.message = "unknown key " + in_quotes(entry.key);
  diagnostic.label = "neither a path nor a setting of [train]";
  diagnostic.help = meant.empty()
                        ? "settings are paths such as train.micro_batch, model.layers, gpu.memory"
                        : fmt::format("did you mean `{}`?", meant);
  diagnostic.suggestion = meant;
  diagnostics.add(std::move(diagnostic));
}

// A plan's own figures look like settings where they are listed.
void report_fixed(const Entry& entry, Diagnostics& diagnostics) {
  Diagnostic diagnostic;
  diagnostic.code = "E104";
  diagnostic.location = entry.key_location;
  diagnostic.message = "assumptions of the planner are fixed";
  diagnostic.label = "not a part of the machine, the model or the training";
  diagnostics.add(std::move(diagnostic));
}

// `table` with the one key `entry`.
Node table_with(Entry entry) {
  Node table;
  table.location = entry.key_location;
  table.set(entry.key, entry.key_location, std::move(entry.value));
  return table;
}

// Sorts one override by what it is about.
void sort(Entry entry, std::span<const std::string> machine, Overrides& result,
          Diagnostics& diagnostics) {
  const bool is_word = entry.value.type != NodeType::table;
  const bool is_of_machine = std::ranges::find(machine, entry.key) != machine.end();
  if (is_word && !is_of_machine) {
    const std::string_view key = training_key(entry.key);
    if (key.empty()) return report_unknown(entry, machine, diagnostics);
    entry.key = key;
    result.train.push_back(table_with(std::move(entry)));
  } else if (entry.key == "model") {
    result.model.push_back(std::move(entry.value));
  } else if (entry.key == "train") {
    result.train.push_back(write_out_aliases(std::move(entry.value), diagnostics));
  } else if (entry.key == "plan") {
    report_fixed(entry, diagnostics);
  } else {
    result.machine.push_back(table_with(std::move(entry)));
  }
}

// Where a path was set, and which.
struct Assignment {
  std::string path;
  Location location;
};

// "train.micro_batch" of a table with one key in a table with one key.
Assignment assignment_of(const Node& table, std::string prefix) {
  if (table.type != NodeType::table || table.entries.size() != 1)
    return {std::move(prefix), table.location};
  const Entry& entry = table.entries.front();
  if (!prefix.empty()) prefix += '.';
  Assignment result = assignment_of(entry.value, prefix + entry.key);
  result.location = entry.key_location;
  return result;
}

void warn_if_set_again(const std::vector<Assignment>& assignments, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < assignments.size(); ++i) {
    const auto later = std::ranges::find(assignments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                         assignments.end(), assignments[i].path, &Assignment::path);
    if (later == assignments.end()) continue;
    Diagnostic warning;
    warning.code = "W136";
    warning.location = assignments[i].location;
    warning.message = fmt::format("{} is set again", in_quotes(assignments[i].path));
    warning.label = "this one changes nothing: the last one counts";
    diagnostics.add(std::move(warning));
  }
}

}  // namespace

Overrides read_overrides(std::span<const std::string> texts, std::span<const std::string> machine,
                         Sources& sources, Diagnostics& diagnostics) {
  Overrides result;
  for (const std::string& text : texts) {
    std::optional<Node> tree = parse_override(text, sources, diagnostics);
    if (tree) sort(std::move(tree->entries.front()), machine, result, diagnostics);
  }
  const auto warn = [&](const std::vector<Node>& tables, std::string_view prefix) {
    std::vector<Assignment> assignments;
    assignments.reserve(tables.size());
    for (const Node& table : tables)
      assignments.push_back(assignment_of(table, std::string(prefix)));
    warn_if_set_again(assignments, diagnostics);
  };
  warn(result.model, "model");
  warn(result.train, "train");
  warn(result.machine, "");
  return result;
}

}  // namespace memsim::scenarios
