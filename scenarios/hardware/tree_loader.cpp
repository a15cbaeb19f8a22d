#include "scenarios/hardware/tree_loader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "scenarios/hardware/gemm_table_file.hpp"
#include "scenarios/hardware/hardware_schema.hpp"
#include "scenarios/schema/display.hpp"
#include "scenarios/schema/files.hpp"
#include "scenarios/schema/reader.hpp"
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
    case HardwareKind::drive:
      return drive_schema();
    case HardwareKind::nic:
      return nic_schema();
    case HardwareKind::system:
      break;
  }
  return system_schema();
}

TreeLoader::TreeLoader(const Catalogue& catalogue, Sources& sources, Diagnostics& diagnostics)
    : catalogue_(catalogue), sources_(sources), diagnostics_(diagnostics) {}

std::optional<HardwareTree> TreeLoader::load_given(std::string_view wanted) {
  const Location typed =
      whole(sources_.add("command line", std::string(wanted), SourceRole::command_line));
  std::vector<std::string> known;
  for (const HardwareKind kind : hardware_kinds) {
    if (const auto entry = catalogue_.find(kind, wanted, "")) {
      return load_file(*entry, SourceRole::given, typed);
    }
    for (std::string& entry : catalogue_.names(kind)) known.push_back(std::move(entry));
  }
  report_missing({"hardware", std::string(wanted), wanted, std::move(known),
                  "`memsim hw list` shows the catalogue"},
                 typed, diagnostics_);
  return std::nullopt;
}

std::optional<HardwareTree> TreeLoader::load_entry(HardwareKind kind, std::string_view entry) {
  const std::optional<CatalogueEntry> found = catalogue_.find_entry(kind, entry);
  if (found) return load_file(*found, SourceRole::given, {});
  not_found(kind, entry, {}, {});
  return std::nullopt;
}

std::optional<HardwareTree> TreeLoader::load_named(HardwareKind kind, const Node& named,
                                                   SourceRole role) {
  const std::filesystem::path beside = folder_of(named.location);
  const std::optional<CatalogueEntry> entry = catalogue_.find(kind, named.text, beside);
  if (!entry) {
    not_found(kind, named.text, beside / named.text, named.location);
    return std::nullopt;
  }
  std::optional<HardwareTree> file = load_file(*entry, role, named.location);
  if (file && file->kind != kind) {
    report("E108", named.location,
           fmt::format("{} is a {}", entry->path.string(), name(file->kind)),
           fmt::format("expected a {}", name(kind)));
    return std::nullopt;
  }
  return file;
}

std::shared_ptr<const models::GemmTable> TreeLoader::load_gemm_table(const Node& named) {
  const std::filesystem::path beside = folder_of(named.location);
  const auto entry = catalogue_.find_file(named.text, beside);
  if (!entry) {
    report_missing({"table",
                    named.text,
                    beside / named.text,
                    {},
                    "`memsim calibrate gemm` makes a table of measured matrix products"},
                   named.location, diagnostics_);
    return nullptr;
  }
  const auto [at, added] = tables_.try_emplace(entry->identity);
  if (!added) return at->second;
  const SourceFile* source = read_source(entry->path, entry->name, SourceRole::part, named.location,
                                         sources_, diagnostics_);
  if (source == nullptr) return nullptr;
  if (auto table = parse_gemm_table(*source, diagnostics_))
    at->second = std::make_shared<const models::GemmTable>(*std::move(table));
  return at->second;
}

std::filesystem::path TreeLoader::folder_of(const Location& location) const {
  if (location.file == nullptr) return {};
  const auto folder = folders_.find(location.file->order());
  return folder == folders_.end() ? std::filesystem::path() : folder->second;
}

