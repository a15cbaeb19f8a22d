#include <nlohmann/json.hpp>
#include <string>

#include "tests/app/command.hpp"
#include "tests/support/catch.hpp"

namespace memsim::app {
namespace {

using nlohmann::json;

// `--set` of an amount of GPU memory in percent of what the job takes.
std::string with_memory(std::int64_t percent) {
  const json plan =
      json::parse(run_command("plan --hw a100 --model 125m --levers none --json").out);
  const auto takes = plan["resources"][0]["need"]["value"].get<std::int64_t>();
  return "plan --hw a100 --model 125m --levers none --quiet --set gpu.memory.usable='" +
         std::to_string(takes * percent / 100) + " B'";
}

void check_quantities(const json& value) {
  if (value.is_array() || value.is_object())
    for (const json& below : value) check_quantities(below);
  if (!value.is_object() || !value.contains("p10")) return;
  CHECK(value["value"].is_number_integer());
  CHECK(value["p10"] <= value["value"]);
  CHECK(value["value"] <= value["p90"]);
  CHECK(value["unit"].is_string());
  CHECK(value["source"].is_string());
}

TEST_CASE("the exit code of plan is its verdict") {
  const CommandResult fit = run_command(with_memory(120));
  CHECK(fit.code == 0);
  CHECK_THAT(fit.out, Catch::StartsWith("FIT   gpu0 takes "));
  const CommandResult no_fit = run_command(with_memory(50));
  CHECK(no_fit.code == 1);
  CHECK_THAT(no_fit.out, Catch::StartsWith("NO FIT   gpu0 is short by "));
}

TEST_CASE("between fitting and not fitting plan exits with 3, with --strict 1") {
  // Going down from enough memory, the first verdict after FIT is TIGHT.
  for (std::int64_t percent = 108; percent > 50; --percent) {
    const std::string command = with_memory(percent);
    const CommandResult result = run_command(command);
    if (result.code == 0) continue;
    CHECK(result.code == 3);
    CHECK_THAT(result.out, Catch::StartsWith("TIGHT   gpu0 "));
    CHECK(run_command(command + " --strict").code == 1);
    return;
  }
  FAIL("no amount of memory is tight");
}

TEST_CASE("the default plan of the documentation answers") {
  const CommandResult result = run_command("plan --hw a100.toml --model 1b");
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Catch::StartsWith("FIT   gpu0 takes "));
  CHECK_THAT(result.out, Catch::Contains("1,011,781,632 parameters"));
  CHECK_THAT(result.out, Catch::Contains("largest micro-batch"));
}

TEST_CASE("plan writes at most 80 columns") {
  for (const char* arguments :
       {"plan --help", "plan --hw a100 --model 1b",
        "plan --hw 1xt4 --model 760m --set micro=4 --set accum=2",
        "plan --hw dgx-h100 --model 1.3b --levers all", "plan --hw a100 --model 175b"}) {
    const CommandResult result = run_command(arguments);
    std::size_t start = 0;
    for (std::size_t end = result.out.find('\n'); end != std::string::npos;
         end = result.out.find('\n', start)) {
      INFO(result.out.substr(start, end - start));
      CHECK(end - start <= 80);
      start = end + 1;
    }
  }
}

TEST_CASE("plan --json has the documented keys, and every quantity its bounds, unit and source") {
  const CommandResult result = run_command("plan --hw a100 --model 350m --json");
  CHECK(result.code == 0);
  const json plan = json::parse(result.out);
  CHECK(plan["schema"] == "memsim.plan/1");
  CHECK(plan["memsim_version"] == MEMSIM_VERSION);
  CHECK(plan["verdict"] == "FIT");
  for (const char* list : {"resources", "phases", "items", "levers", "assumptions"}) {
    CHECK(plan[list].is_array());
    CHECK_FALSE(plan[list].empty());
  }
  CHECK(plan["warnings"].is_array());
  CHECK(plan["bottleneck"]["resource"].is_string());
  check_quantities(plan);
  std::int64_t items = 0;
  for (const json& item : plan["items"]) items += item["bytes"]["value"].get<std::int64_t>();
  std::int64_t peak = 0;
  for (const json& phase : plan["phases"])
    if (phase["peak"] == true) peak = phase["total"]["value"];
  CHECK(items == peak);
}

TEST_CASE("plan --json gives the same bytes for the same inputs, another digest for others") {
  const CommandResult first = run_command("plan --hw a100 --model 125m --json");
  CHECK(run_command("plan --hw a100 --model 125m --json").out == first.out);
  const CommandResult other = run_command("plan --hw a100 --model 125m --set micro=2 --json");
  CHECK(json::parse(first.out)["inputs_digest"] != json::parse(other.out)["inputs_digest"]);
}

TEST_CASE("wrong names and settings are input errors with a way out") {
  const CommandResult hardware = run_command("plan --hw a101 --model 1b");
  CHECK(hardware.code == 2);
  CHECK(hardware.out.empty());
  CHECK_THAT(hardware.err, Catch::Contains("a100"));
  const CommandResult model = run_command("plan --hw a100 --model 1.5b");
  CHECK(model.code == 2);
  CHECK_THAT(model.err, Catch::Contains("1.3b"));
  const CommandResult set = run_command("plan --hw a100 --model 1b --set micro=two");
  CHECK(set.code == 2);
  CHECK_THAT(set.err, Catch::Contains("--set:1:"));
  const CommandResult length = run_command("plan --hw a100 --model gpt2 --set seq=4096");
  CHECK(length.code == 2);
  CHECK_THAT(length.err, Catch::Contains("train.sequence: 4096"));
  const CommandResult missing = run_command("plan --model 1b");
  CHECK(missing.code == 2);
  CHECK_THAT(missing.err, Catch::Contains("--hw"));
}

TEST_CASE("all that is wrong with the inputs is reported in one run") {
  const CommandResult result =
      run_command("plan --hw a101 --model 1.5b --set micro=0 --set train.sequense=4");
  CHECK(result.code == 2);
  CHECK_THAT(result.err, Catch::Contains("4 errors; nothing was simulated"));
}

TEST_CASE("an allocator or option that is not known is marked where it was typed") {
  const CommandResult kind =
      run_command("plan --hw a100 --model 125m --set gpu.allocator.default=tork");
  CHECK(kind.code == 2);
  CHECK_THAT(kind.err, Catch::StartsWith("error[E107]: `tork` is no allocator") &&
                           Catch::Contains("--> --set:1:23\n") &&
                           Catch::Contains("did you mean `torch`?"));
  const CommandResult option =
      run_command("plan --hw a100 --model 125m --allocator torch:max_split_size_mb:20");
  CHECK(option.code == 2);
  CHECK_THAT(option.err,
             Catch::StartsWith("error[E138]: the allocator torch refuses its options") &&
                 Catch::Contains("--> --allocator:1:1\n") &&
                 Catch::Contains("max_split_size_mb too small, must be > 20"));
}

TEST_CASE("what is not modelled has an exit code of its own") {
  const CommandResult result =
      run_command("plan --hw a100 --model 175b --levers none --set micro=1000000000");
  CHECK(result.code == 4);
  CHECK_THAT(result.err, Catch::StartsWith("error[E160]: the job's numbers pass 64 bits"));
}

TEST_CASE("--allocator chooses the allocator of the GPU and its options") {
  const auto plan = [](const std::string& allocator) {
    const CommandResult result =
        run_command("plan --hw a100 --model 125m --levers none --json --allocator " + allocator);
    CHECK(result.code == 0);
    return nlohmann::json::parse(result.out);
  };
  // Without a cache all that is reserved is live.
  const auto driver = plan("driver");
  for (const auto& phase : driver["phases"])
    CHECK(phase["live"]["value"] == phase["reserved"]["value"]);
  const auto torch = plan("torch");
  CHECK(torch["phases"][1]["live"]["value"] < torch["phases"][1]["reserved"]["value"]);
  const auto expandable = plan("torch:expandable_segments:True");
  CHECK(expandable["resources"][0]["need"]["value"] < torch["resources"][0]["need"]["value"]);
}

TEST_CASE("imaginary machines are planned, with a warning that programs find in the answer") {
  const std::string command =
      "plan --hw a100 --model 125m --levers none --set gpu.memory.capacity='10 TB'";
  const CommandResult text = run_command(command);
  CHECK(text.code == 0);
  CHECK_THAT(text.err, Catch::StartsWith("warning[W135]: `capacity = \"10 TB\"` is unlikely\n"));
  const CommandResult result = run_command(command + " --json");
  const json warnings = json::parse(result.out)["warnings"];
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0]["id"] == "W135");
  CHECK(warnings[0]["text"] == "--set:1: `capacity = \"10 TB\"` is unlikely");
}

