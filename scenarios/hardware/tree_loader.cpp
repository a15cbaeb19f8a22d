#include "scenarios/hardware/tree_loader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "scenarios/hardware/hardware_schema.hpp"
#include "scenarios/schema/reader.hpp"
#include "scenarios/schema/spelling.hpp"
#include "scenarios/schema/toml.hpp"

namespace memsim::scenarios {

const TableSchema& table_schema(HardwareKind kind) {
  switch (kind) {
    case HardwareKind::gpu:
      return gpu_schema();
    case HardwareKind::host:
      return host_schema();
    case HardwareKind::link:
      return link_schema();
    case HardwareKind::system:
      break;
  }
  return system_schema();
}

TreeLoader::TreeLoader(const Catalogue& catalogue, Sources& sources, Diagnostics& diagnostics)
    : catalogue_(catalogue), sources_(sources), diagnostics_(diagnostics) {}

std::optional<HardwareTree> TreeLoader::load_given(std::string_view wanted) {
  std::vector<std::string> known;
  for (const HardwareKind kind : hardware_kinds) {
    if (const auto entry = catalogue_.find(kind, wanted, "")) {
      return load_file(*entry, SourceRole::given);
    }
    for (std::string& entry : catalogue_.names(kind)) known.push_back(std::move(entry));
  }
  const std::string meant = nearest(wanted, known);
  diagnostics_.add(
      {.code = "E101",
       .location = {},
       .message = fmt::format("no hardware `{}`: neither a file nor in the catalogue", wanted),
       .label = meant.empty() ? "" : fmt::format("did you mean `{}`?", meant),
       .notes = {},
       .help = "`memsim hw list` shows the catalogue",
       .suggestion = meant});
  return std::nullopt;
}

std::optional<HardwareTree> TreeLoader::load_entry(HardwareKind kind, std::string_view entry) {
  const std::optional<CatalogueEntry> found = catalogue_.find_entry(kind, entry);
  if (found) return load_file(*found, SourceRole::given);
  not_found(kind, entry, {});
  return std::nullopt;
}

std::optional<HardwareTree> TreeLoader::load_named(HardwareKind kind, const Node& named,
                                                   SourceRole role) {
  const SourceFile* file_naming_it = named.location.file;
  const auto folder =
      file_naming_it == nullptr ? folders_.end() : folders_.find(file_naming_it->order());
  const std::filesystem::path beside =
      folder == folders_.end() ? std::filesystem::path() : folder->second;
  const std::optional<CatalogueEntry> entry = catalogue_.find(kind, named.text, beside);
  if (!entry) {
    not_found(kind, named.text, named.location);
    return std::nullopt;
  }
  std::optional<HardwareTree> file = load_file(*entry, role);
  if (file && file->kind != kind) {
    diagnostics_.add({.code = "E108",
                      .location = named.location,
                      .message = fmt::format("{} is a {}", entry->shown, name(file->kind)),
                      .label = fmt::format("expected a {}", name(kind)),
                      .notes = {},
                      .help = "",
                      .suggestion = ""});
    return std::nullopt;
  }
  return file;
}

std::optional<HardwareTree> TreeLoader::load_file(const CatalogueEntry& entry, SourceRole role) {
  if (const auto known = loaded_.find(entry.path); known != loaded_.end()) return known->second;
  open_.push_back(entry);
  std::optional<HardwareTree> file = parse(entry, role);
  if (file && !inherit(*file)) file.reset();
  open_.pop_back();
  if (file) loaded_.emplace(entry.path, *file);
  return file;
}

std::optional<HardwareTree> TreeLoader::parse(const CatalogueEntry& entry, SourceRole role) {
  std::ifstream stream(entry.path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (!stream) {
    diagnostics_.add({.code = "E101",
                      .location = {},
                      .message = fmt::format("{} cannot be read", entry.shown),
                      .label = "",
                      .notes = {},
                      .help = "",
                      .suggestion = ""});
    return std::nullopt;
  }
  const SourceFile& source = sources_.add(entry.shown, std::move(text), role);
  folders_.emplace(source.order(), entry.path.parent_path());
  std::optional<Node> tree = parse_toml(source, diagnostics_);
  if (!tree) return std::nullopt;
  const std::optional<HardwareKind> kind = kind_of(*tree);
  if (!kind) return std::nullopt;
  tree->erase("schema");
  return HardwareTree{*kind, expand(table_schema(*kind), std::move(*tree)),
                      entry.path.stem().string()};
}

std::optional<HardwareKind> TreeLoader::kind_of(const Node& tree) {
  const Node* schema = tree.find("schema");
  std::vector<std::string> known;
  for (const HardwareKind kind : hardware_kinds) {
    known.push_back(schema_of(kind));
    if (schema != nullptr && schema->type == NodeType::text && schema->text == known.back()) {
      return kind;
    }
  }
  diagnostics_.add({.code = "E108",
                    .location = tree.value_location("schema"),
                    .message = schema == nullptr ? "the file does not say what it describes"
                                                 : fmt::format("{} is no schema that memsim reads",
                                                               text_at(schema->location)),
                    .label = fmt::format("expected schema = \"{}\"", fmt::join(known, "\", \"")),
                    .notes = {},
                    .help = "",
                    .suggestion = ""});
  return std::nullopt;
}

bool TreeLoader::inherit(HardwareTree& file) {
  const Node* inherits = file.tree.find("inherits");
  if (inherits == nullptr) return true;
  const Node named = *inherits;
  file.tree.erase("inherits");
  if (named.type != NodeType::text) {
    diagnostics_.add({.code = "E106",
                      .location = named.location,
                      .message = "`inherits` has the wrong type",
                      .label = fmt::format("expected a string, found {}", name(named.type)),
                      .notes = {},
                      .help = "",
                      .suggestion = ""});
    return false;
  }
  const auto entry = catalogue_.find(file.kind, named.text, open_.back().path.parent_path());
  const auto first = std::find_if(open_.begin(), open_.end(), [&](const CatalogueEntry& open) {
    return entry && open.path == entry->path;
  });
  if (first != open_.end()) {
    std::string circle;
    for (auto at = first; at != open_.end(); ++at) circle += at->shown + " -> ";
    diagnostics_.add(
        {.code = "E111",
         .location = named.location,
         .message = fmt::format("`inherits` goes in a circle: {}{}", circle, first->shown),
         .label = "inherits a file that inherits this one",
         .notes = {},
         .help = "",
         .suggestion = ""});
    return false;
  }
  std::optional<HardwareTree> base = load_named(file.kind, named, SourceRole::inherited);
  if (!base) return false;
  base->tree.erase("name");
  file.tree = merge(std::move(base->tree), file.tree);
  return true;
}

void TreeLoader::not_found(HardwareKind kind, std::string_view wanted, const Location& where) {
  const std::vector<std::string> known = catalogue_.names(kind);
  const std::string meant = nearest(wanted, known);
  diagnostics_.add(
      {.code = "E101",
       .location = where,
       .message =
           fmt::format("no {} `{}`: neither a file nor in the catalogue", name(kind), wanted),
       .label = meant.empty() ? "" : fmt::format("did you mean `{}`?", meant),
       .notes = {},
       .help = known.empty() ? "the catalogue has none"
                             : fmt::format("the catalogue has {}", fmt::join(known, ", ")),
       .suggestion = meant.empty() ? "" : fmt::format("\"{}\"", meant)});
}

}  // namespace memsim::scenarios
