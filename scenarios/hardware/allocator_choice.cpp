#include "scenarios/hardware/allocator_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/schema/display.hpp"
#include "scenarios/schema/spelling.hpp"
#include "sim/memory/allocators.hpp"

namespace memsim::scenarios {
namespace {

Diagnostic unknown_allocator(const std::string& name, Location at) {
  std::vector<std::string> known;
  for (const sim::AllocatorKind& kind : sim::allocator_kinds()) known.emplace_back(kind.name);
  const std::string meant = nearest(name, known);
  Diagnostic diagnostic;
  diagnostic.code = "E107";
  diagnostic.location = at;
  diagnostic.message = fmt::format("{} is no allocator", in_quotes(name));
  diagnostic.label = fmt::format("expected one of {}", fmt::join(known, ", "));
  diagnostic.help = meant.empty() ? "" : fmt::format("did you mean `{}`?", meant);
  diagnostic.suggestion = meant;
  return diagnostic;
}

Node text_node(std::string_view text, Location at) {
  Node node;
  node.type = NodeType::text;
  node.text = text;
  node.location = at;
  return node;
}

Node table_with(std::string_view key, Node value) {
  Node table;
  table.location = value.location;
  table.set(key, table.location, std::move(value));
  return table;
}

// NAME or NAME:OPTIONS as a table of an allocator.
Node typed_allocator(const std::string& text, Sources& sources) {
  const Location at = whole(sources.add("--allocator", text, SourceRole::command_line));
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view options = std::string_view(text).substr(std::min(colon + 1, text.size()));
  Node allocator;
  allocator.location = at;
  allocator.set("default", at, text_node(std::string_view(text).substr(0, colon), at));
  allocator.set("options", at, text_node(options, at));
  return allocator;
}

}  // namespace

void check_allocator(const models::AllocatorSpec& allocator, const Node& table,
                     Diagnostics& diagnostics) {
  const sim::AllocatorKind* const kind = sim::find_allocator_kind(allocator.kind);
  if (kind == nullptr) {
    diagnostics.add(unknown_allocator(allocator.kind, table.value_location("default")));
    return;
  }
  const auto checked = kind->check(allocator.options);
  if (checked) return;
  Diagnostic diagnostic;
  diagnostic.code = "E138";
  diagnostic.location = table.value_location("options");
  diagnostic.message = fmt::format("the allocator {} refuses its options", kind->name);
  diagnostic.label = printable(checked.error().message);
  diagnostics.add(std::move(diagnostic));
}

Node allocator_override(const std::string& text, Sources& sources) {
  return table_with("gpu", table_with("allocator", typed_allocator(text, sources)));
}

std::optional<models::AllocatorSpec> read_allocator(const std::string& text, Sources& sources,
                                                    Diagnostics& diagnostics) {
  const Node typed = typed_allocator(text, sources);
  models::AllocatorSpec spec{typed.find("default")->text, typed.find("options")->text};
  const std::size_t errors = diagnostics.errors_added();
  check_allocator(spec, typed, diagnostics);
  if (diagnostics.errors_added() > errors) return std::nullopt;
  return spec;
}

}  // namespace memsim::scenarios
