#include "validate/probe/program.hpp"

#include <csignal>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "validate/probe/error.hpp"
#include "validate/probe/interrupt.hpp"

namespace memsim::probe {
namespace {

using Measure = decltype(Program::measure);

Outcome run_with(Measure measure, const std::vector<std::string>& arguments = {}) {
  return run({"memsim-probe-this", "this", "Measures this.\n", std::move(measure)}, arguments);
}

Measure throwing(ErrorKind kind) {
  return [kind](const Options&, const Budget::Share&, JsonWriter&) {
    throw ProbeError(kind, "it failed", "cudaThing", "cudaErrorThing");
  };
}

TEST_CASE("a probe's document says what was asked, what was measured and how it ended") {
  const Outcome outcome =
      run_with([](const Options& options, const Budget::Share&,
                  JsonWriter& json) { json.member("measured_on", options.gpu); },
               {"--gpu", "2"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.diagnostic.empty());
  auto json = nlohmann::json::parse(outcome.text);
  CHECK(json["elapsed_ns"].get<std::int64_t>() >= 0);
  json.erase("elapsed_ns");
  CHECK(json == nlohmann::json::parse(R"({
      "schema": "memsim.probe/1", "probe": "this", "memsim_version": ")" MEMSIM_VERSION R"(",
      "asked": {"arguments": ["--gpu", "2"], "gpu": 2, "budget_s": 30},
      "measured_on": 2, "ended": "complete"})"));
}

TEST_CASE("a probe with wrong arguments measures nothing and exits with 2") {
  bool measured = false;
  const Outcome outcome = run_with(
      [&](const Options&, const Budget::Share&, JsonWriter&) { measured = true; }, {"--gpu"});
  CHECK_FALSE(measured);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.diagnostic == "memsim-probe-this: --gpu needs a value\n");
  const auto json = nlohmann::json::parse(outcome.text);
  CHECK(json["asked"] == nlohmann::json::parse(R"({"arguments": ["--gpu"]})"));
  CHECK(json["ended"] == "error");
  CHECK(json["error"]["kind"] == "usage");
}

TEST_CASE("a failure during a probe keeps what was measured before it") {
  const Outcome outcome = run_with([](const Options&, const Budget::Share&, JsonWriter& json) {
    json.member("first", 1);
    auto second = json.array("second");
    auto entry = json.object();
    throw ProbeError(ErrorKind::device_lost, "it is gone", "cudaMalloc", "cudaErrorUnknown");
  });
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.diagnostic == "memsim-probe-this: it is gone\n");
  const auto json = nlohmann::json::parse(outcome.text);
  CHECK(json["first"] == 1);
  CHECK(json["second"].size() == 1);
  CHECK(json["ended"] == "error");
  CHECK(json["error"] == nlohmann::json::parse(R"({"kind": "device_lost",
      "message": "it is gone", "call": "cudaMalloc", "code": "cudaErrorUnknown"})"));
}

TEST_CASE("each kind of a probe's failure has its name and exit code") {
  const std::vector<std::tuple<ErrorKind, const char*, int>> kinds = {
      {ErrorKind::usage, "usage", 2},
      {ErrorKind::no_driver, "no_driver", 77},
      {ErrorKind::no_device, "no_device", 77},
      {ErrorKind::out_of_memory, "out_of_memory", 1},
      {ErrorKind::device_lost, "device_lost", 1},
      {ErrorKind::cuda, "cuda", 1},
      {ErrorKind::internal, "internal", 70}};
  for (const auto& [kind, name, code] : kinds) {
    const Outcome outcome = run_with(throwing(kind));
    CHECK(nlohmann::json::parse(outcome.text)["error"]["kind"] == name);
    CHECK(outcome.exit_code == code);
  }
}

TEST_CASE("an exception that no probe means to throw is a defect of the probe") {
  const Outcome outcome = run_with([](const Options&, const Budget::Share&, JsonWriter&) {
    throw std::out_of_range("index 7");
  });
  CHECK(outcome.exit_code == 70);
  CHECK(nlohmann::json::parse(outcome.text)["error"]["message"] == "index 7");
}

TEST_CASE("a probe that has spent its budget says so and succeeds") {
  const Outcome outcome = run_with(
      [](const Options&, const Budget::Share& share, JsonWriter&) {
        while (share.lasts()) {
        }
      },
      {"--budget", "0.001"});
  CHECK(outcome.exit_code == 0);
  CHECK(nlohmann::json::parse(outcome.text)["ended"] == "budget");
}

TEST_CASE("Ctrl-C ends a probe with what was measured so far and the code of the signal") {
  note_interrupts();
  const Outcome outcome =
      run_with([](const Options&, const Budget::Share& share, JsonWriter& json) {
        int samples = 0;
        repeat(share, 10, [&] {
          if (++samples == 4) std::raise(SIGINT);
        });
        json.member("samples", samples);
      });
  CHECK(outcome.exit_code == 128 + SIGINT);
  const auto json = nlohmann::json::parse(outcome.text);
  CHECK(json["samples"] == 4);
  CHECK(json["ended"] == "interrupt");

  // Each time interrupts are noted anew, earlier ones are forgotten.
  note_interrupts();
  CHECK(interrupt() == 0);
}

TEST_CASE("the second Ctrl-C ends a probe as if nobody listened") {
  note_interrupts();
  std::raise(SIGINT);
  struct sigaction now = {};
  REQUIRE(sigaction(SIGINT, nullptr, &now) == 0);
  CHECK(now.sa_handler == SIG_DFL);
  note_interrupts();
}

}  // namespace
}  // namespace memsim::probe
