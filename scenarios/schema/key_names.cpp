#include "scenarios/schema/key_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <vector>

#include "scenarios/schema/display.hpp"
#include "scenarios/schema/setting.hpp"
#include "scenarios/schema/spelling.hpp"

namespace memsim::scenarios {
namespace {

// How people call the table at a path: [memory], [[gpu]], "a GPU file".
std::string table_name(const TableSchema& schema, const std::string& path) {
  if (path.empty()) {
    const bool vowel = std::string_view("aeiou").find(schema.title()[0]) != std::string_view::npos;
    return fmt::format("{} {} file", vowel ? "an" : "a", schema.title());
  }
  const std::string plain = without_indices(path);
  return path.back() == ']' ? fmt::format("[[{}]]", plain) : fmt::format("[{}]", plain);
}

// "memory.capacity" for a key that a table below this one has; empty if none has it.
std::string path_below(const TableSchema& schema, std::string_view key) {
  for (const Field& field : schema.fields()) {
    if (field.type != FieldType::table) continue;
    if (field.schema->find(key) != nullptr) return join_path(field.key, key);
    const std::string deeper = path_below(*field.schema, key);
    if (!deeper.empty()) return join_path(field.key, deeper);
  }
  return "";
}

// The key that was meant by an unknown one: near in spelling, or by a word that people use for it.
const Field* meant_key(const TableSchema& schema, std::string_view unknown) {
  std::vector<std::string> keys;
  std::vector<std::string> aliases;
  std::vector<const Field*> alias_of;
  for (const Field& field : schema.fields()) {
    keys.push_back(field.key);
    for (const std::string_view alias : field.rules.aliases) {
      aliases.emplace_back(alias);
      alias_of.push_back(&field);
    }
  }
  if (const std::string key = nearest(unknown, keys); !key.empty()) return schema.find(key);
  const std::string alias = nearest(unknown, aliases);
  for (std::size_t i = 0; i < aliases.size(); ++i) {
    if (aliases[i] == alias) return alias_of[i];
  }
  return nullptr;
}

// What an unknown key was meant to be, or what there is instead.
struct Advice {
  std::string help;
  std::string suggestion;
};

Advice advice(const TableSchema& schema, const std::string& table, std::string_view key) {
  if (const std::string below = path_below(schema, key); !below.empty()) {
    return {fmt::format("did you mean `{}`?", below), below};
  }
  if (const Field* meant = meant_key(schema, key); meant != nullptr) {
    std::string help = fmt::format("did you mean `{}`?", meant->key);
    if (meant->type == FieldType::quantity) {
      help += fmt::format(" quantities are strings with a unit: {}", example_of(*meant));
    }
    return {std::move(help), meant->key};
  }
  std::vector<std::string_view> keys;
  for (const Field& field : schema.fields()) keys.push_back(field.key);
  return {fmt::format("keys of {}: {}", table, fmt::join(keys, ", ")), ""};
}

// The items of the list that a key such as "gpu[3]" names; 0: there is no such list.
std::size_t items_of(const Node& table, std::string_view list) {
  const Node* items = table.find(list);
  return items == nullptr ? 0 : items->items.size();
}

}  // namespace

std::string join_path(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

std::string example_of(const Field& field) {
  const bool quotes = field.type == FieldType::quantity || field.type == FieldType::text ||
                      field.type == FieldType::choice;
  return quotes ? fmt::format("{} = \"{}\"", field.key, field.rules.example)
                : fmt::format("{} = {}", field.key, field.rules.example);
}

Diagnostic unknown_key(const TableSchema& schema, const Node& table, const std::string& path,
                       const Entry& entry) {
  const std::string name = table_name(schema, path);
  Diagnostic diagnostic;
  diagnostic.code = "E104";
  diagnostic.location = entry.key_location;
  diagnostic.message = "unknown key " + in_quotes(entry.key);
  diagnostic.label = fmt::format("not a key of {}", name);
  const std::optional<ItemKey> item = item_key(entry.key);
  if (const std::size_t items = item ? items_of(table, item->list) : 0; items > 0) {
    diagnostic.label = items == 1
                           ? fmt::format("there is {}[0] alone", item->list)
                           : fmt::format("there are {0}[0] to {0}[{1}]", item->list, items - 1);
    diagnostic.help = fmt::format("`{}` without an index means all of them", item->list);
    return diagnostic;
  }
  Advice found = advice(schema, name, entry.key);
  diagnostic.help = std::move(found.help);
  diagnostic.suggestion = std::move(found.suggestion);
  return diagnostic;
}

}  // namespace memsim::scenarios
