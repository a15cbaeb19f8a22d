#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/app/command.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

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
        "error[E151]: unknown argument `validat`\n"
        "help: did you mean `validate`? see `memsim --help`\n"
        "\n1 error\n");
  const CommandResult option = run_command("validate --jsn");
  CHECK(option.code == 2);
  CHECK(option.err ==
        "error[E151]: unknown option `--jsn`\n"
        "help: did you mean `--json`? see `memsim validate --help`\n"
        "\n1 error\n");
  CHECK(option.out.empty());
}

TEST_CASE("wrong usage is told in one form, all of it in one run") {
  const auto usage = [](const std::string& arguments) {
    const CommandResult result = run_command(arguments);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    return result.err;
  };
  CHECK_THAT(usage("validate --data"),
             Catch::StartsWith("error[E153]: `--data` lacks its value\n"));
  CHECK_THAT(usage("plan --hw a100 --hw a100 --model 1b"),
             Catch::StartsWith("error[E153]: `--hw` is given more than once\n"));
  CHECK_THAT(usage("hw list --json=no"),
             Catch::StartsWith("error[E153]: `--json` takes no value\n"));
  CHECK_THAT(usage("hw check"), Catch::StartsWith("error[E152]: `NAME` is missing\n"));
  CHECK_THAT(usage("hw"),
             Catch::StartsWith("error[E152]: what `memsim hw` is to do is missing\n"
                               "help: list, show, check, diff: see `memsim hw --help`\n"));
  CHECK_THAT(
      usage("hw chekc a100"),
      Catch::StartsWith("error[E151]: unknown argument `chekc`\nhelp: did you mean `check`?") &&
          Catch::EndsWith("\n1 error\n"));
  CHECK_THAT(usage("model list first --secnd third"),
             Catch::Contains("unknown argument `first`\n") && Catch::Contains("`--secnd`\n") &&
                 Catch::EndsWith("\n3 errors\n"));
  CHECK_THAT(usage("hw list --data /does/not/exist"),
             Catch::StartsWith("error[E101]: there is no folder /does/not/exist/scenarios\n"));
}

TEST_CASE("a word that an option does not know is answered with those that it does (E107)") {
  const CommandResult result =
      run_command("plan --hw a100 --model 1b --levers noone --set micro=0");
  CHECK(result.code == 2);
  CHECK(result.err ==
        "error[E107]: `noone` is not known\n"
        "  --> --levers:1:1\n"
        "   |\n"
        " 1 | noone\n"
        "   | ^^^^^ expected one of none, basic, all\n"
        "   |\n"
        "help: did you mean `none`?\n"
        "\n"
        "error[E124]: `micro_batch = 0` is out of range\n"
        "  --> --set:1:7\n"
        "   |\n"
        " 1 | micro=0\n"
        "   |       ^ expected 1 to 1000000000\n"
        "\n"
        "2 errors; nothing was simulated\n");
}

TEST_CASE("schema prints the JSON Schema of a kind of file, or which kinds there are (E107)") {
  const CommandResult gpu = run_command("schema gpu");
  CHECK(gpu.code == 0);
  CHECK(nlohmann::json::parse(gpu.out)["$schema"] ==
        "https://json-schema.org/draft/2020-12/schema");
  const CommandResult unknown = run_command("schema modle");
  CHECK(unknown.code == 2);
  CHECK(unknown.out.empty());
  CHECK_THAT(unknown.err, Catch::StartsWith("error[E107]: `modle` is no kind of file\n") &&
                              Catch::Contains("help: did you mean `model`?"));
}

TEST_CASE("an answer that cannot be written is an error of the outside (E109)") {
  const CommandResult result = run_command("model list >/dev/full");
  CHECK(result.code == 2);
  CHECK(result.err ==
        "error[E109]: the answer cannot be written\n"
        "  No space left on device\n"
        "\n1 error\n");
  CHECK(run_command("hw check nowhere --json >/dev/full").code == 2);
}

TEST_CASE("a reader that has seen enough is no error") {
  // The pipe has no reader from the start; the shell gives the code of the command.
  const CommandResult result = run_command("model list | true; exit ${PIPESTATUS[0]}", "bash");
  CHECK(result.code == 0);
  CHECK(result.err.empty());
}

TEST_CASE("diagnostics name files by paths that open them from where one is") {
  const test::TemporaryFolder folder;
  const std::string file = folder.write(
      "heir.toml", "schema = \"memsim.link/1\"\ninherits = \"pcie4-x16\"\nachieved = 2\n");
  CHECK_THAT(run_command("hw check '" + file + "'").err,
             Catch::Contains("--> " + file + ":3:12\n"));
  // PCIe 3 cannot carry what the catalogue's link of PCIe 4 states.
  const CommandResult entry = run_command("hw check pcie4-x16 --set generation=3 --json");
  const auto found = nlohmann::json::parse(entry.out)["diagnostics"];
  REQUIRE(found.size() == 2);
  CHECK(found[0]["code"] == "W136");
  CHECK(found[0]["file"] == "--set");
  CHECK(found[1]["code"] == "E133");
  const std::filesystem::path path = found[1]["file"].get<std::string>();
  CHECK(path.is_absolute());
  CHECK(std::filesystem::exists(path));
  CHECK(path.filename() == "pcie4-x16.toml");
}

TEST_CASE("whatever is asked, at most 80 columns are printed") {
  for (const char* arguments : {"--help",
                                "plan --help",
                                "validate --help",
                                "hw --help",
                                "hw list --help",
                                "hw show --help",
                                "hw check --help",
                                "model --help",
                                "schema --help",
                                "model list --help",
                                "model show --help",
                                "model check --help",
                                "model show 1b",
                                "model list",
                                "hw list",
                                "hw show dgx-h100",
                                "hw diff --help",
                                "hw diff dgx-a100-80 gb200-nvl72",
                                "hw diff gh200-144gb rtx4070-ti-super",
                                "hw diff xeon-e5-2698v4-2s threadripper-7975wx",
                                "hw show Standard_ND96isr_MI300X_v5",
                                "model show 1b --set model.nothing=1",
                                "hw check x",
                                "plan --hw a100 --model nothing"}) {
    const CommandResult result = run_command(arguments);
    std::istringstream lines(result.out + result.err);
    for (std::string line; std::getline(lines, line);) {
      INFO(arguments << ": " << line);
      CHECK((line.size() <= 80 || line.starts_with("  --> ")));
    }
  }
}

}  // namespace
}  // namespace memsim::app
