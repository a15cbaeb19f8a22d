#include "scenarios/workload/workload_file.hpp"

#include <fmt/format.h>

#include <utility>

#include "scenarios/schema/display.hpp"
#include "scenarios/schema/files.hpp"
#include "scenarios/schema/toml.hpp"

namespace memsim::scenarios {
namespace {

void report_other_schema(const Node& tree, std::string_view schema, Diagnostics& diagnostics) {
  const Node* found = tree.find("schema");
  Diagnostic diagnostic;
  diagnostic.code = "E108";
  diagnostic.location = tree.value_location("schema");
  diagnostic.message = found == nullptr
                           ? "the file does not say what it describes"
                           : in_quotes(text_at(found->location)) + " is another kind of file";
  diagnostic.label = fmt::format("expected schema = \"{}\"", schema);
  diagnostics.add(std::move(diagnostic));
}

}  // namespace

std::optional<Node> load_workload_file(const std::filesystem::path& path, std::string name,
                                       std::string_view schema, const Location& named,
                                       Sources& sources, Diagnostics& diagnostics) {
  const SourceFile* source =
      read_source(path, std::move(name), SourceRole::given, named, sources, diagnostics);
  if (source == nullptr) return std::nullopt;
  std::optional<Node> tree = parse_toml(*source, diagnostics);
  if (!tree) return std::nullopt;
  const Node* found = tree->find("schema");
  const bool left_out = found == nullptr && tree->incomplete;  // it may be in what is left out
  const bool right = found != nullptr && found->type == NodeType::text && found->text == schema;
  if (!right && !left_out) {
    report_other_schema(*tree, schema, diagnostics);
    return std::nullopt;
  }
  tree->erase("schema");
  return tree;
}

}  // namespace memsim::scenarios
