// The subcommands of memsim: one file each, one function that declares its options.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "app/exit_code.hpp"
#include "scenarios/schema/diagnostic.hpp"

namespace CLI {
class App;
}

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
void add_hw_command(CLI::App& root, Common& common, Action& action);
void add_model_command(CLI::App& root, Common& common, Action& action);

// To standard error, as text or JSON; nothing without diagnostics. `consequence`: see Diagnostics.
void print_diagnostics(const scenarios::Diagnostics& diagnostics, const Common& common,
                       std::string_view consequence);

// --json, --quiet and --data.
void add_common_options(CLI::App& command, Common& common);

}  // namespace memsim::app
