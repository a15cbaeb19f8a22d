#include "tests/app/command.hpp"
#include "tests/support/catch.hpp"

namespace memsim::app {
namespace {

TEST_CASE("--version and --help answer on standard output") {
  const CommandResult version = run_command("--version");
  CHECK(version.code == 0);
  CHECK(version.out == "memsim " MEMSIM_VERSION "\n");
  const CommandResult help = run_command("--help");
  CHECK(help.code == 0);
  CHECK_THAT(help.out, Catch::Contains("validate") && Catch::Contains("plan"));
  CHECK(help.err.empty());
}

TEST_CASE("without a subcommand the help goes to standard error") {
  const CommandResult result = run_command("");
  CHECK(result.code == 2);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, Catch::Contains("Usage: memsim"));
}

TEST_CASE("unknown subcommands and options are answered with the nearest one") {
  const CommandResult command = run_command("validat");
  CHECK(command.code == 2);
  CHECK(command.err ==
        "error: unknown argument `validat`\n"
        "help: did you mean `validate`? see `memsim --help`\n");
  const CommandResult option = run_command("validate --jsn");
  CHECK(option.code == 2);
  CHECK(option.err ==
        "error: unknown option `--jsn`\n"
        "help: did you mean `--json`? see `memsim validate --help`\n");
  CHECK(option.out.empty());
}

TEST_CASE("an option without its value is wrong usage") {
  const CommandResult result = run_command("validate --data");
  CHECK(result.code == 2);
  CHECK_THAT(result.err, Catch::Contains("--data"));
}

TEST_CASE("an answer that cannot be written is a failure") {
  CHECK(run_command("model list >/dev/full || exit $?; true").code == 70);
}

}  // namespace
}  // namespace memsim::app
