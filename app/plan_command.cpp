// memsim plan: does this training job fit on this machine, why, and what would change it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "app/command.hpp"
#include "app/console.hpp"
#include "app/report/plan_json.hpp"
#include "app/report/plan_text.hpp"
#include "models/machine/machine.hpp"
#include "scenarios/plan/plan.hpp"
#include "scenarios/plan/plan_inputs.hpp"
#include "scenarios/workload/training_settings.hpp"

namespace memsim::app {
namespace {

using scenarios::LeverScope;
using scenarios::Verdict;

struct PlanOptions {
  scenarios::PlanNames names;
  LeverScope levers = LeverScope::basic;
  bool strict = false;
};

constexpr auto exit_codes =
    "Exit codes: 0 fits, 1 does not fit, 2 wrong usage or input, 3 tight or uncertain\n"
    "(with --strict: 1), 4 not modelled.";

// What --set takes: generated, so that it is what the reader takes.
std::string settings_help() {
  std::string text =
      "Settings are keys of files: train.KEY (short: KEY), model.KEY (see `memsim model\n"
      "show NAME`), gpu.KEY, host.KEY (see `memsim hw show NAME`). Keys of [train]:\n";
  for (const scenarios::Field& field : scenarios::training_schema().fields()) {
    std::string names;
    for (const scenarios::SettingAlias& alias : scenarios::setting_aliases())
      if (alias.key == field.key) names += fmt::format("; or {}", alias.alias);
    text += fmt::format("  {:<26}{}{}\n", field.key, field.rules.help, names);
    if (!field.words.empty()) text += fmt::format("    {}\n", fmt::join(field.words, ", "));
  }
  return text;
}

ExitCode exit_code(Verdict verdict, bool strict) {
  if (verdict == Verdict::fit) return ExitCode::fit;
  if (verdict == Verdict::no_fit || strict) return ExitCode::no_fit;
  return ExitCode::uncertain;
}

ExitCode fail(const scenarios::PlanFailure& failure) {
  print_error(failure.message);
  return failure.kind == scenarios::PlanFailure::Kind::input ? ExitCode::input_error
                                                             : ExitCode::not_modelled;
}

ExitCode run(const Common& common, const PlanOptions& options) {
  if (options.names.hardware.empty() || options.names.model.empty()) {
    print_error(options.names.hardware.empty() ? "plan needs --hw: a machine"
                                               : "plan needs --model: what is trained");
    print_diagnostic("help: see `memsim hw list` and `memsim model list`\n");
    return ExitCode::input_error;
  }
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;
  auto inputs =
      scenarios::read_plan_inputs(common.data / "scenarios", options.names, sources, diagnostics);
  print_diagnostics(diagnostics, common, "nothing was simulated");
  if (!inputs) return ExitCode::input_error;
  const models::Machine machine(inputs->system);
  auto answer = scenarios::plan({.machine = machine,
                                 .gpu = 0,
                                 .model = inputs->model.name,
                                 .network = inputs->model.network,
                                 .training = inputs->training,
                                 .inputs = inputs->settings,
                                 .levers = common.quiet ? LeverScope::none : options.levers,
                                 .error = scenarios::default_error});
  if (!answer) return fail(answer.error());
  for (const scenarios::Warning& warning : inputs->warnings) answer->warnings.push_back(warning);
  if (common.quiet)
    print(plan_headline(*answer));
  else if (common.json)
    print(plan_json(*answer));
  else
    print(plan_text(*answer, colour_wanted()));
  return exit_code(answer->verdict, options.strict);
}

}  // namespace

void add_plan_command(CLI::App& root, Common& common, Action& action) {
  CLI::App* command = root.add_subcommand(
      "plan", "Does a training job fit on a machine, why, and what would change it");
  const auto options = std::make_shared<PlanOptions>();
  command->add_option("--hw", options->names.hardware, "Machine: a file, or a name of `hw list`")
      ->option_text("NAME|FILE");
  command->add_option("--model", options->names.model, "Model: a file, or a name of `model list`")
      ->option_text("NAME|FILE");
  command->add_option("--train", options->names.training, "How it is trained: a file with [train]")
      ->option_text("FILE");
  command->add_option("--set", options->names.overrides, "Replaces a setting; may be repeated")
      ->option_text("KEY=VALUE")
      ->take_all();
  const std::map<std::string, LeverScope> scopes{
      {"none", LeverScope::none}, {"basic", LeverScope::basic}, {"all", LeverScope::all}};
  command->add_option("--levers", options->levers, "Which changes are tried (default: basic)")
      ->option_text("none|basic|all")
      ->transform(CLI::CheckedTransformer(scopes));
  command->add_flag("--strict", options->strict, "Tight and uncertain count as no");
  command->footer(settings_help() + "\n" + exit_codes);
  add_common_options(*command, common);
  command->callback([&common, &action, options] {
    action = [&common, options] { return run(common, *options); };
  });
}

}  // namespace memsim::app
