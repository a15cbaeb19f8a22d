#include "app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "app/command.hpp"
#include "app/console.hpp"
#include "app/data_directory.hpp"
#include "app/exit_code.hpp"
#include "app/usage_error.hpp"
#include "sim/core/check.hpp"

namespace memsim::app {
namespace {

constexpr auto footer =
    "Exit codes: 0 fits, 1 does not fit, 2 wrong usage or input, 3 tight or\n"
    "            uncertain, 4 not modelled, 70 defect of memsim";

constexpr std::size_t width_of_options = 26;

// Read ahead of everything else: what is wrong with the command line itself is an answer too.
bool asks_for_json(int argc, const char* const* argv) {
  return std::any_of(argv, argv + argc, [](std::string_view word) { return word == "--json"; });
}

scenarios::Diagnostics one(std::string_view code, std::string message, std::string label,
                           std::string help) {
  scenarios::Diagnostics diagnostics;
  diagnostics.add({.code = std::string(code),
                   .location = {},
                   .message = std::move(message),
                   .label = std::move(label),
                   .notes = {},
                   .help = std::move(help),
                   .suggestion = ""});
  return diagnostics;
}

bool has_data(const Common& common) {
  std::error_code ignored;
  const std::filesystem::path scenarios = common.data / "scenarios";
  if (std::filesystem::is_directory(scenarios, ignored)) return true;
  report(one("E101", fmt::format("there is no folder {}", scenarios.string()), "",
             "`--data` names the folder that holds scenarios/ and validate/"),
         common, "");
  return false;
}

ExitCode parse_and_run(int argc, const char* const* argv, Common& common) {
  Action action;
  CLI::App root("Simulates the memory of GPUs and hosts in deep-learning training.", "memsim");
  root.get_formatter()->column_width(width_of_options);
  root.set_version_flag("--version", "memsim " MEMSIM_VERSION, "Print the version");
  root.footer(footer);
  root.require_subcommand(1);
  add_plan_command(root, common, action);
  add_validate_command(root, common, action);
  add_model_command(root, common, action);
  add_hw_command(root, common, action);
  add_calibrate_command(root, common, action);
  add_transfer_command(root, common, action);
  add_replay_command(root, common, action);
  add_schema_command(root, common, action);
  if (argc < 2) {
    print_diagnostic(root.help());
    return ExitCode::input_error;
  }
  try {
    root.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    root.exit(help_or_version);
    return ExitCode::fit;
  } catch (const CLI::ParseError& error) {
    const std::span typed(argv, static_cast<std::size_t>(argc));
    report(usage_errors(root, error, typed), common, "");
    return ExitCode::input_error;
  }
  return has_data(common) ? action() : ExitCode::input_error;
}

void report_defect(std::string_view what, const Common& common) {
  report(one("E170", fmt::format("internal: {}", what), "",
             "this is a defect of memsim, not of the input; please report it"),
         common, "");
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  ignore_closed_pipes();
  Common common;
  common.data = default_data_directory();
  common.json = asks_for_json(argc, argv);
  ExitCode code = ExitCode::internal;
  try {
    code = parse_and_run(argc, argv, common);
  } catch (const std::exception& defect) {
    report_defect(defect.what(), common);
  }
  if (const int error = flush_answer(); error != 0) {
    common.json = false;  // there is nowhere to write a document to
    report(one("E109", "the answer cannot be written", std::generic_category().message(error), ""),
           common, "");
    return static_cast<int>(ExitCode::input_error);
  }
  return static_cast<int>(code);
}

void report(const scenarios::Diagnostics& diagnostics, const Common& common,
            std::string_view consequence) {
  print_diagnostic(diagnostics.text(consequence));
  if (common.json && diagnostics.has_errors() && !has_printed()) print(diagnostics.json());
}

void expect_value(CLI::Option& option, const std::string& name) {
  option.option_text(name)->check(
      [](const std::string& value) { return value.starts_with("--") ? "missing" : ""; });
}

void add_common_options(CLI::App& command, Common& common) {
  command.add_flag("--json", common.json, "Print the answer as JSON")->disable_flag_override();
  command
      .add_flag("--quiet", common.quiet,
                "Print the first line only; with --json leave out\nwhat takes long or is long")
      ->disable_flag_override();
  expect_value(
      *command.add_option("--data", common.data, "Folder that holds scenarios/ and validate/"),
      "DIR");
}

}  // namespace memsim::app
