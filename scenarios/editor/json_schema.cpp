#include "scenarios/editor/json_schema.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "scenarios/schema/plausibility.hpp"
#include "scenarios/schema/unit.hpp"

namespace memsim::scenarios {
namespace {

using Json = nlohmann::ordered_json;  // keys in the order in which people read them

// Another file that a table names and lies on top of.
constexpr std::string_view part_key = "part";
constexpr std::string_view inherits_key = "inherits";

// Whether a table states everything, or only what differs from something below it.
enum class Extent : std::uint8_t { whole, overlay };

// A decimal number and a unit of the dimension: what read_decimal and find_unit take.
std::string quantity_pattern(Dimension dimension) {
  std::string symbols;
  for (const Unit& unit : units())
    if (unit.dimension == dimension) symbols += (symbols.empty() ? "" : "|") + unit.symbol;
  return fmt::format(R"(^ *[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)? *({}) *$)", symbols);
}

// 0.93: a decimal number as it stands in files.
Json share(std::int64_t millionths) { return Json::parse(format_fraction(millionths)); }

bool is_figure(FieldType type) {
  return type == FieldType::quantity || type == FieldType::count || type == FieldType::fraction;
}

// "nominal; 1 MB/s to 1 PB/s, usual are 20 GB/s to 8 TB/s"
std::string description(const Field& field) {
  const FieldRules& rules = field.rules;
  std::string text(rules.help);
  if (!is_figure(field.type)) return text;
  if (rules.most != FieldRules{}.most)
    text += fmt::format("; {} to {}", format_value(field, rules.least),
                        format_value(field, rules.most));
  if (rules.usual != Range{} && rules.usual.most != Range{}.most)
    text += fmt::format(", usual are {} to {}", format_value(field, rules.usual.least),
                        format_value(field, rules.usual.most));
  return text;
}

// A value as it is written in a file, as JSON.
Json written(const Field& field, std::string_view text) {
  switch (field.type) {
    case FieldType::flag:
      return text == "true";
    case FieldType::count:
      return std::stoll(std::string(text));
    case FieldType::fraction:
      return share(parse_fraction(text).value());
    default:
      return text;
  }
}

// What values a field takes that is no table and no list.
Json scalar_type(const Field& field) {
  const FieldRules& rules = field.rules;
  switch (field.type) {
    case FieldType::flag:
      return {{"type", "boolean"}};
    case FieldType::count:
      return {{"type", "integer"}, {"minimum", rules.least}, {"maximum", rules.most}};
    case FieldType::fraction:
      return {{"type", "number"}, {"minimum", share(rules.least)}, {"maximum", share(rules.most)}};
    case FieldType::quantity:
      return {{"type", "string"}, {"pattern", quantity_pattern(field.dimension)}};
    case FieldType::choice:
      return {{"enum", field.words}};
    default:
      break;
  }
  Json text{{"type", "string"}};
  if (rules.most != FieldRules{}.most) text["maxLength"] = rules.most;
  return text;
}

class Writer {
 public:
  explicit Writer(std::span<const ShortName> short_names) : short_names_(short_names) {}

  Json form(const FileForm& form) {
    const auto file = [&](Extent extent) {
      Json table = header(form, extent);
      add_keys(*form.table, form.name, extent, table);
      // A file names what it consists of before anything else; the tables follow.
      for (const FixedKey& fixed : form.fixed) table["required"].push_back(fixed.key);
      if (extent == Extent::overlay) table["required"].push_back(inherits_key);
      return table;
    };
    if (!form.is_hardware) return file(Extent::whole);
    return {{"oneOf", Json::array({file(Extent::whole), file(Extent::overlay)})}};
  }

  [[nodiscard]] Json take_definitions() { return std::move(definitions_); }

 private:
  static Json empty_table(std::string_view title) {
    return {{"title", title},
            {"type", "object"},
            {"properties", Json::object()},
            {"required", Json::array()},
            {"additionalProperties", false}};
  }

  static Json header(const FileForm& form, Extent extent) {
    Json table = empty_table(form.table->title());
    table["description"] = form.help;
    Json& keys = table["properties"];
    for (const FixedKey& fixed : form.fixed) keys[fixed.key] = {{"const", fixed.value}};
    if (!form.is_hardware) return table;
    if (extent == Extent::overlay)
      keys[inherits_key] = {{"description", "file or entry of the same kind to start from"},
                            {"type", "string"}};
    keys["imaginary"] = {{"description", "it is not built: unusual figures are meant"},
                         {"type", "boolean"}};
    return table;
  }

