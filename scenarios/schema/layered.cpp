#include "scenarios/schema/layered.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>

#include "scenarios/schema/display.hpp"
#include "scenarios/schema/plausibility.hpp"
#include "scenarios/schema/quantity.hpp"
#include "scenarios/schema/scalar.hpp"
#include "sim/core/int128.hpp"

namespace memsim::scenarios {
namespace {

constexpr std::uint32_t top = std::numeric_limits<std::uint32_t>::max();

std::optional<std::int64_t> stated_value(const Field& field, const Node& node) {
  Diagnostics ignored;  // the field is read, and reported, on its own
  const std::optional<Scalar> scalar = read_scalar(field, node, ignored, true);
  return scalar ? std::optional(scalar->integer) : std::nullopt;
}

// The value of a field when `layer` was the highest one. Empty: there was none, or none that 64
// bits can count.
std::optional<std::int64_t> value_as_of(const TableSchema& schema, const Node& table,
                                        const Field& field, std::uint32_t layer) {
  const Node* node = as_of(table.find(field.key), layer);
  if (node == nullptr) return std::nullopt;
  const std::optional<std::int64_t> stated = stated_value(field, *node);
  if (!stated || field.rules.follows.empty()) return stated;
  const Field& leader = *schema.find(field.rules.follows);
  const std::optional<std::int64_t> before = value_as_of(schema, table, leader, node->layer);
  const std::optional<std::int64_t> now = value_as_of(schema, table, leader, layer);
  if (!before || !now || *before <= 0) return stated;
  const sim::Int128 value = static_cast<sim::Int128>(*stated) * *now / *before;
  if (value > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

// The key whose replacement above `layer` moved a field.
const Field& moved_by(const TableSchema& schema, const Node& table, const Field& field,
                      std::uint32_t layer) {
  const Field& leader = *schema.find(field.rules.follows);
  const bool itself = table.find(leader.key)->layer > layer || leader.rules.follows.empty();
  return itself ? leader : moved_by(schema, table, leader, layer);
}

Diagnostic out_of_range(const Field& field, const Field& leader, std::string note,
                        const Location& at) {
  return {.code = "E124",
          .location = at,
          .message = fmt::format("`{}` follows `{}` out of its range", field.key, leader.key),
          .label = fmt::format("expected {} to {}", format_value(field, field.rules.least),
                               format_value(field, field.rules.most)),
          .notes = {std::move(note)},
          .help = fmt::format("set `{}` as well", field.key),
          .suggestion = ""};
}

}  // namespace

const Node* as_of(const Node* node, std::uint32_t layer) {
  while (node != nullptr && node->layer > layer) node = node->replaced.get();
  return node;
}

bool follow(const TableSchema& schema, const Node& table, const Field& field, Scalar& scalar,
            Setting& setting, Diagnostics& diagnostics) {
  if (field.rules.follows.empty()) return true;
  const std::optional<std::int64_t> value = value_as_of(schema, table, field, top);
  if (value == scalar.integer) return true;
  const Node& stated = *table.find(field.key);
  const Field& leader = moved_by(schema, table, field, stated.layer);
  const Node& now = *table.find(leader.key);
  const std::string before = as_of(&now, stated.layer)->text;
  std::string note =
      fmt::format("{} at {} = {}", shortened(stated.text), leader.key, shortened(before));
  if (!value || *value < field.rules.least || *value > field.rules.most) {
    diagnostics.add(out_of_range(field, leader, std::move(note), now.location));
    return false;
  }
  scalar.integer = *value;
  setting.value = exact_quantity(*value, field.dimension);
  setting.location = now.location;
  setting.follows = leader.key;
  setting.comment = std::move(note);
  return true;
}

void warn_if_ruled(const Node& table, const Field& field, const std::string& path,
                   Diagnostics& diagnostics) {
  if (field.rules.ruled_by.empty()) return;
  const Node& value = *table.find(field.key);
  const Node* ruler = table.find(field.rules.ruled_by);
  if (ruler == nullptr || value.layer <= ruler->layer) return;
  if (value.replaced != nullptr && value.replaced->text == value.text) return;
  const std::string ruler_path =
      path.substr(0, path.size() - field.key.size()) + std::string(field.rules.ruled_by);
  diagnostics.add({.code = "W136",
                   .location = value.location,
                   .message = fmt::format("{} changes nothing", assignment(field, value)),
                   .label = fmt::format("`{}` rules, and stays {}", field.rules.ruled_by,
                                        shortened(ruler->text)),
                   .notes = {},
                   .help = fmt::format("set `{}` as well", ruler_path),
                   .suggestion = ""});
}

}  // namespace memsim::scenarios