TEST_CASE("the planner answers for the paths that hw show prints") {
  const CommandResult result = run_command(
      "plan --hw a100 --model 125m --levers none --json --set 'gpu[0].memory.usable=20 GiB' "
      "--set 'host.socket[0].numa[0].memory.usable=64 GiB'");
  CHECK(result.code == 0);
  const json resources = json::parse(result.out)["resources"];
  CHECK(resources[0]["limit"]["value"] == 20LL << 30);
  CHECK(resources[1]["limit"]["value"] == 64LL << 30);
}

TEST_CASE("model list and show explain the presets") {
  const CommandResult list = run_command("model list");
  CHECK(list.code == 0);
  CHECK_THAT(list.out, Catch::Contains("1,011,781,632") && Catch::Contains("gpt_neox"));
  const CommandResult show = run_command("model show 1b --json");
  CHECK(show.code == 0);
  CHECK(json::parse(show.out)["parameters"] == 1'011'781'632);
  CHECK(run_command("model show 1bb").code == 2);
  CHECK(run_command("model check 1b").code == 0);
}

TEST_CASE("a model of 125 million parameters can be planned on every system of the catalogue") {
  int planned = 0;
  const json catalogue = json::parse(run_command("hw list --json").out);
  for (const json& entry : catalogue["entries"]) {
    if (entry["kind"] != "system") continue;
    const auto name = entry["name"].get<std::string>();
    INFO(name);
    CHECK(run_command("hw check " + name).err.empty());
    const CommandResult result = run_command("plan --hw " + name + " --model 125m --levers none");
    CHECK(result.code == 0);
    CHECK(result.err.empty());
    ++planned;
  }
  CHECK(planned > 100);
}

TEST_CASE("hw diff tells by its exit code whether two machines differ, and names both errors") {
  CHECK(run_command("hw diff dgx-h100 dgx-h100").out ==
        "dgx-h100 and dgx-h100 (system): no figure differs\n");
  CHECK(run_command("hw diff dgx-h100 hgx-h200").code == 1);
  CHECK_THAT(run_command("hw diff pcie4-x16 pcie5-x16").out,
             Catch::Contains("  bandwidth         31.5 GB/s        link/pcie4-x16.toml:6\n"
                             "                    63 GB/s          link/pcie5-x16.toml:6\n"));
  const CommandResult wrong = run_command("hw diff a1000 h1000");
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, Catch::Contains("a1000") && Catch::Contains("h1000"));
}

TEST_CASE("hw list, show and check explain the catalogue") {
  CHECK_THAT(run_command("hw list").out, Catch::Contains("dgx-a100-80"));
  CHECK_THAT(run_command("hw show a100").out, Catch::Contains("1555 GB/s"));
  CHECK(run_command("hw check a100").code == 0);
  CHECK(run_command("hw check a1000").code == 2);
}

}  // namespace
}  // namespace memsim::app
