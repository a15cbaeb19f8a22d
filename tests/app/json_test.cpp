// With --json standard output is always exactly one document, whatever happens; standard error is
// for people.
#include <nlohmann/json.hpp>
#include <string>

#include "tests/app/command.hpp"
#include "tests/support/catch.hpp"

namespace memsim::app {
namespace {

using nlohmann::json;

struct Case {
  const char* arguments;
  int code;
  const char* schema;
};

constexpr const char* diagnostics = "memsim.diagnostics/1";

TEST_CASE("every command answers with one document, with --quiet too") {
  for (const auto& [arguments, code, schema] :
       {Case{"plan --hw a100 --model 125m --levers none", 0, "memsim.plan/1"},
        Case{"plan --hw 1xt4 --model 1b --levers none", 1, "memsim.plan/1"},
        Case{"hw list", 0, "memsim.hardware-list/1"}, Case{"hw show a100", 0, "memsim.hardware/1"},
        Case{"hw diff a100 a100", 0, "memsim.hardware-diff/1"},
        Case{"hw diff t4 l4", 1, "memsim.hardware-diff/1"}, Case{"hw check a100", 0, diagnostics},
        Case{"model list", 0, "memsim.models/1"},
        Case{"transfer --hw a100 --from ddr0 --to gpu0", 0, "memsim.transfer/1"},
        Case{"model show 125m", 0, "memsim.model_settings/1"},
        Case{"model check 125m", 0, diagnostics},
        Case{"validate validate/data/flows/tiny_3x5.json", 0, "memsim.validate/1"},
        Case{"validate docs/adr", 2, "memsim.validate/1"}}) {
    for (const char* options : {" --json", " --json --quiet", " --quiet --json"}) {
      const std::string command = std::string(arguments) + options;
      INFO(command);
      const CommandResult result = run_command(command);
      CHECK(result.code == code);
      CHECK(result.err.empty());
      REQUIRE(json::accept(result.out));
      CHECK(json::parse(result.out)["schema"] == schema);
    }
  }
}

TEST_CASE("errors are a document too, beside the text for people") {
  for (const auto& [arguments, code, first] :
       {Case{"plan --hw a101 --model 1b", 2, "E101"}, Case{"plan", 2, "E152"},
        Case{"plan --hw a100 --model 1b --set micro=0", 2, "E124"},
        Case{"plan --hw a100 --model gpt2 --set seq=4096", 2, "E136"},
        Case{"plan --hw a100 --model 125m --set gpu.allocator.default=slab", 2, "E107"},
        Case{"plan --hw a100 --model 125m --levers some", 2, "E107"},
        Case{"plan --nothing", 2, "E151"}, Case{"plan --hw", 2, "E153"},
        Case{"hw check tests/determinism/wrong.toml", 2, "E105"},
        Case{"hw show nowhere", 2, "E101"}, Case{"hw check", 2, "E152"},
        Case{"hw diff t4", 2, "E152"}, Case{"hw diff t4 1xt4", 2, "E108"},
        Case{"hw diff t4 nowhere", 2, "E101"}, Case{"hw", 2, "E151"},
        Case{"model show nowhere", 2, "E101"},
        Case{"model check 125m --set model.heads=7", 2, "E135"},
        Case{"hw list --data /dev/null", 2, "E101"}}) {
    const std::string command = std::string(arguments) + " --json";
    INFO(command);
    const CommandResult result = run_command(command);
    CHECK(result.code == code);
    CHECK_THAT(result.err, Catch::StartsWith("error["));
    REQUIRE(json::accept(result.out));
    const json document = json::parse(result.out);
    CHECK(document["schema"] == diagnostics);
    CHECK(document["verdict"] == "invalid");
    CHECK(document["errors"] >= 1);
    REQUIRE_FALSE(document["diagnostics"].empty());
    CHECK(document["diagnostics"][0]["code"] == first);
  }
}

TEST_CASE("hw check lists its warnings and still says valid") {
  const CommandResult result = run_command(
      "hw check t4 --json --set memory.capacity='128 GB' "
      "--set memory.bandwidth='1.5 GB/s'");
  CHECK(result.code == 0);
  const json document = json::parse(result.out);
  CHECK(document["verdict"] == "valid");
  CHECK(document["errors"] == 0);
  CHECK(document["warnings"] == 1);
  CHECK(document["diagnostics"][0]["code"] == "W135");
  CHECK(document["diagnostics"][0]["suggestion"] == "\"1.5 TB/s\"");
  CHECK_THAT(result.err, Catch::StartsWith("warning[W135]"));
}

TEST_CASE("quiet documents leave out what is long or takes long") {
  const json plan = json::parse(run_command("plan --hw a100 --model 125m --json --quiet").out);
  CHECK(plan["verdict"] == "FIT");
  CHECK(plan["levers"].empty());
  const json rows =
      json::parse(run_command("validate validate/data/flows/tiny_3x5.json --json --quiet").out);
  CHECK(rows["rows"].empty());
  CHECK(rows["summary"][0]["compared"] == 5);
}

}  // namespace
}  // namespace memsim::app
