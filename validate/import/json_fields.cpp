#include "validate/import/json_fields.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace memsim::validate {

using scenarios::Diagnostics;
using scenarios::Entry;
using scenarios::Node;
using scenarios::NodeType;

std::string describe(const Node& value) {
  constexpr std::size_t longest = 40;
  switch (value.type) {
    case NodeType::table:
      return "an object";
    case NodeType::list:
      return "a list";
    case NodeType::text:
      return fmt::format("the string \"{:.{}}{}\"", value.text, longest,
                         value.text.size() > longest ? "..." : "");
    default:
      return value.text.size() <= longest ? value.text : value.text.substr(0, longest) + "...";
  }
}

void report_type(const Node& value, const std::string& path, std::string_view expected,
                 Diagnostics& diagnostics) {
  diagnostics.add({.code = "E106",
                   .location = value.location,
                   .message = fmt::format("{} is {}", path, describe(value)),
                   .label = fmt::format("expected {}", expected),
                   .notes = {},
                   .help = "",
                   .suggestion = ""});
}

std::optional<std::int64_t> read_integer(const Node& value, const std::string& path,
                                         std::int64_t least, std::int64_t most,
                                         Diagnostics& diagnostics) {
  const bool whole = value.type == NodeType::integer;
  // Digits without end are an integer too, if one that nothing can hold.
  const bool too_large =
      value.type == NodeType::real && value.text.find_first_of(".eE") == std::string::npos;
  if (!whole && !too_large) {
    report_type(value, path, "an integer", diagnostics);
    return std::nullopt;
  }
  if (whole && value.integer >= least && value.integer <= most) return value.integer;
  diagnostics.add({.code = "E124",
                   .location = value.location,
                   .message = fmt::format("{} is {}", path, describe(value)),
                   .label = fmt::format("expected an integer from {} to {}", least, most),
                   .notes = {},
                   .help = "",
                   .suggestion = ""});
  return std::nullopt;
}

const Node* JsonFields::find(std::string_view key) {
  known_.emplace(key);
  const Node* const value = object_->find(key);
  return value == nullptr || value->type == NodeType::null ? nullptr : value;
}

const Node* JsonFields::require(std::string_view key) {
  const Node* const value = find(key);
  if (value == nullptr)
    diagnostics_->add({.code = "E105",
                       .location = object_->value_location(key),
                       .message = fmt::format("{} is missing", path(key)),
                       .label = "",
                       .notes = {},
                       .help = "",
                       .suggestion = ""});
  return value;
}

const Node* JsonFields::of_type(std::string_view key, NodeType type, std::string_view expected) {
  const Node* const value = find(key);
  if (value == nullptr || value->type == type) return value;
  report_type(*value, path(key), expected, *diagnostics_);
  return nullptr;
}

const Node* JsonFields::table(std::string_view key) {
  return of_type(key, NodeType::table, "an object");
}

const Node* JsonFields::list(std::string_view key) {
  return of_type(key, NodeType::list, "a list");
}

std::optional<std::string> JsonFields::text(std::string_view key) {
  const Node* const value = of_type(key, NodeType::text, "a string");
  if (value == nullptr) return std::nullopt;
  return value->text;
}

std::optional<bool> JsonFields::flag(std::string_view key) {
  const Node* const value = of_type(key, NodeType::flag, "true or false");
  if (value == nullptr) return std::nullopt;
  return value->flag;
}

std::optional<std::int64_t> JsonFields::integer(std::string_view key, std::int64_t least,
                                                std::int64_t most) {
  const Node* const value = find(key);
  if (value == nullptr) return std::nullopt;
  return read_integer(*value, path(key), least, most, *diagnostics_);
}

std::optional<std::int64_t> JsonFields::millionths(std::string_view key) {
  const Node* const value = find(key);
  if (value == nullptr) return std::nullopt;
  double share = -1;
  if (value->type == NodeType::real || value->type == NodeType::integer)
    std::from_chars(value->text.data(), value->text.data() + value->text.size(), share);
  if (share >= 0 && share <= 1) return std::llround(share * 1e6);
  report_type(*value, path(key), "a number between 0 and 1", *diagnostics_);
  return std::nullopt;
}

std::vector<const Entry*> JsonFields::unknown() const {
  std::vector<const Entry*> entries;
  for (const Entry& entry : object_->entries)
    if (!known_.contains(entry.key)) entries.push_back(&entry);
  return entries;
}

void JsonFields::report_unknown(const Entry& entry, const std::string& meant) {
  diagnostics_->add({.code = "E104",
                     .location = entry.key_location,
                     .message = fmt::format("{} is not known", path(entry.key)),
                     .label = "",
                     .notes = {},
                     .help = meant.empty() ? "" : fmt::format("did you mean `{}`?", meant),
                     .suggestion = meant});
}

std::string JsonFields::path(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

}  // namespace memsim::validate
