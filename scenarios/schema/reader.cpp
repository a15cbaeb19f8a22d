#include "scenarios/schema/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

#include "scenarios/schema/scalar.hpp"
#include "scenarios/schema/spelling.hpp"

namespace memsim::scenarios {
namespace {

std::string join_path(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

// How people call the table at a path: [memory], [[gpu]], "a GPU file".
std::string table_name(const TableSchema& schema, const std::string& path) {
  if (path.empty()) {
    const bool vowel = std::string_view("aeiou").find(schema.title()[0]) != std::string_view::npos;
    return fmt::format("{} {} file", vowel ? "an" : "a", schema.title());
  }
  std::string plain;
  bool inside = false;
  for (const char c : path) {
    if (c == '[') inside = true;
    if (!inside) plain += c;
    if (c == ']') inside = false;
  }
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

// How a key is given in a file: capacity = "80 GB".
std::string example_of(const Field& field) {
  const bool quotes = field.type == FieldType::quantity || field.type == FieldType::text ||
                      field.type == FieldType::choice;
  return quotes ? fmt::format("{} = \"{}\"", field.key, field.rules.example)
                : fmt::format("{} = {}", field.key, field.rules.example);
}

class Reader {
 public:
  Reader(Diagnostics& diagnostics, Settings* settings)
      : diagnostics_(diagnostics), settings_(settings) {}

  bool table(const TableSchema& schema, const Node& node, void* record, const std::string& path) {
    const bool outer = std::exchange(incomplete_, incomplete_ || node.incomplete);
    const bool good = keys(schema, node, record, path);
    incomplete_ = outer;
    if (!good || node.incomplete) return false;
    const std::size_t before = diagnostics_.errors();
    for (const TableSchema::Check& check : schema.checks()) check(record, node, diagnostics_);
    return diagnostics_.errors() == before;
  }

 private:
  bool keys(const TableSchema& schema, const Node& node, void* record, const std::string& path) {
    bool good = true;
    for (const Entry& entry : node.entries) {
      if (schema.find(entry.key) != nullptr) continue;
      unknown_key(schema, entry, path);
      good = false;
    }
    std::vector<std::optional<Scalar>> values(schema.fields().size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Field& field = schema.fields()[i];
      const Node* value = node.find(field.key);
      const bool read = value != nullptr ? given(field, *value, record, path, values[i])
                                         : absent(field, node, record, path, values[i]);
      good = read && good;
    }
    copy_values(schema, node, record, path, values);
    return good;
  }

  bool given(const Field& field, const Node& value, void* record, const std::string& path,
             std::optional<Scalar>& scalar) {
    const std::string below = join_path(path, field.key);
    if (field.type == FieldType::table) {
      if (value.type != NodeType::table) return wrong_shape(field, value, "a table");
      return table(*field.schema, value, field.child(record), below);
    }
    if (field.type == FieldType::list) {
      if (value.type != NodeType::list) return wrong_shape(field, value, "a list of tables");
      if (static_cast<std::int64_t>(value.items.size()) < field.rules.least) {
        return missing_key(field, value, path);
      }
      bool good = true;
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        const Node& item = value.items[i];
        if (item.type != NodeType::table) {
          good = wrong_shape(field, item, "a table");
        } else if (!table(*field.schema, item, field.child(record),
                          fmt::format("{}[{}]", below, i))) {
          good = false;
        }
      }
      return good;
    }
    scalar = read_scalar(field, value, diagnostics_);
    if (!scalar) return false;
    field.store(record, *scalar);
    note(below, value.text, value.location, field);
    return true;
  }

  bool absent(const Field& field, const Node& node, void* record, const std::string& path,
              std::optional<Scalar>& scalar) {
    const bool nested_need = field.type == FieldType::table && field.schema->needs_a_key();
    if (field.rules.required || nested_need) return missing_key(field, node, path);
    if (field.type == FieldType::table) {
      Node empty;
      empty.location = node.location;
      return table(*field.schema, empty, field.child(record), join_path(path, field.key));
    }
    if (field.rules.fallback) {
      scalar = read_fallback(field, *field.rules.fallback);
      field.store(record, *scalar);
      note(join_path(path, field.key), std::string(*field.rules.fallback), {}, field);
    }
    return true;
  }

  // Keys that are absent and take the value of another key of their table.
  void copy_values(const TableSchema& schema, const Node& node, void* record,
                   const std::string& path, const std::vector<std::optional<Scalar>>& values) {
    for (const Field& field : schema.fields()) {
      if (field.rules.same_as.empty() || node.find(field.key) != nullptr) continue;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const Field& other = schema.fields()[i];
        if (other.key != field.rules.same_as || !values[i]) continue;
        field.store(record, *values[i]);
        note(join_path(path, field.key), fmt::format("same as {}", other.key), {}, field);
      }
    }
  }

  void note(std::string path, std::string value, Location location, const Field& field) {
    if (settings_ == nullptr) return;
    std::string comment;
    if (location.file != nullptr) comment = comment_of(location.file->line(location.span.line));
    settings_->push_back({std::move(path), std::move(value), location, std::move(comment),
                          std::string(field.rules.help)});
  }

  void unknown_key(const TableSchema& schema, const Entry& entry, const std::string& path) {
    std::string help;
    std::string suggestion;
    const std::string below = path_below(schema, entry.key);
    const Field* meant = meant_key(schema, entry.key);
    if (!below.empty()) {
      suggestion = below;
      help = fmt::format("did you mean `{}`?", below);
    } else if (meant != nullptr) {
      suggestion = meant->key;
      help = fmt::format("did you mean `{}`?", meant->key);
      if (meant->type == FieldType::quantity) {
        help += fmt::format(" quantities are strings with a unit: {}", example_of(*meant));
      }
    } else {
      std::vector<std::string_view> keys;
      for (const Field& field : schema.fields()) keys.push_back(field.key);
      help = fmt::format("keys of {}: {}", table_name(schema, path), fmt::join(keys, ", "));
    }
    diagnostics_.add({.code = "E104",
                      .location = entry.key_location,
                      .message = fmt::format("unknown key `{}`", entry.key),
                      .label = fmt::format("not a key of {}", table_name(schema, path)),
                      .notes = {},
                      .help = std::move(help),
                      .suggestion = std::move(suggestion)});
  }

  bool missing_key(const Field& field, const Node& node, const std::string& path) {
    if (incomplete_) return false;
    const bool nested = field.type == FieldType::table || field.type == FieldType::list;
    diagnostics_.add(
        {.code = "E105",
         .location = node.location,
         .message = fmt::format("`{}` is missing", join_path(path, field.key)),
         .label = "",
         .notes = {},
         .help = nested ? fmt::format("add [{}]: {}", join_path(path, field.key), field.rules.help)
                        : fmt::format("add {}: {}", example_of(field), field.rules.help),
         .suggestion = ""});
    return false;
  }

  bool wrong_shape(const Field& field, const Node& value, std::string_view expected) {
    diagnostics_.add({.code = "E106",
                      .location = value.location,
                      .message = fmt::format("`{}` has the wrong type", field.key),
                      .label = fmt::format("expected {}, found {}", expected, name(value.type)),
                      .notes = {},
                      .help = "",
                      .suggestion = ""});
    return false;
  }

  Diagnostics& diagnostics_;
  Settings* settings_;
  bool incomplete_ = false;  // within a table of which a part is missing
};

}  // namespace

Node expand(const TableSchema& schema, Node table) {
  if (table.is_scalar() && !schema.shorthand().empty()) {
    Node written_out;
    written_out.location = table.location;
    for (const std::string& key : schema.shorthand()) {
      written_out.set(key, table.location, table);
    }
    table = std::move(written_out);
  }
  for (Entry& entry : table.entries) {
    const Field* field = schema.find(entry.key);
    if (field == nullptr || field->schema == nullptr) continue;
    if (field->type == FieldType::table) {
      entry.value = expand(*field->schema, std::move(entry.value));
    } else {
      for (Node& item : entry.value.items) item = expand(*field->schema, std::move(item));
    }
  }
  return table;
}

bool read_table(const TableSchema& schema, const Node& table, void* record,
                Diagnostics& diagnostics, Settings* settings) {
  return Reader(diagnostics, settings).table(schema, table, record, "");
}

}  // namespace memsim::scenarios
