// memsim replay: a recorded run of memory operations again, on allocators of one's choice.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "app/command.hpp"
#include "app/console.hpp"
#include "app/report/replay_text.hpp"
#include "scenarios/replay/replay.hpp"
#include "scenarios/replay/replay_settings.hpp"
#include "scenarios/schema/display.hpp"
#include "validate/import/allocator_replay.hpp"
#include "validate/import/recorded_memory.hpp"
#include "validate/import/text_file.hpp"

namespace memsim::app {
namespace {

constexpr auto explanation =
    "FILE is a snapshot of PyTorch's memory (torch.cuda.memory._dump_snapshot) with\n"
    "its history, or a trace of allocator operations, one a line: alloc ID SIZE\n"
    "STREAM, free ID, ... (validate/data/allocator/README.md has all of them).\n"
    "\n"
    "Exit codes: 0 every request was served on every allocator, 1 some ran out of\n"
    "            memory, 2 wrong usage or input.";

struct ReplayOptions {
  std::string file;
  scenarios::ReplayWords words;
  bool log = false;
};

void add_error(scenarios::Diagnostics& diagnostics, std::string code, std::string message,
               scenarios::Location at = {}) {
  scenarios::Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.location = at;
  diagnostic.message = std::move(message);
  diagnostics.add(std::move(diagnostic));
}

// What the real allocator would have printed, with the settings of the trace itself.
ExitCode print_log(const validate::RecordedMemory& recorded, const Common& common) {
  scenarios::Diagnostics diagnostics;
  if (!recorded.operations) {
    add_error(diagnostics, "E135", "`--log` is for allocator traces, and this is a snapshot");
    report(diagnostics, common, "");
    return ExitCode::input_error;
  }
  const auto log = validate::replay_trace(*recorded.operations);
  if (log) {
    print(*log);
    return ExitCode::fit;
  }
  add_error(diagnostics, "E113", log.error().message,
            {recorded.source, {static_cast<std::uint32_t>(log.error().line), 1, 1}});
  report(diagnostics, common, "");
  return ExitCode::input_error;
}

ExitCode print_answer(const ReplayAnswer& answer, const Common& common) {
  if (common.json)
    print(replay_json(answer));
  else
    print(common.quiet ? replay_headline(answer) : replay_text(answer));
  for (const scenarios::ReplayRun& run : answer.runs)
    if (run.failures > 0) return ExitCode::no_fit;
  return ExitCode::fit;
}

ExitCode run(const Common& common, const ReplayOptions& options) {
  constexpr std::string_view consequence = "nothing was replayed";
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;
  auto text = validate::read_text_file(options.file);
  if (!text) {
    add_error(diagnostics, "E101", scenarios::printable(text.error().message));
    report(diagnostics, common, consequence);
    return ExitCode::input_error;
  }
  const auto recorded =
      validate::read_recorded_memory(options.file, *std::move(text), sources, diagnostics);
  if (recorded && options.log) return print_log(*recorded, common);

  ReplayAnswer answer;
  if (recorded) answer.trace = recorded->trace;
  auto settings = scenarios::read_replay_settings(common.data / "scenarios", options.words,
                                                  answer.trace, sources, diagnostics);
  report(diagnostics, common, consequence);
  if (!recorded || !settings) return ExitCode::input_error;
  answer.file = scenarios::printable(options.file);
  answer.capacity = settings->capacity;
  answer.costs = settings->costs;
  for (const models::AllocatorSpec& allocator : settings->allocators)
    answer.runs.push_back(
        scenarios::replay(answer.trace, allocator, answer.capacity.value_or(scenarios::no_limit)));
  return print_answer(answer, common);
}

}  // namespace

void add_replay_command(CLI::App& root, Common& common, Action& action) {
  CLI::App* command =
      root.add_subcommand("replay", "Recorded memory operations on other allocators");
  const auto options = std::make_shared<ReplayOptions>();
  const auto option = [&](const char* name, auto& value, const char* help, const char* text) {
    expect_value(*command->add_option(name, value, help), text);
  };
  command->add_option("FILE", options->file, "The recording, plain or gzip")->required();
  option("--allocator", options->words.allocators,
         "To run it on; may be repeated (default:\ntorch with the recorded options)",
         "NAME[:OPTIONS]");
  option("--capacity", options->words.capacity, "Of the device (default: the recorded one)",
         "SIZE");
  option("--hw", options->words.hardware, "Machine whose first GPU the device is", "NAME|FILE");
  command->add_flag("--log", options->log, "What the real allocator prints, line by line")
      ->disable_flag_override();
  command->footer(explanation);
  add_common_options(*command, common);
  command->callback([&common, &action, options] {
    action = [&common, options] { return run(common, *options); };
  });
}

}  // namespace memsim::app
