// The subcommands of memsim: one file each, one function that declares its options.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "app/exit_code.hpp"
#include "scenarios/schema/diagnostic.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): of CLI11
class App;
class Option;
}  // namespace CLI

namespace memsim::app {

// Options that every subcommand takes.
struct Common {
  std::filesystem::path data;  // holds scenarios/ and validate/data
  bool json = false;
  bool quiet = false;
};

using Action = std::function<ExitCode()>;

// Each adds its subcommand to `root`. When the user chooses it, `action` becomes what it does;
// `common` outlives the action and is filled by then.
void add_plan_command(CLI::App& root, Common& common, Action& action);
void add_validate_command(CLI::App& root, Common& common, Action& action);
void add_calibrate_command(CLI::App& root, Common& common, Action& action);
void add_hw_command(CLI::App& root, Common& common, Action& action);
void add_model_command(CLI::App& root, Common& common, Action& action);
void add_replay_command(CLI::App& root, Common& common, Action& action);
void add_schema_command(CLI::App& root, Common& common, Action& action);
void add_transfer_command(CLI::App& root, Common& common, Action& action);

// As text to standard error. Where there are errors there is no answer: with --json they are then
// the one document on standard output. `consequence`: see Diagnostics.
void report(const scenarios::Diagnostics& diagnostics, const Common& common,
            std::string_view consequence);

// Names the value of an option in its help, and refuses another option in its place (`--hw
// --json`).
void expect_value(CLI::Option& option, const std::string& name);

// --json, --quiet and --data.
void add_common_options(CLI::App& command, Common& common);

}  // namespace memsim::app
