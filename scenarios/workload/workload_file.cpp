#include "scenarios/workload/workload_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <iterator>
#include <utility>

#include "scenarios/schema/spelling.hpp"
#include "scenarios/schema/toml.hpp"

namespace memsim::scenarios {
namespace {

void report_unreadable(std::string_view shown, Diagnostics& diagnostics) {
  Diagnostic diagnostic;
  diagnostic.code = "E101";
  diagnostic.message = fmt::format("{} cannot be read", shown);
  diagnostics.add(std::move(diagnostic));
}

void report_other_schema(const Node& tree, std::string_view schema, Diagnostics& diagnostics) {
  const Node* found = tree.find("schema");
  Diagnostic diagnostic;
  diagnostic.code = "E108";
  diagnostic.location = tree.value_location("schema");
  diagnostic.message = found == nullptr
                           ? "the file does not say what it describes"
                           : fmt::format("{} is another kind of file", text_at(found->location));
  diagnostic.label = fmt::format("expected schema = \"{}\"", schema);
  diagnostics.add(std::move(diagnostic));
}

}  // namespace

std::optional<Node> load_workload_file(const std::filesystem::path& path, std::string shown,
                                       std::string_view schema, Sources& sources,
                                       Diagnostics& diagnostics) {
  std::ifstream stream(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (!stream) {
    report_unreadable(shown, diagnostics);
    return std::nullopt;
  }
  const SourceFile& source = sources.add(std::move(shown), std::move(text), SourceRole::given);
  std::optional<Node> tree = parse_toml(source, diagnostics);
  if (!tree) return std::nullopt;
  const Node* found = tree->find("schema");
  if (found == nullptr || found->type != NodeType::text || found->text != schema) {
    report_other_schema(*tree, schema, diagnostics);
    return std::nullopt;
  }
  tree->erase("schema");
  return tree;
}

void report_unknown_name(std::string_view what, std::string_view wanted,
                         const std::vector<std::string>& known, Diagnostics& diagnostics) {
  const std::string meant = nearest(wanted, known);
  Diagnostic diagnostic;
  diagnostic.code = "E101";
  diagnostic.message = fmt::format("there is no {} `{}`", what, wanted);
  diagnostic.help = meant.empty() ? fmt::format("there are {}", fmt::join(known, ", "))
                                  : fmt::format("did you mean `{}`?", meant);
  diagnostic.suggestion = meant;
  diagnostics.add(std::move(diagnostic));
}

}  // namespace memsim::scenarios
