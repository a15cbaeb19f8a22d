// memsim hw list|show|check|diff: which machines can be planned on, and what describes them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/command.hpp"
#include "app/console.hpp"
#include "scenarios/hardware/catalogue.hpp"
#include "scenarios/hardware/hardware.hpp"
#include "scenarios/hardware/hardware_diff.hpp"
#include "scenarios/hardware/hardware_list.hpp"
#include "scenarios/hardware/hardware_report.hpp"
#include "scenarios/schema/override.hpp"

namespace memsim::app {
namespace {

struct HwOptions {
  std::string name;
  std::vector<std::string> overrides;
};

// What NAME is, or what is wrong with it.
struct Reading {
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;
  std::optional<scenarios::LoadedHardware> hardware;
};

std::unique_ptr<Reading> read(const Common& common, const HwOptions& options) {
  auto reading = std::make_unique<Reading>();
  std::vector<scenarios::Node> overrides;
  for (const std::string& text : options.overrides)
    if (auto tree = scenarios::parse_override(text, reading->sources, reading->diagnostics))
      overrides.push_back(*std::move(tree));
  const scenarios::Catalogue catalogue(common.data / "scenarios");
  reading->hardware = scenarios::load_hardware(catalogue, options.name, overrides, reading->sources,
                                               reading->diagnostics);
  report(reading->diagnostics, common, "");
  return reading;
}

ExitCode list(const Common& common) {
  const scenarios::Catalogue catalogue(common.data / "scenarios");
  const scenarios::HardwareList list = common.json ? scenarios::hardware_list_json(catalogue)
                                                   : scenarios::hardware_list_text(catalogue);
  print(list.text);
  return list.readable ? ExitCode::fit : ExitCode::input_error;
}

ExitCode show(const Common& common, const HwOptions& options) {
  const auto reading = read(common, options);
  if (!reading->hardware) return ExitCode::input_error;
  const scenarios::LoadedHardware& hardware = *reading->hardware;
  print(common.json ? scenarios::hardware_json(hardware) : scenarios::hardware_text(hardware));
  return ExitCode::fit;
}

ExitCode check(const Common& common, const HwOptions& options) {
  const auto reading = read(common, options);
  if (!reading->hardware) return ExitCode::input_error;
  const scenarios::LoadedHardware& hardware = *reading->hardware;
  print(common.json
            ? reading->diagnostics.json()
            : fmt::format("{} is a {} that memsim reads\n", hardware.name, name(hardware.kind)));
  return ExitCode::fit;
}

struct DiffOptions {
  std::string left;
  std::string right;
};

ExitCode diff(const Common& common, const DiffOptions& options) {
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;
  const scenarios::Catalogue catalogue(common.data / "scenarios");
  const auto left = scenarios::load_hardware(catalogue, options.left, {}, sources, diagnostics);
  const auto right = scenarios::load_hardware(catalogue, options.right, {}, sources, diagnostics);
  std::optional<scenarios::HardwareDifference> difference;
  if (left && right) difference = scenarios::compare_hardware(*left, *right, diagnostics);
  report(diagnostics, common, "");
  if (!difference) return ExitCode::input_error;
  print(common.json ? scenarios::hardware_difference_json(*difference)
                    : scenarios::hardware_difference_text(*difference));
  return difference->figures.empty() ? ExitCode::fit : ExitCode::no_fit;
}

using Answer = ExitCode (*)(const Common&, const HwOptions&);

// A subcommand about one file or entry.
void add_named(CLI::App& parent, const char* name, const char* help, Answer answer, Common& common,
               Action& action) {
  CLI::App* command = parent.add_subcommand(name, help);
  const auto options = std::make_shared<HwOptions>();
  command->add_option("NAME", options->name, "A file, or a name of `hw list`")->required();
  expect_value(
      *command->add_option("--set", options->overrides, "Replaces a figure; may be repeated"),
      "KEY=VALUE");
  add_common_options(*command, common);
  command->callback([&common, &action, options, answer] {
    action = [&common, options, answer] { return answer(common, *options); };
  });
}

void add_diff(CLI::App& parent, Common& common, Action& action) {
  CLI::App* command =
      parent.add_subcommand("diff", "Figures in which two machines or parts differ");
  const auto options = std::make_shared<DiffOptions>();
  command->add_option("A", options->left, "A file, or a name of `hw list`")->required();
  command->add_option("B", options->right, "Another of the same kind")->required();
  add_common_options(*command, common);
  command->callback([&common, &action, options] {
    action = [&common, options] { return diff(common, *options); };
  });
}

}  // namespace

void add_hw_command(CLI::App& root, Common& common, Action& action) {
  CLI::App* command = root.add_subcommand("hw", "Lists, shows, checks and compares hardware");
  command->require_subcommand(1);
  CLI::App* list_command = command->add_subcommand("list", "The catalogue that comes with memsim");
  add_common_options(*list_command, common);
  list_command->callback([&common, &action] { action = [&common] { return list(common); }; });
  add_named(*command, "show", "Every figure of a machine or part, with its origin", show, common,
            action);
  add_named(*command, "check", "Reports what is wrong with a file", check, common, action);
  add_diff(*command, common, action);
}

}  // namespace memsim::app