  void add_keys(const TableSchema& schema, const std::string& path, Extent extent, Json& table) {
    for (const Field& field : schema.fields()) {
      const std::string below = path + "." + field.key;
      if (!table["properties"].contains(field.key))  // else it is fixed
        table["properties"][field.key] = value(field, below, extent);
      if (extent == Extent::overlay && field.type == FieldType::list)
        table["patternProperties"][fmt::format(R"(^{}\[[0-9]+\]$)", field.key)] =
            reference(*field.schema, below, Extent::overlay);
      const bool nested_need = field.type == FieldType::table && field.schema->needs_a_key();
      const bool needed = field.rules.required || nested_need;
      if (needed && extent == Extent::whole && !is_fixed(table, field.key))
        table["required"].push_back(field.key);
    }
    for (const ShortName& name : short_names_)
      if (name.table == &schema) table["properties"][name.word] = table["properties"][name.key];
  }

  static bool is_fixed(const Json& table, const std::string& key) {
    return table["properties"][key].contains("const");
  }

  Json value(const Field& field, const std::string& path, Extent extent) {
    Json result{{"description", description(field)}};
    if (field.type == FieldType::table) {
      result.update(table_value(field, path, extent));
    } else if (field.type == FieldType::list) {
      result.update(list_value(field, path, extent));
    } else {
      result.update(scalar_type(field));
      if (field.rules.fallback) result["default"] = written(field, *field.rules.fallback);
      if (!field.rules.example.empty())
        result["examples"] = Json::array({written(field, field.rules.example)});
    }
    return result;
  }

  Json table_value(const Field& field, const std::string& path, Extent extent) {
    Json table = reference(*field.schema, path, extent);
    if (field.schema->shorthand().empty()) return table;
    const Field& first = *field.schema->find(field.schema->shorthand().front());
    return {{"anyOf", Json::array({std::move(table), scalar_type(first)})}};
  }

  Json list_value(const Field& field, const std::string& path, Extent extent) {
    Json list{{"type", "array"}, {"items", reference(*field.schema, path, Extent::whole)}};
    if (field.rules.least > 0) list["minItems"] = field.rules.least;
    if (field.rules.most != FieldRules{}.most) list["maxItems"] = field.rules.most;
    if (extent == Extent::whole) return list;
    // A table over a list is laid on top of each of its tables.
    Json each = reference(*field.schema, path, Extent::overlay);
    return {{"anyOf", Json::array({std::move(list), std::move(each)})}};
  }

  // A table's definition, written once however often it occurs.
  Json reference(const TableSchema& schema, const std::string& path, Extent extent) {
    const auto [known, added] =
        names_.try_emplace({&schema, extent}, extent == Extent::whole ? path : path + " (overlay)");
    const std::string name = known->second;
    if (added) definitions_[name] = definition(schema, path, extent);
    return {{"$ref", "#/$defs/" + name}};
  }

  Json definition(const TableSchema& schema, const std::string& path, Extent extent) {
    Json table = empty_table(schema.title());
    add_keys(schema, path, extent, table);
    if (extent == Extent::overlay || schema.find(part_key) == nullptr) return table;
    // Placed by the name of a part, a table states what differs from it.
    Json placed = empty_table(schema.title());
    add_keys(schema, path, Extent::overlay, placed);
    placed["required"].push_back(part_key);
    for (const Json& key : table["required"])
      if (own_key(schema, key)) placed["required"].push_back(key);
    table["properties"].erase(std::string(part_key));
    return {{"oneOf", Json::array({std::move(table), std::move(placed)})}};
  }

  // Whether a key of a placement is its own, not one of the part: it stands before `part`.
  static bool own_key(const TableSchema& schema, const std::string& key) {
    for (const Field& field : schema.fields()) {
      if (field.key == part_key) return false;
      if (field.key == key) return true;
    }
    return false;
  }

  std::span<const ShortName> short_names_;
  Json definitions_ = Json::object();
  std::map<std::pair<const TableSchema*, Extent>, std::string> names_;
};

}  // namespace

std::string json_schema(std::string_view title, std::span<const FileForm> forms,
                        std::span<const ShortName> short_names) {
  Writer writer(short_names);
  Json document{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
  Json all = Json::array();
  for (const FileForm& form : forms) all.push_back(writer.form(form));
  if (all.size() == 1)
    document.update(all.front());
  else
    document["oneOf"] = std::move(all);
  document["$defs"] = writer.take_definitions();
  return document.dump(2) + "\n";
}

}  // namespace memsim::scenarios
