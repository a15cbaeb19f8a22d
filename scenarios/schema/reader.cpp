#include "scenarios/schema/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "scenarios/schema/key_names.hpp"
#include "scenarios/schema/layered.hpp"
#include "scenarios/schema/scalar.hpp"

namespace memsim::scenarios {
namespace {

class Reader {
 public:
  Reader(Faults& faults, Diagnostics& diagnostics, Settings* settings)
      : faults_(faults), diagnostics_(diagnostics), settings_(settings) {}

  // A table being read, and where it goes.
  struct Table {
    const TableSchema& schema;
    const Node& node;
    void* record;
    std::string path;
  };

  bool read(const Table& table) {
    const bool outer = std::exchange(incomplete_, incomplete_ || table.node.incomplete);
    const bool outer_imaginary = std::exchange(imaginary_, imaginary_ || table.node.imaginary);
    const bool good = keys(table);
    incomplete_ = outer;
    imaginary_ = outer_imaginary;
    const std::size_t before = diagnostics_.errors_added();
    for (const TableSchema::Check& check : table.schema.checks()) {
      const bool hidden = std::ranges::any_of(check.keys, [&](const std::string& key) {
        return faults_.hide(join_path(table.path, key));
      });
      if (!hidden) check.look(table.record, table.node, diagnostics_);
    }
    const bool whole = !table.node.incomplete && !table.node.without_part;
    return good && whole && diagnostics_.errors_added() == before;
  }

 private:
  bool keys(const Table& table) {
    bool good = true;
    for (const Entry& entry : table.node.entries) {
      if (table.schema.find(entry.key) != nullptr) continue;
      Diagnostic unknown = unknown_key(table.schema, table.node, table.path, entry);
      // What was probably meant is not what the record will say.
      if (!unknown.suggestion.empty()) fault(join_path(table.path, unknown.suggestion));
      diagnostics_.add(std::move(unknown));
      good = false;
    }
    std::vector<std::optional<Scalar>> values(table.schema.fields().size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Field& field = table.schema.fields()[i];
      const Node* value = table.node.find(field.key);
      const bool read = value != nullptr ? given(table, field, *value, values[i])
                                         : absent(table, field, values[i]);
      const bool nested = field.type == FieldType::table || field.type == FieldType::list;
      if (!read && !nested) fault(join_path(table.path, field.key));
      good = read && good;
    }
    copy_values(table, values);
    return good;
  }

  bool given(const Table& table, const Field& field, const Node& value,
             std::optional<Scalar>& scalar) {
    const std::string path = join_path(table.path, field.key);
    if (field.type == FieldType::table) {
      if (value.type != NodeType::table) return wrong_shape(field, value, path, "a table");
      return read({*field.schema, value, field.child(table.record), path});
    }
    if (field.type == FieldType::list) return list(table, field, value, path);
    scalar = read_value(table, field, value);
    if (!scalar) return false;
    Setting setting{path, value.text, value.location, {}, std::string(field.rules.help), {}};
    if (!follow(table.schema, table.node, field, *scalar, setting, diagnostics_)) return false;
    warn_if_ruled(table.node, field, path, diagnostics_);
    field.store(table.record, *scalar);
    note(std::move(setting));
    return true;
  }

  // A scalar in place of the table (`achieved = 0.8`) is the value of several keys, and wrong once.
  std::optional<Scalar> read_value(const Table& table, const Field& field, const Node& value) {
    const bool in_place = value.location == table.node.location && !table.path.empty();
    if (!in_place) return read_scalar(field, value, diagnostics_, imaginary_);
    if (value.location == wrong_shorthand_) return std::nullopt;
    Field named = field;
    named.key = table.path.substr(table.path.rfind('.') + 1);
    std::optional<Scalar> scalar = read_scalar(named, value, diagnostics_, imaginary_);
    if (!scalar) wrong_shorthand_ = value.location;
    return scalar;
  }

  bool list(const Table& table, const Field& field, const Node& value, const std::string& path) {
    if (value.type != NodeType::list) return wrong_shape(field, value, path, "a list of tables");
    const auto size = static_cast<std::int64_t>(value.items.size());
    if (size < field.rules.least) return missing_key(table, field, value);
    if (size > field.rules.most) {
      fault(path);
      return report("E124", value.location, fmt::format("`{}` has {} entries", path, size),
                    fmt::format("expected at most {}", field.rules.most));
    }
    bool good = true;
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const Node& item = value.items[i];
      const std::string item_path = fmt::format("{}[{}]", path, i);
      void* const record = field.child(table.record);  // one for each, so that indices agree
      if (item.type != NodeType::table) {
        good = wrong_shape(field, item, item_path, "a table");
      } else if (!read({*field.schema, item, record, item_path})) {
        good = false;
      }
    }
    return good;
  }

