// The real program, on a machine where it must not find a GPU.
#include <dlfcn.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/app/command.hpp"
#include "tests/support/catch.hpp"

namespace memsim::probe {
namespace {

app::CommandResult run_hidden(const std::string& arguments) {
  REQUIRE(setenv("CUDA_VISIBLE_DEVICES", "", 1) == 0);  // hides what GPUs there are
  return app::run_command(arguments);
}

TEST_CASE("memsim-probe-device without a GPU prints a JSON document and exits with 77") {
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY);
  const std::string kind = driver == nullptr ? "no_driver" : "no_device";
  if (driver != nullptr) dlclose(driver);
  const app::CommandResult result = run_hidden("--budget 2");
  CHECK(result.code == 77);
  const auto document = nlohmann::json::parse(result.out);
  CHECK(document["schema"] == "memsim.probe/1");
  CHECK(document["probe"] == "device");
  CHECK(document["memsim_version"] == MEMSIM_VERSION);
  CHECK(document["asked"]["budget_s"] == 2);
  CHECK(document["ended"] == "error");
  CHECK(document["error"]["kind"] == kind);
  CHECK(result.err ==
        "memsim-probe-device: " + document["error"]["message"].get<std::string>() + "\n");
}

TEST_CASE("memsim-probe-device with wrong arguments prints a JSON document and exits with 2") {
  const app::CommandResult result = run_hidden("--budget never");
  CHECK(result.code == 2);
  CHECK(nlohmann::json::parse(result.out)["error"]["kind"] == "usage");
}

TEST_CASE("memsim-probe-device --help prints its options") {
  const app::CommandResult result = run_hidden("--help");
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Catch::StartsWith("Usage: memsim-probe-device [--gpu N]"));
}

TEST_CASE("memsim-probe-device fails when nobody takes its answer") {
  CHECK(run_hidden("--help >/dev/full; exit $?").code == 1);
}

}  // namespace
}  // namespace memsim::probe
