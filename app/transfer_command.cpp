// memsim transfer: how long one copy takes on a machine, what binds it, and who shares it.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/command.hpp"
#include "app/console.hpp"
#include "app/report/transfer_json.hpp"
#include "app/report/transfer_text.hpp"
#include "scenarios/transfer/question.hpp"
#include "scenarios/transfer/sweep.hpp"

namespace memsim::app {
namespace {

constexpr auto explanation =
    "Memories: ddr0 is the DDR of a NUMA node, gpu0 the memory of a GPU; ddr is the\n"
    "memory of the process, on node --numa or else on the one closest to the GPU.\n"
    "ddr0*3+ddr1 is interleaved: three pages on ddr0, one on ddr1, and so on.\n"
    "Between NUMA nodes one CPU thread copies. Sizes are those of one copy; --count\n"
    "copies follow each other. A..B asks for all powers of two from A to B.\n"
    "\n"
    "Exit codes: 0 answered, 2 wrong usage or input, 4 not modelled.";

ExitCode run(const Common& common, const scenarios::TransferWords& words) {
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;
  const auto question =
      scenarios::read_transfer(common.data / "scenarios", words, sources, diagnostics);
  report(diagnostics, common, "nothing was simulated");
  if (!question) return ExitCode::input_error;
  const auto answer = scenarios::sweep(*question);
  if (!answer) {
    scenarios::Diagnostics failed;
    scenarios::Diagnostic failure;
    failure.code = "E160";
    failure.message = answer.error().message;
    failed.add(std::move(failure));
    report(failed, common, "");
    return ExitCode::not_modelled;
  }
  if (common.json) {
    print(transfer_json(*answer));
  } else {
    print(common.quiet ? transfer_headline(*answer) : transfer_text(*answer));
  }
  return ExitCode::fit;
}

}  // namespace

void add_transfer_command(CLI::App& root, Common& common, Action& action) {
  CLI::App* command =
      root.add_subcommand("transfer", "How long a copy takes, what binds it, who shares it");
  const auto words = std::make_shared<scenarios::TransferWords>();
  const auto option = [&](const char* name, auto& value, const char* help, const char* text) {
    expect_value(*command->add_option(name, value, help), text);
  };
  option("--hw", words->hardware, "Machine: a file, or a name of `hw list`", "NAME|FILE");
  option("--from", words->from, "Memory that is read", "MEMORY");
  option("--to", words->to, "Memory that is written", "MEMORY");
  option("--size", words->size, "Bytes of one copy (default: 1 GiB)", "SIZE|A..B");
  option("--count", words->count, "Copies one after another (default: 1)", "N");
  option("--threads", words->threads, "That touch host memory while it is pinned (default: 1)",
         "N");
  option("--numa", words->numa, "NUMA node of the process's memory, `ddr`", "N");
  option("--concurrent", words->concurrent, "What begins at the same time; may be repeated",
         "FROM:TO[:SIZE]");
  option("--set", words->overrides, "Replaces a figure; may be repeated", "KEY=VALUE");
  command->add_flag("--pageable", words->pageable, "The host's memory is not pinned")
      ->disable_flag_override();
  command->footer(explanation);
  add_common_options(*command, common);
  command->callback(
      [&common, &action, words] { action = [&common, words] { return run(common, *words); }; });
}

}  // namespace memsim::app