  bool absent(const Table& table, const Field& field, std::optional<Scalar>& scalar) {
    const std::string path = join_path(table.path, field.key);
    if (incomplete_ || (table.node.without_part && field.of_part)) {
      fault(path);  // whatever it is, it is in what could not be read
      return false;
    }
    const bool nested_need = field.type == FieldType::table && field.schema->needs_a_key();
    if (field.rules.required || nested_need) return missing_key(table, field, table.node);
    if (field.type == FieldType::table) {
      Node empty;
      empty.location = table.node.location;
      return read({*field.schema, empty, field.child(table.record), path});
    }
    if (field.rules.fallback) {
      scalar = read_fallback(field, *field.rules.fallback);
      field.store(table.record, *scalar);
      note({path, std::string(*field.rules.fallback), {}, {}, std::string(field.rules.help), {}});
    }
    return true;
  }

  // Keys that are absent and take the value of another key of their table.
  void copy_values(const Table& table, const std::vector<std::optional<Scalar>>& values) {
    for (const Field& field : table.schema.fields()) {
      if (field.rules.same_as.empty() || table.node.find(field.key) != nullptr) continue;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const Field& other = table.schema.fields()[i];
        if (other.key != field.rules.same_as || !values[i]) continue;
        field.store(table.record, *values[i]);
        note({join_path(table.path, field.key),
              fmt::format("same as {}", other.key),
              {},
              {},
              std::string(field.rules.help),
              {}});
      }
    }
  }

  void note(Setting setting) {
    if (settings_ == nullptr) return;
    const Location& at = setting.location;
    if (setting.comment.empty() && at.file != nullptr) {
      // Values often share a line, which may be long.
      if (at.file != commented_.file || at.span.line != commented_.span.line) {
        commented_ = at;
        comment_ = comment_of(at.file->line(at.span.line));
      }
      setting.comment = comment_;
    }
    settings_->push_back(std::move(setting));
  }

  bool missing_key(const Table& table, const Field& field, const Node& node) {
    const std::string path = join_path(table.path, field.key);
    fault(path);
    const bool nested = field.type == FieldType::table || field.type == FieldType::list;
    return report("E105", node.location, fmt::format("`{}` is missing", path), "",
                  nested ? fmt::format("add [{}]: {}", path, field.rules.help)
                         : fmt::format("add {}: {}", example_of(field), field.rules.help));
  }

  bool wrong_shape(const Field& field, const Node& value, const std::string& path,
                   std::string_view expected) {
    fault(path);
    return report("E106", value.location, fmt::format("`{}` has the wrong type", field.key),
                  fmt::format("expected {}, found {}", expected, name(value.type)));
  }

  // Returns false.
  bool report(std::string_view code, const Location& at, std::string message, std::string label,
              std::string help = "", std::string suggestion = "") {
    diagnostics_.add({.code = std::string(code),
                      .location = at,
                      .message = std::move(message),
                      .label = std::move(label),
                      .notes = {},
                      .help = std::move(help),
                      .suggestion = std::move(suggestion)});
    return false;
  }

  void fault(std::string path) { faults_.add(std::move(path)); }

  Faults& faults_;
  Diagnostics& diagnostics_;
  Settings* settings_;
  bool incomplete_ = false;   // within a table of which a part is missing
  bool imaginary_ = false;    // within one of what does not exist
  Location wrong_shorthand_;  // of one that was reported
  Location commented_;        // comment_ is that of its line
  std::string comment_;
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
    const std::optional<ItemKey> one = item_key(entry.key);
    const Field* field = schema.find(one ? one->list : entry.key);
    if (field == nullptr || field->schema == nullptr) continue;
    if (field->type == FieldType::table || one) {
      entry.value = expand(*field->schema, std::move(entry.value));
    } else {
      for (Node& item : entry.value.items) item = expand(*field->schema, std::move(item));
    }
  }
  return table;
}

bool read_table(const TableSchema& schema, const Node& table, void* record, Faults& faults,
                Diagnostics& diagnostics, Settings* settings) {
  return Reader(faults, diagnostics, settings).read({schema, table, record, ""});
}

}  // namespace memsim::scenarios
