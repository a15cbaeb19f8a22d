#include "scenarios/schema/toml.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <utility>

#include "scenarios/schema/syntax_error.hpp"

namespace memsim::scenarios {
namespace {

// Positions of toml++ as ours. A value that spans lines is marked up to the end of its first.
Location location_of(const SourceFile& file, const toml::source_region& region) {
  Span span{region.begin.line, region.begin.column, region.end.column};
  if (region.end.line != region.begin.line) {
    span.end_column = character_count(file.line(span.line)) + 1;
  }
  return {&file, span};
}

Node to_node(const SourceFile& file, const toml::node& source);

Node to_table(const SourceFile& file, const toml::table& source) {
  Node node;
  node.location = location_of(file, source.source());
  for (const auto& [key, value] : source) {
    node.entries.push_back(
        {std::string(key.str()), location_of(file, key.source()), to_node(file, value)});
  }
  // toml++ keeps keys in alphabetical order; people read them in the order of the file.
  std::stable_sort(node.entries.begin(), node.entries.end(), [](const Entry& a, const Entry& b) {
    return a.key_location.span < b.key_location.span;
  });
  return node;
}

Node to_node(const SourceFile& file, const toml::node& source) {
  if (const toml::table* table = source.as_table()) return to_table(file, *table);
  Node node;
  node.location = location_of(file, source.source());
  if (const toml::array* list = source.as_array()) {
    node.type = NodeType::list;
    for (const toml::node& item : *list) node.items.push_back(to_node(file, item));
    return node;
  }
  node.text = text_at(node.location);
  if (const auto* text = source.as_string()) {
    node.type = NodeType::text;
    node.text = text->get();
  } else if (const auto* integer = source.as_integer()) {
    node.type = NodeType::integer;
    node.integer = integer->get();
  } else if (source.is_floating_point()) {
    node.type = NodeType::real;
    std::erase(node.text, '_');
  } else if (const auto* flag = source.as_boolean()) {
    node.type = NodeType::flag;
    node.flag = flag->get();
  } else {
    node.type = NodeType::date;
  }
  return node;
}

// "2:8 is not closed" for what is still open at the place of an error; empty if nothing is.
std::string unclosed(const SourceFile& file, std::uint32_t line, std::uint32_t column) {
  const OpenConstruct open = open_at(file.text(), line, column);
  if (open.opener == 0) return "";
  const std::string_view what = open.opener == '['   ? "list"
                                : open.opener == '{' ? "table"
                                                     : "string";
  return fmt::format("the {} that begins at {}:{} is not closed", what, open.span.line,
                     open.span.column);
}

// The cause that a description of toml++ points to, in words for somebody who wrote the file.
std::string likely_cause(const SourceFile& file, std::string_view description, std::uint32_t line,
                         std::uint32_t column) {
  const auto says = [&](std::string_view part) {
    return description.find(part) != std::string_view::npos;
  };
  if (const std::string open = unclosed(file, line, column); !open.empty()) return open;
  if (says("utf-8")) return "a byte that is not UTF-8";
  if (says("expected value, saw")) return "the value is missing";
  if (says("expected '=',")) return "a key is followed by `=` and its value";
  if (says("expected bare key")) return "a key is made of letters, digits, `_` and `-`";
  if (says("expected 'true'") || says("expected 'false'")) return "TOML writes true and false";
  if (says("expected a comment or whitespace")) {
    return "text behind the value: a quantity needs quotes, as in \"80 GB\"";
  }
  if (says("leading zeroes")) return "a number does not begin with 0";
  return std::string(description);
}

// The first place of a key that is given again at `again`, found in what stands before it.
std::optional<Location> first_place(const SourceFile& file, const Location& again) {
  const std::string_view key = text_at(again);
  std::string before;
  for (std::uint32_t i = 1; i < again.span.line; ++i) {
    before += file.line(i);
    before += '\n';
  }
  // The enclosing table is the last header before the repetition; without it, the root.
  const SourceFile prefix(file.name(), before, file.role(), file.order());
  std::optional<Node> tree = try_parse_toml(prefix);
  if (!tree) return std::nullopt;
  const Entry* found = nullptr;
  const auto search = [&](const Node& table, const auto& self) -> void {
    for (const Entry& entry : table.entries) {
      if (entry.key == key && (!found || found->key_location.span < entry.key_location.span)) {
        found = &entry;
      }
      self(entry.value, self);
    }
    for (const Node& item : table.items) self(item, self);
  };
  search(*tree, search);
  if (found == nullptr) return std::nullopt;
  return Location{&file, found->key_location.span};
}

// The repeated key or header: toml++ points behind `key =`, or at the start of the header's line.
Location repeated_key(const SourceFile& file, std::uint32_t line, std::uint32_t column) {
  constexpr std::string_view separators = " \t=";
  constexpr std::string_view around_keys = " \t{,[.";
  std::string_view before = slice(file.line(line), 1, column);
  const std::size_t last = before.find_last_not_of(separators);
  if (last != std::string_view::npos) {
    before = before.substr(0, last + 1);
  } else {
    before = file.line(line);
    before = before.substr(0, before.find(']'));
  }
  const std::size_t gap = before.find_last_of(around_keys);
  const std::string_view lead = gap == std::string_view::npos ? "" : before.substr(0, gap + 1);
  return {&file, {line, character_count(lead) + 1, character_count(before) + 1}};
}

void add_duplicate(const SourceFile& file, std::uint32_t line, std::uint32_t column,
                   Diagnostics& diagnostics) {
  const Location again = repeated_key(file, line, column);
  const std::optional<Location> before = first_place(file, again);
  diagnostics.add({.code = "E103",
                   .location = again,
                   .message = fmt::format("key `{}` is given twice", text_at(again)),
                   .label = before ? fmt::format("already given at {}:{}", before->span.line,
                                                 before->span.column)
                                   : "already given",
                   .notes = {},
                   .help = "keep one of them",
                   .suggestion = ""});
}

}  // namespace

std::optional<Node> parse_toml(const SourceFile& file, Diagnostics& diagnostics) {
  try {
    Node root = to_table(file, toml::parse(std::string_view(file.text())));
    root.location = {&file, {1, 1, 2}};  // what a whole file lacks is said at its beginning
    return root;
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    const std::uint32_t line = std::max<std::uint32_t>(1, at.line);
    // toml++ may point one beyond the end of the last line.
    const std::uint32_t column =
        std::clamp<std::uint32_t>(at.column, 1, character_count(file.line(line)) + 1);
    if (error.description().find("cannot redefine") != std::string_view::npos) {
      add_duplicate(file, line, column, diagnostics);
    } else {
      diagnostics.add({.code = "E102",
                       .location = {&file, {line, column, column + 1}},
                       .message = "this is not TOML",
                       .label = likely_cause(file, error.description(), line, column),
                       .notes = {},
                       .help = "",
                       .suggestion = ""});
    }
    return std::nullopt;
  }
}

std::optional<Node> try_parse_toml(const SourceFile& file) {
  Diagnostics ignored;
  return parse_toml(file, ignored);
}

}  // namespace memsim::scenarios
