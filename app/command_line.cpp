#include "app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "app/command.hpp"
#include "app/console.hpp"
#include "app/data_directory.hpp"
#include "app/exit_code.hpp"
#include "scenarios/schema/spelling.hpp"
#include "sim/core/check.hpp"

namespace memsim::app {
namespace {

constexpr auto footer =
    "Exit codes: 0 fits, 1 does not fit, 2 wrong usage or input, 3 tight or uncertain,\n"
    "            4 not modelled, 70 defect of memsim";

const CLI::App& chosen_command(const CLI::App& root) {
  const CLI::App* command = &root;
  for (std::vector<CLI::App*> next = root.get_subcommands(); !next.empty();
       next = command->get_subcommands())
    command = next.front();
  return *command;
}

// Everything that could have been meant where `command` met something unknown.
std::vector<std::string> known_words(const CLI::App& command, bool option) {
  std::vector<std::string> words;
  if (option) {
    for (const CLI::Option* known : command.get_options())
      for (const std::string& name : known->get_lnames()) words.push_back("--" + name);
  } else {
    for (const CLI::App* known : command.get_subcommands({})) words.push_back(known->get_name());
  }
  return words;
}

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

void print_usage_error(const CLI::App& root, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(root);
  const std::vector<std::string> unknown = root.remaining(true);
  std::string hint;
  // A word that means nothing is the cause, whatever is missing because of it.
  const bool is_about_words = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                              dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (is_about_words && !unknown.empty()) {
    const std::string& word = unknown.front();
    const bool option = word.starts_with('-');
    print_error("unknown " + std::string(option ? "option" : "argument") + " `" + word + "`");
    const std::string near =
        scenarios::nearest(word.substr(0, word.find('=')), known_words(command, option));
    if (!near.empty()) hint = "did you mean `" + near + "`? ";
  } else {
    print_error(error.what());
  }
  print_diagnostic("help: " + hint + "see `" + full_name(command) + " --help`\n");
}

ExitCode parse_and_run(int argc, const char* const* argv) {
  Common common;
  common.data = default_data_directory();
  Action action;
  CLI::App root("Simulates the memory of GPUs and hosts in deep-learning training.", "memsim");
  root.set_version_flag("--version", "memsim " MEMSIM_VERSION);
  root.footer(footer);
  root.require_subcommand(1);
  add_plan_command(root, common, action);
  add_validate_command(root, common, action);
  add_model_command(root, common, action);
  add_hw_command(root, common, action);
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
    print_usage_error(root, error);
    return ExitCode::input_error;
  }
  return action();
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  ExitCode code = ExitCode::internal;
  try {
    code = parse_and_run(argc, argv);
  } catch (const sim::InternalError& defect) {
    print_error("internal: " + std::string(defect.what()));
    print_diagnostic("This is a defect of memsim, not of the input. Please report it.\n");
  } catch (const std::exception& unexpected) {
    print_error("internal: " + std::string(unexpected.what()));
  }
  if (!flush_answer()) {
    print_error("cannot write to standard output");
    return static_cast<int>(ExitCode::internal);
  }
  return static_cast<int>(code);
}

void print_diagnostics(const scenarios::Diagnostics& diagnostics, const Common& common,
                       std::string_view consequence) {
  if (diagnostics.errors() + diagnostics.warnings() == 0) return;
  print_diagnostic(common.json ? diagnostics.json() : diagnostics.text(consequence));
}

void add_common_options(CLI::App& command, Common& common) {
  command.add_flag("--json", common.json, "Print the answer as JSON");
  command.add_flag("--quiet", common.quiet, "Print the first line of the answer only");
  command.add_option("--data", common.data, "Folder that holds scenarios/ and validate/")
      ->option_text("DIR")
      ->check(CLI::ExistingDirectory);
}

}  // namespace memsim::app
