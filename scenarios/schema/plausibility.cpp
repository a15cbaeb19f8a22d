#include "scenarios/schema/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "scenarios/schema/display.hpp"
#include "scenarios/schema/unit.hpp"

namespace memsim::scenarios {
namespace {

bool is_usual(const Field& field, std::int64_t value) {
  const auto& [least, most] = field.rules.usual;
  return value >= std::max(least, field.rules.least) && value <= std::min(most, field.rules.most);
}

bool is_bit(const Unit& unit) { return unit.family == "b"; }

// How unlikely it is to mistake one unit for another, 0: nobody does. A prefix beside the right one
// is easily typed; bits and bytes differ by the case of one letter.
std::int64_t distance(const Unit& written, const Unit& other) {
  if (&written == &other || written.dimension != other.dimension) return 0;
  const std::int64_t larger = std::max(written.numerator, other.numerator);
  const std::int64_t smaller = std::min(written.numerator, other.numerator);
  if (written.family == other.family) {
    std::int64_t steps = 0;
    for (std::int64_t ratio = larger / smaller; ratio > 1; ratio /= 1000) ++steps;
    return steps;
  }
  const bool same_prefix = written.numerator == other.numerator;
  return same_prefix && is_bit(written) != is_bit(other) ? 2 : 0;
}

// The same number in the nearest unit in which it is usual.
std::string in_other_unit(const Field& field, const Node& node) {
  const std::optional<Written> written = split_quantity(node.text);
  if (!written || written->unit->dimension != field.dimension) return "";
  std::string meant;
  std::int64_t nearest = std::numeric_limits<std::int64_t>::max();
  for (const Unit& unit : units()) {
    const std::int64_t far = distance(*written->unit, unit);
    if (far == 0 || far >= nearest) continue;
    std::string text = fmt::format("{} {}", written->number, unit.symbol);
    const auto value = parse_quantity(text, field.dimension);
    if (!value || !is_usual(field, *value)) continue;
    nearest = far;
    meant = fmt::format("\"{}\"", text);
  }
  return meant;
}

// 0.93 for 93.
std::string as_share(const Node& node) {
  constexpr std::int64_t percent = 100;
  const std::optional<std::int64_t> value = parse_fraction(node.text);
  const bool is_percentage =
      value && *value > models::parts_per_million && *value <= percent * models::parts_per_million;
  return is_percentage ? format_fraction(*value / percent) : "";
}

Diagnostic question(std::string_view code, const Node& node, std::string message, std::string label,
                    std::string help, std::string suggestion) {
  return {.code = std::string(code),
          .location = node.location,
          .message = std::move(message),
          .label = std::move(label),
          .notes = {},
          .help = std::move(help),
          .suggestion = std::move(suggestion)};
}

bool is_typed(const Node& node) {
  return node.location.file != nullptr && node.location.file->role() == SourceRole::command_line;
}

// An amount of memory in bits, or a rate that is sold in bits and is usual only if these bytes are.
std::optional<Diagnostic> bits_and_bytes(const Field& field, const Node& node, std::int64_t value) {
  const std::optional<Written> written = split_quantity(node.text);
  if (field.type != FieldType::quantity || !written) return std::nullopt;
  const bool memory_in_bits = field.dimension == Dimension::bytes && is_bit(*written->unit);
  const bool rate_in_bytes =
      field.rules.in_bits && !is_bit(*written->unit) && value > field.rules.usual.most;
  if (!memory_in_bits && !rate_in_bytes) return std::nullopt;
  std::string symbol = written->unit->symbol;
  const std::size_t letter = symbol.find(written->unit->family);
  symbol.replace(letter, written->unit->family.size(), memory_in_bits ? "B" : "b");
  std::string meant = fmt::format("{} {}", written->number, symbol);
  const auto other = parse_quantity(meant, field.dimension);
  if (rate_in_bytes && (!other || !is_usual(field, *other))) return std::nullopt;
  meant = fmt::format("\"{}\"", meant);
  return question(
      is_typed(node) ? "W135" : "E125", node,
      fmt::format("{} is in {}", assignment(field, node), memory_in_bits ? "bits" : "bytes"),
      memory_in_bits ? "amounts of memory are given in bytes (B), b is a bit"
                     : "rates of this kind are given in bits (b), B is a byte",
      fmt::format("did you mean {}?", meant), meant);
}

// A figure of one that is usual for several together.
std::optional<Diagnostic> sum_instead_of_one(const Field& field, const Node& node,
                                             std::int64_t value) {
  if (field.rules.each.empty() || value <= field.rules.usual.most) return std::nullopt;
  // As many as there are in a node, the commonest first.
  const bool typed = is_typed(node);
  for (const std::int64_t count : {8, 4, 2, 16, 12, 6}) {
    if (!is_usual(field, value / count)) continue;
    const std::string one = format_value(field, value / count);
    Diagnostic sum = question(
        typed ? "W134" : "E134", node, fmt::format("{} looks like a sum", assignment(field, node)),
        fmt::format("{} {}s of {} have as much together", count, field.rules.each, one),
        fmt::format("the figure of one {} is meant: {} = \"{}\"?", field.rules.each, field.key,
                    one),
        fmt::format("\"{}\"", one));
    if (!typed)
      sum.notes.emplace_back("a file of a machine that is not built says imaginary = true");
    return sum;
  }
  return std::nullopt;
}

}  // namespace

std::string format_value(const Field& field, std::int64_t value) {
  if (field.type == FieldType::quantity) return format_quantity(value, field.dimension);
  if (field.type == FieldType::fraction) return format_fraction(value);
  return std::to_string(value);
}

std::string assignment(const Field& field, const Node& node) {
  const std::string value = shortened(node.text);
  return node.type == NodeType::text ? fmt::format("`{} = \"{}\"`", field.key, value)
                                     : fmt::format("`{} = {}`", field.key, value);
}

std::string probably_meant(const Field& field, const Node& node) {
  const bool has_usual = field.rules.usual != Range{};
  if (field.type == FieldType::quantity) return has_usual ? in_other_unit(field, node) : "";
  return field.type == FieldType::fraction ? as_share(node) : "";
}

std::optional<Diagnostic> doubt(const Field& field, const Node& node, std::int64_t value) {
  const Range& usual = field.rules.usual;
  const bool says_none = value == 0 && field.rules.least <= 0;
  if (says_none) return std::nullopt;
  if (auto confused = bits_and_bytes(field, node, value)) return confused;
  if (is_usual(field, value)) return std::nullopt;
  if (const auto sum = sum_instead_of_one(field, node, value)) return sum;
  const bool open = usual.most == std::numeric_limits<std::int64_t>::max();
  std::string label = open ? fmt::format("usual are {} and more", format_value(field, usual.least))
                           : fmt::format("usual are {} to {}", format_value(field, usual.least),
                                         format_value(field, usual.most));
  const std::string meant = probably_meant(field, node);
  return question("W135", node, fmt::format("{} is unlikely", assignment(field, node)),
                  std::move(label), meant.empty() ? "" : fmt::format("did you mean {}?", meant),
                  meant);
}

}  // namespace memsim::scenarios
