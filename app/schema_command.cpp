// memsim schema KIND: the JSON Schema of a kind of file, for editors.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/command.hpp"
#include "app/console.hpp"
#include "scenarios/editor/file_schema.hpp"
#include "scenarios/schema/display.hpp"
#include "scenarios/schema/spelling.hpp"

namespace memsim::app {
namespace {

void report_unknown(const std::string& kind, const Common& common) {
  scenarios::Sources sources;
  const std::vector<std::string> names = scenarios::file_schema_names();
  const std::string meant = scenarios::nearest(kind, names);
  scenarios::Diagnostics diagnostics;
  diagnostics.add({.code = "E107",
                   .location = scenarios::whole(
                       sources.add("command line", kind, scenarios::SourceRole::command_line)),
                   .message = scenarios::in_quotes(kind) + " is no kind of file",
                   .label = fmt::format("expected one of {}", fmt::join(names, ", ")),
                   .notes = {},
                   .help = meant.empty() ? "" : fmt::format("did you mean `{}`?", meant),
                   .suggestion = meant});
  report(diagnostics, common, "");
}

ExitCode show(const Common& common, const std::string& kind) {
  const auto schema = scenarios::file_schema(kind);
  if (!schema) {
    report_unknown(kind, common);
    return ExitCode::input_error;
  }
  print(*schema);
  return ExitCode::fit;
}

}  // namespace

void add_schema_command(CLI::App& root, Common& common, Action& action) {
  CLI::App* command = root.add_subcommand("schema", "JSON Schema of a kind of file, for editors");
  const auto kind = std::make_shared<std::string>();
  command->add_option("KIND", *kind, "hardware (any), a kind of `hw list`, model, training")
      ->required();
  add_common_options(*command, common);
  command->callback(
      [&common, &action, kind] { action = [&common, kind] { return show(common, *kind); }; });
}

}  // namespace memsim::app
