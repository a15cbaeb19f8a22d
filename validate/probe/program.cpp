#include "validate/probe/program.hpp"

#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <utility>

#include "validate/probe/error.hpp"
#include "validate/probe/interrupt.hpp"
#include "validate/probe/timing.hpp"

namespace memsim::probe {
namespace {

const char* name(Ended ended) {
  switch (ended) {
    case Ended::complete:
      return "complete";
    case Ended::budget:
      return "budget";
    case Ended::interrupt:
      break;
  }
  return "interrupt";
}

// The error that ended `work`, if one did.
template <typename Work>
std::optional<ProbeError> error_of(Work&& work) {
  try {
    work();
    return std::nullopt;
  } catch (const ProbeError& error) {
    return error;
  } catch (const std::exception& error) {
    return ProbeError(ErrorKind::internal, error.what());
  }
}

void write_head(JsonWriter& json, const Program& program) {
  json.member("schema", "memsim.probe/1");
  json.member("probe", program.probe);
  json.member("memsim_version", MEMSIM_VERSION);
}

Options write_asked(JsonWriter& json, const std::vector<std::string>& arguments) {
  auto asked = json.object("asked");
  json.member("arguments", arguments);
  Options options = parse_options(arguments);
  json.member("gpu", options.gpu);
  json.member("budget_s", options.budget_s);
  return options;
}

void write_error(JsonWriter& json, const ProbeError& error) {
  auto object = json.object("error");
  json.member("kind", name(error.kind()));
  json.member("message", error.what());
  if (!error.call().empty()) json.member("call", error.call());
  if (!error.code().empty()) json.member("code", error.code());
}

bool print(const std::string& text, std::FILE* file) {
  return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

}  // namespace

Outcome run(const Program& program, const std::vector<std::string>& arguments) {
  const std::int64_t start = now_ns();
  JsonWriter json;
  Ended ended = Ended::complete;
  std::optional<ProbeError> error;
  {
    auto document = json.object();
    write_head(json, program);
    error = error_of([&] {
      const Options options = write_asked(json, arguments);
      Budget budget(static_cast<std::int64_t>(options.budget_s * 1e9), now_ns,
                    [] { return interrupt() != 0; });
      program.measure(options, budget.whole(), json);
      ended = budget.ended();
    });
    json.member("ended", error ? "error" : name(ended));
    json.member("elapsed_ns", now_ns() - start);
    if (error) write_error(json, *error);
  }
  if (error) {
    const std::string diagnostic = std::string(program.command) + ": " + error->what() + '\n';
    return {json.text(), diagnostic, exit_code(error->kind())};
  }
  return {json.text(), "", ended == Ended::interrupt ? 128 + interrupt() : 0};
}

int run_program(const Program& program, int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (asks_for_help(arguments)) {
    return print(help_text(program.command, program.summary), stdout) ? 0 : 1;
  }
  note_interrupts();
  const Outcome outcome = run(program, arguments);
  print(outcome.diagnostic, stderr);
  if (!print(outcome.text, stdout)) {
    print(std::string(program.command) + ": cannot write to standard output\n", stderr);
    return 1;
  }
  return outcome.exit_code;
}

}  // namespace memsim::probe
