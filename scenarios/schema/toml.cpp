#include "scenarios/schema/toml.hpp"

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

Node parse(const SourceFile& file, std::string_view text) {
  Node root = to_table(file, toml::parse(text));
  root.location = {&file, {1, 1, 2}};  // what a whole file lacks is said at its beginning
  return root;
}

void blank_line(std::string& text, std::uint32_t number) {
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < number; ++line) begin = text.find('\n', begin) + 1;
  std::fill(
      text.begin() + static_cast<std::ptrdiff_t>(begin),
      text.begin() + static_cast<std::ptrdiff_t>(std::min(text.find('\n', begin), text.size())),
      ' ');
}

}  // namespace

std::optional<Node> parse_toml(const SourceFile& file, Diagnostics& diagnostics) {
  if (const std::optional<Span> place = too_deep_key(file.text())) {
    diagnostics.add(too_deep(file, *place));
    return std::nullopt;
  }
  std::string text = file.text();
  std::uint32_t last_line = 0;
  for (std::size_t i = 0; i < Diagnostics::shown_at_most; ++i) {
    try {
      Node root = parse(file, text);
      root.incomplete = last_line > 0;
      return root;
    } catch (const toml::parse_error& error) {
      const toml::source_position at = error.source().begin;
      const SyntaxError found =
          explain(file, text, error.description(), std::max<std::uint32_t>(1, at.line), at.column);
      const std::uint32_t line = found.diagnostic.location.span.line;
      if (line <= last_line) return std::nullopt;  // follows from what was left out
      diagnostics.add(found.diagnostic);
      if (!found.within_line) return std::nullopt;
      blank_line(text, line);
      last_line = line;
    }
  }
  return std::nullopt;
}

std::optional<Node> try_parse_toml(const SourceFile& file, std::string_view text) {
  if (too_deep_key(text)) return std::nullopt;
  try {
    return parse(file, text);
  } catch (const toml::parse_error&) {
    return std::nullopt;
  }
}

}  // namespace memsim::scenarios
