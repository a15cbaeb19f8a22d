// Kind "flows": completion times of transfers that share links (validate/data/flows/README.md).
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>

#include "validate/compare/flow_runner.hpp"
#include "validate/compare/kind.hpp"
#include "validate/import/flow_scenario.hpp"
#include "validate/import/text_file.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;
using scenarios::Diagnostics;
using scenarios::SourceFile;
using scenarios::SourceRole;

constexpr std::string_view kind_name = "flows";
// A clock of whole picoseconds costs up to 3e-8 on long chains of dependent flows.
constexpr double tolerance = 1e-7;

// NAME.json or NAME.json.gz -> NAME.expected.csv
fs::path table_of(const fs::path& scenario) {
  return without_gz(scenario).replace_extension(".expected.csv");
}

bool is_table_name(const fs::path& file) {
  const fs::path plain = without_gz(file);
  return plain.extension() == ".csv" && plain.stem().extension() == ".expected";
}

bool is_scenario(std::string_view head) {
  const auto has = [&](std::string_view key) { return head.find(key) != std::string_view::npos; };
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && head[first] == '{' && has("\"links\"") &&
         (has("\"bandwidth_Bps\"") || has("\"flows\""));
}

bool recognises(const fs::path& file, std::string_view head) {
  if (is_scenario(head)) return true;
  // Damaged, but a table of completions waits for it.
  return without_gz(file).extension() == ".json" && find_text_file(table_of(file)).has_value();
}

bool companion(const fs::path& file, const fs::path& main) {
  return without_gz(file) == table_of(main);
}

std::string orphan(const fs::path& file, std::string_view head) {
  if (!is_table_name(file) && !head.starts_with(completion_header)) return "";
  const std::string name = without_gz(file).stem().stem().string();
  return fmt::format("there is no scenario {}.json (or {}.json.gz) beside it", name, name);
}

// One file of rows with what comes beside it.
class Run {
 public:
  Run(const fs::path& file, const RowSink& sink) : file_(&file), sink_(&sink) {}

  void run() {
    const sim::Result<std::string> text = read_text_file(*file_);
    if (!text) return refuse(text.error().message);
    const SourceFile source(file_->filename().string(), *text, SourceRole::given, 0);
    Diagnostics diagnostics;
    const auto scenario = parse_flow_scenario(source, diagnostics);
    add_input_errors(diagnostics, kind_name, file_->string(), "", *sink_);
    if (!scenario) return;
    if (scenario->flows.empty()) return refuse("E114 " + source.name() + ":1:1: flows is empty");
    compare(*scenario);
  }

 private:
  void refuse(std::string reason) {
    (*sink_)(input_error_row(kind_name, file_->string(), "", std::move(reason)));
  }

  void compare(const FlowScenario& scenario) {
    const auto path = find_text_file(table_of(*file_));
    const auto text = path ? read_text_file(*path) : sim::fail("E114 " + path.error().message);
    if (!text) return refuse(text.error().message);
    const std::string name = path->filename().string();
    const SourceFile source(name, *text, SourceRole::given, 0);
    Diagnostics diagnostics;
    const auto expected = parse_completions(source, scenario.flows.size(), diagnostics);
    add_input_errors(diagnostics, kind_name, file_->string(), "", *sink_);
    if (!expected) return;
    const auto completions = run_flow_scenario(scenario);
    for (std::size_t flow = 0; flow < completions.size(); ++flow)
      (*sink_)(row(flow, name, (*expected)[flow], completions[flow]));
  }

  [[nodiscard]] Row row(std::size_t flow, const std::string& table, std::optional<double> expected,
                        std::optional<sim::Time> completion) const {
    Row row;
    row.kind = kind_name;
    row.file = file_->string();
    row.id = std::to_string(flow);
    row.quantity = "completion";
    row.unit = "s";
    if (!expected) {
      row.status = Status::input_error;
      row.reason = fmt::format("E114 {}: no completion of flow {}", table, flow);
      return row;
    }
    row.measured = number_value(*expected);
    if (!completion) {
      row.status = Status::not_modelled;
      row.reason = "does not complete within the 106 days of simulated time";
      return row;
    }
    row.predicted = number_value(static_cast<double>(completion->value()) /
                                 static_cast<double>(sim::picoseconds_per_second));
    row.error = relative_error(row.measured, row.predicted);
    if (!(std::abs(row.error) <= tolerance)) {
      row.status = Status::off;
      row.reason = "more than 1e-7 from the expected completion";
    }
    return row;
  }

  const fs::path* file_;
  const RowSink* sink_;
};

void run(const fs::path& file, const fs::path&, const RowSink& sink) { Run(file, sink).run(); }

}  // namespace

const Kind flows_kind{kind_name, recognises, run, companion, orphan};

}  // namespace memsim::validate
