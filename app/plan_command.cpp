// memsim plan: does this training job fit on this machine, why, and what would change it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/command.hpp"
#include "app/console.hpp"
#include "app/report/plan_json.hpp"
#include "app/report/plan_text.hpp"
#include "models/machine/machine.hpp"
#include "scenarios/plan/plan.hpp"
#include "scenarios/plan/plan_inputs.hpp"
#include "scenarios/schema/display.hpp"
#include "scenarios/schema/spelling.hpp"
#include "scenarios/workload/training_settings.hpp"

namespace memsim::app {
namespace {

using scenarios::LeverScope;
using scenarios::Verdict;

struct PlanOptions {
  scenarios::PlanNames names;
  std::string levers = "basic";
  bool strict = false;
};

struct LeverWord {
  std::string_view word;
  LeverScope scope;
};
constexpr std::array lever_words{LeverWord{"none", LeverScope::none},
                                 LeverWord{"basic", LeverScope::basic},
                                 LeverWord{"all", LeverScope::all}};

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

// The failure at the setting that it begins with, if it begins with one.
void add_failure(const scenarios::PlanFailure& failure, const scenarios::Settings& settings,
                 scenarios::Diagnostics& diagnostics) {
  const std::string_view key =
      std::string_view(failure.message).substr(0, failure.message.find(':'));
  const auto setting = std::ranges::find_if(settings, [&](const scenarios::Setting& each) {
    return scenarios::without_indices(each.path) == key;
  });
  const bool input = failure.kind == scenarios::PlanFailure::Kind::input;
  diagnostics.add(
      {.code = input ? "E136" : "E160",
       .location = setting == settings.end() ? scenarios::Location() : setting->location,
       .message = failure.message,
       .label = "",
       .notes = {},
       .help = "",
       .suggestion = ""});
}

// The word after --levers. Errors: E107.
std::optional<LeverScope> lever_scope(const std::string& word, scenarios::Sources& sources,
                                      scenarios::Diagnostics& diagnostics) {
  const auto* known = std::ranges::find(lever_words, word, &LeverWord::word);
  if (known != lever_words.end()) return known->scope;
  const scenarios::SourceFile& typed =
      sources.add("--levers", word, scenarios::SourceRole::command_line);
  std::vector<std::string> words(lever_words.size());
  std::ranges::transform(lever_words, words.begin(), &LeverWord::word);
  const std::string meant = scenarios::nearest(word, words);
  diagnostics.add({.code = "E107",
                   .location = scenarios::whole(typed),
                   .message = scenarios::in_quotes(word) + " is not known",
                   .label = fmt::format("expected one of {}", fmt::join(words, ", ")),
                   .notes = {},
                   .help = meant.empty() ? "" : fmt::format("did you mean `{}`?", meant),
                   .suggestion = meant});
  return std::nullopt;
}

// Programs find the warnings of reading in the answer.
void add_warnings(const scenarios::Diagnostics& diagnostics, scenarios::PlanAnswer& answer) {
  for (const scenarios::Diagnostic& warning : diagnostics.sorted()) {
    const scenarios::Location& at = warning.location;
    const std::string place =
        at.file == nullptr ? "" : fmt::format("{}:{}: ", at.file->path(), at.span.line);
    answer.warnings.push_back({warning.code, place + warning.message});
  }
}

ExitCode run(const Common& common, const PlanOptions& options) {
  constexpr std::string_view consequence = "nothing was simulated";
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;
  const auto levers = lever_scope(options.levers, sources, diagnostics);
  auto inputs =
      scenarios::read_plan_inputs(common.data / "scenarios", options.names, sources, diagnostics);
  report(diagnostics, common, consequence);
  if (!inputs || !levers) return ExitCode::input_error;
  const models::Machine machine(inputs->system);
  auto answer = scenarios::plan({.machine = machine,
                                 .gpu = 0,
                                 .model = inputs->model.name,
                                 .network = inputs->model.network,
                                 .training = inputs->training,
                                 .inputs = inputs->settings,
                                 .levers = common.quiet ? LeverScope::none : *levers,
                                 .error = scenarios::default_error});
  if (!answer) {
    scenarios::Diagnostics failed;
    add_failure(answer.error(), inputs->settings, failed);
    report(failed, common, "");
    return answer.error().kind == scenarios::PlanFailure::Kind::input ? ExitCode::input_error
                                                                      : ExitCode::not_modelled;
  }
  for (const scenarios::Warning& warning : inputs->warnings) answer->warnings.push_back(warning);
  if (common.json) {
    add_warnings(diagnostics, *answer);
    print(plan_json(*answer));
  } else {
    print(common.quiet ? plan_headline(*answer) : plan_text(*answer, colour_wanted()));
  }
  return exit_code(answer->verdict, options.strict);
}

}  // namespace

void add_plan_command(CLI::App& root, Common& common, Action& action) {
  CLI::App* command =
      root.add_subcommand("plan", "Does a training job fit, why, and what would change it");
  const auto options = std::make_shared<PlanOptions>();
  const auto option = [&](const char* name, auto& value, const char* help, const char* text) {
    expect_value(*command->add_option(name, value, help), text);
  };
  option("--hw", options->names.hardware, "Machine: a file, or a name of `hw list`", "NAME|FILE");
  option("--model", options->names.model, "Model: a file, or a name of `model list`", "NAME|FILE");
  option("--train", options->names.training, "How it is trained: a file with [train]", "FILE");
  option("--allocator", options->names.allocator,
         "Of GPU memory (`torch`, `driver`), and its options", "NAME[:OPTIONS]");
  option("--set", options->names.overrides, "Replaces a setting; may be repeated", "KEY=VALUE");
  option("--levers", options->levers, "Which changes are tried (default: basic)", "none|basic|all");
  command->add_flag("--strict", options->strict, "Tight and uncertain count as no")
      ->disable_flag_override();
  command->footer(settings_help() + "\n" + exit_codes);
  add_common_options(*command, common);
  command->callback([&common, &action, options] {
    action = [&common, options] { return run(common, *options); };
  });
}

}  // namespace memsim::app
