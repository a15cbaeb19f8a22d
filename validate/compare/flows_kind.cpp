// Kind "flows": completion times of transfers that share links (validate/data/flows/README.md).
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "validate/compare/flow_runner.hpp"
#include "validate/compare/kind.hpp"
#include "validate/import/flow_scenario.hpp"
#include "validate/import/text_file.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kind_name = "flows";
// A clock of whole picoseconds costs up to 3e-8 on long chains of dependent flows.
constexpr double tolerance = 1e-7;

bool recognises(const fs::path&, std::string_view head) {
  const auto has = [&](std::string_view key) { return head.find(key) != std::string_view::npos; };
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && head[first] == '{' && has("\"links\"") &&
         (has("\"bandwidth_Bps\"") || has("\"flows\""));
}

// NAME.json or NAME.json.gz -> NAME
fs::path without_extensions(fs::path file) {
  if (file.extension() == ".gz") file.replace_extension();
  return file.replace_extension();
}

// NAME.expected.csv or NAME.expected.csv.gz beside the scenario; empty if there is neither.
fs::path expected_file(const fs::path& scenario) {
  for (const char* const extension : {".expected.csv", ".expected.csv.gz"}) {
    fs::path candidate = without_extensions(scenario);
    candidate += extension;
    std::error_code ignored;
    if (fs::exists(candidate, ignored)) return candidate;
  }
  return {};
}

bool companion(const fs::path& file) {
  const fs::path stem = without_extensions(file);
  if (stem.extension() != ".expected") return false;
  for (const char* const extension : {".json", ".json.gz"}) {
    fs::path scenario = stem;
    std::error_code ignored;
    if (fs::exists(scenario.replace_extension(extension), ignored)) return true;
  }
  return false;
}

Row row_for(const fs::path& file, std::size_t flow) {
  Row row;
  row.kind = kind_name;
  row.file = file.string();
  row.id = std::to_string(flow);
  row.quantity = "completion";
  row.unit = "s";
  return row;
}

Row compare(const fs::path& file, std::size_t flow, std::optional<double> expected,
            std::optional<sim::Time> completion) {
  Row row = row_for(file, flow);
  if (!expected) {
    row.status = Status::input_error;
    row.reason = fmt::format("flow {} has no expected completion", flow);
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

std::vector<Row> problem_rows(const fs::path& file, const fs::path& origin,
                              const std::vector<Problem>& problems) {
  std::vector<Row> rows;
  for (const Problem& problem : problems) {
    const std::string name = origin.filename().string();
    rows.push_back(input_error_row(
        kind_name, file.string(), problem.place,
        problem.place.empty() ? fmt::format("{}: {}", name, problem.reason)
                              : fmt::format("{}: {}: {}", name, problem.place, problem.reason)));
  }
  return rows;
}

std::vector<Row> rows_of(const fs::path& file) {
  const auto whole_file = [&](std::string reason) {
    return std::vector<Row>{input_error_row(kind_name, file.string(), "", std::move(reason))};
  };
  const sim::Result<std::string> text = read_text_file(file);
  if (!text) return whole_file(text.error().message);
  const auto scenario = parse_flow_scenario(*text);
  if (!scenario) return problem_rows(file, file, scenario.error());

  const fs::path expected = expected_file(file);
  if (expected.empty())
    return whole_file(fmt::format("no {}.expected.csv (or .csv.gz) beside the scenario",
                                  without_extensions(file).filename().string()));
  const sim::Result<std::string> table_text = read_text_file(expected);
  if (!table_text) return whole_file(table_text.error().message);
  const CompletionTable table = parse_completions(*table_text, scenario->flows.size());

  const std::vector<std::optional<sim::Time>> completions = run_flow_scenario(*scenario);
  std::vector<Row> rows;
  for (std::size_t flow = 0; flow < completions.size(); ++flow)
    rows.push_back(compare(file, flow, table.seconds[flow], completions[flow]));
  for (Row& row : problem_rows(file, expected, table.problems)) rows.push_back(std::move(row));
  return rows;
}

void run(const fs::path& file, const RowSink& sink) {
  for (Row& row : rows_of(file)) sink(std::move(row));
}

}  // namespace

const Kind flows_kind{kind_name, recognises, run, companion};

}  // namespace memsim::validate