std::optional<HardwareTree> TreeLoader::load_file(const CatalogueEntry& entry, SourceRole role,
                                                  const Location& named) {
  if (const auto known = loaded_.find(entry.identity); known != loaded_.end()) {
    return known->second;
  }
  open_.push_back(entry);
  std::optional<HardwareTree> file = parse(entry, role, named);
  if (file) set_imaginary(*file);
  if (file && !inherit(*file)) file->tree.incomplete = true;
  open_.pop_back();
  loaded_.emplace(entry.identity, file);
  return file;
}

std::optional<HardwareTree> TreeLoader::parse(const CatalogueEntry& entry, SourceRole role,
                                              const Location& named) {
  const SourceFile* source =
      read_source(entry.path, entry.name, role, named, sources_, diagnostics_);
  if (source == nullptr) return std::nullopt;
  folders_.emplace(source->order(), entry.path.parent_path());
  std::optional<Node> tree = parse_toml(*source, diagnostics_);
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
  if (schema == nullptr && tree.incomplete) return std::nullopt;  // it may be in what is left out
  report("E108", tree.value_location("schema"),
         schema == nullptr
             ? "the file does not say what it describes"
             : in_quotes(text_at(schema->location)) + " is no schema that memsim reads",
         fmt::format("expected schema = \"{}\"", fmt::join(known, "\", \"")));
  return std::nullopt;
}

void TreeLoader::set_imaginary(HardwareTree& file) {
  const Node* imaginary = file.tree.find("imaginary");
  if (imaginary == nullptr) return;
  if (imaginary->type == NodeType::flag) {
    file.tree.imaginary = imaginary->flag;
  } else {
    report("E106", imaginary->location, "`imaginary` has the wrong type",
           fmt::format("expected true or false, found {}", name(imaginary->type)));
    file.tree.incomplete = true;
  }
  file.tree.erase("imaginary");
}

bool TreeLoader::inherit(HardwareTree& file) {
  constexpr std::size_t longest_line_of_heirs = 64;
  const Node* inherits = file.tree.find("inherits");
  if (inherits == nullptr) return true;
  const Node named = *inherits;
  file.tree.erase("inherits");
  if (named.type != NodeType::text) {
    return report("E106", named.location, "`inherits` has the wrong type",
                  fmt::format("expected a string, found {}", name(named.type)));
  }
  const auto entry = catalogue_.find(file.kind, named.text, open_.back().path.parent_path());
  const auto first = std::find_if(open_.begin(), open_.end(), [&](const CatalogueEntry& open) {
    return entry && open.identity == entry->identity;
  });
  if (first != open_.end()) {
    std::string circle;
    for (auto at = first; at != open_.end(); ++at) circle += at->path.string() + " -> ";
    return report("E111", named.location,
                  fmt::format("`inherits` goes in a circle: {}{}", circle, first->path.string()),
                  "inherits a file that inherits this one");
  }
  if (open_.size() >= longest_line_of_heirs) {
    return report(
        "E111", named.location, "`inherits` goes too deep",
        fmt::format("expected at most {} files, each inheriting the next", longest_line_of_heirs));
  }
  std::optional<HardwareTree> base = load_named(file.kind, named, SourceRole::inherited);
  if (!base) return false;
  base->tree.erase("name");
  file.tree = merge(std::move(base->tree), file.tree);
  return true;
}

void TreeLoader::not_found(HardwareKind kind, std::string_view wanted,
                           const std::filesystem::path& path, const Location& where) {
  std::vector<std::string> known = catalogue_.names(kind);
  std::string help = known.empty() ? "the catalogue has none"
                                   : fmt::format("the catalogue has {}", fmt::join(known, ", "));
  report_missing({name(kind), std::string(wanted), path, std::move(known), std::move(help)}, where,
                 diagnostics_);
}

bool TreeLoader::report(std::string_view code, const Location& at, std::string message,
                        std::string label) {
  diagnostics_.add({.code = std::string(code),
                    .location = at,
                    .message = std::move(message),
                    .label = std::move(label),
                    .notes = {},
                    .help = "",
                    .suggestion = ""});
  return false;
}

}  // namespace memsim::scenarios
