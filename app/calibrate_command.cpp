// memsim calibrate: from measurements to the figures that machines are simulated with.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/command.hpp"
#include "app/console.hpp"
#include "scenarios/hardware/gemm_table_file.hpp"
#include "scenarios/hardware/hardware.hpp"
#include "validate/calibrate/gemm_check.hpp"
#include "validate/calibrate/gemm_fit.hpp"
#include "validate/import/text_file.hpp"

namespace memsim::app {
namespace {

namespace fs = std::filesystem;

struct GemmOptions {
  fs::path file;
  std::string gpu;
  fs::path output;
};

// Files and what is wrong with them.
struct Reading {
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;

  void fail(std::string_view code, std::string message, std::string label = "") {
    diagnostics.add({.code = std::string(code),
                     .location = {},
                     .message = std::move(message),
                     .label = std::move(label),
                     .notes = {},
                     .help = "",
                     .suggestion = ""});
  }
};

// The GPU that was measured.
std::optional<models::GpuSpec> measured_gpu(const Common& common, const std::string& name,
                                            Reading& reading) {
  const scenarios::Catalogue catalogue(common.data / "scenarios");
  const auto hardware =
      scenarios::load_hardware(catalogue, name, {}, reading.sources, reading.diagnostics);
  if (!hardware) return std::nullopt;
  if (!hardware->gpu)
    reading.fail("E108", fmt::format("`{}` is a {}", name, scenarios::name(hardware->kind)),
                 "expected a gpu");
  return hardware->gpu;
}

std::vector<validate::GemmMeasurement> measurements(const fs::path& file, Reading& reading) {
  auto text = validate::read_text_file(file);
  if (!text) {
    reading.fail("E101", text.error().message);
    return {};
  }
  const scenarios::SourceFile& source =
      reading.sources.add(file.string(), *std::move(text), scenarios::SourceRole::given);
  return validate::parse_gemm_measurements(source, reading.diagnostics).rows;
}

// One grid a type that has rows which the split does not hold out, in the order of the types.
models::GemmTable fit(const models::GpuSpec& gpu,
                      const std::vector<validate::GemmMeasurement>& rows) {
  std::vector<validate::GemmMeasurement> used;
  for (const validate::GemmMeasurement& row : rows)
    if (!validate::is_held_out(row)) used.push_back(row);
  models::GemmTable table;
  table.gpu = gpu.name;
  for (std::size_t i = 0; i < models::data_type_count; ++i) {
    const auto type = static_cast<models::DataType>(i);
    const bool measured = std::ranges::any_of(
        used, [&](const validate::GemmMeasurement& row) { return row.type == type; });
    if (measured && gpu.compute.peak[i].value() > 0)
      table.grids.push_back(validate::fit_gemm(gpu, type, used));
  }
  return table;
}

// "a100-sxm4-80gb: bf16 from 1272 products"
std::string first_line(const models::GemmTable& table) {
  std::string text = table.gpu + ":";
  for (const models::GemmGrid& grid : table.grids)
    text += fmt::format("{} {} from {} products", &grid == &table.grids.front() ? "" : ",",
                        models::name(grid.type), grid.fitted.size());
  return text + "\n";
}

std::string errors_text(const std::vector<validate::SummaryLine>& lines) {
  std::string text =
      fmt::format("\n{:<18} {:>6} {:>8} {:>8} {:>8}\n", "errors", "rows", "median", "P90", "bias");
  for (const validate::SummaryLine& line : lines)
    text += fmt::format("{:<18} {:>6} {:>6.1f} % {:>6.1f} % {:>6.1f} %\n", line.quantity,
                        line.compared, 100 * line.median_abs_error.value_or(0),
                        100 * line.p90_abs_error.value_or(0), 100 * line.bias.value_or(0));
  return text;
}

std::string answer_json(const models::GemmTable& table,
                        const std::vector<validate::SummaryLine>& lines) {
  nlohmann::json grids = nlohmann::json::array();
  for (const models::GemmGrid& grid : table.grids)
    grids.push_back({{"type", models::name(grid.type)}, {"fitted", grid.fitted.size()}});
  nlohmann::json errors = nlohmann::json::array();
  for (const validate::SummaryLine& line : lines)
    errors.push_back({{"quantity", line.quantity},
                      {"rows", line.compared},
                      {"median_abs_error", line.median_abs_error.value_or(0)},
                      {"p90_abs_error", line.p90_abs_error.value_or(0)},
                      {"bias", line.bias.value_or(0)}});
  const nlohmann::json document = {{"schema", "memsim.calibrate-gemm/1"},
                                   {"gpu", table.gpu},
                                   {"grids", std::move(grids)},
                                   {"errors", std::move(errors)}};
  return document.dump(2) + "\n";
}

void write(const fs::path& file, const std::string& text, Reading& reading) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) reading.fail("E109", fmt::format("{} cannot be written", file.string()));
}

// Products that are faster than the GPU's peak were measured on another part, or in another unit.
void doubt_rates(const models::GpuSpec& gpu, const std::vector<validate::GemmMeasurement>& rows,
                 Reading& reading) {
  constexpr double allowance = 1.05;  // of clocks beside the data sheet's
  constexpr double per_microsecond = 1e6;
  std::size_t beyond = 0;
  double fastest = 0;  // shares of peak
  for (const validate::GemmMeasurement& row : rows) {
    const std::int64_t peak = gpu.compute.peak[static_cast<std::size_t>(row.type)].value();
    if (peak <= 0) continue;
    const double operations =
        2.0 * static_cast<double>(row.m) * static_cast<double>(row.n) * static_cast<double>(row.k);
    const double share =
        operations / row.microseconds * per_microsecond / static_cast<double>(peak);
    beyond += share > allowance ? 1 : 0;
    fastest = std::max(fastest, share);
  }
  if (beyond == 0) return;
  reading.fail("W135",
               fmt::format("{} of {} products are faster than the peak of {}", beyond, rows.size(),
                           gpu.name),
               fmt::format("the fastest reaches {:.1f} times the peak: is --gpu the part that was "
                           "measured, and time_us in microseconds?",
                           fastest));
}

// The table of what the options name, written where they say; without grids if something is wrong.
models::GemmTable make_table(const GemmOptions& options, const std::optional<models::GpuSpec>& gpu,
                             const std::vector<validate::GemmMeasurement>& rows, Reading& reading) {
  if (!gpu || reading.diagnostics.has_errors()) return {};
  doubt_rates(*gpu, rows, reading);
  models::GemmTable table = fit(*gpu, rows);
  if (table.grids.empty())
    reading.fail("E114", fmt::format("{} has no products of a type that {} computes",
                                     options.file.string(), gpu->name));
  else if (!options.output.empty())
    write(options.output,
          scenarios::gemm_table_text(table, fmt::format("Fitted to {} by `memsim calibrate gemm`.",
                                                        options.file.filename().string())),
          reading);
  return table;
}

ExitCode calibrate_gemm(const Common& common, const GemmOptions& options) {
  Reading reading;
  const auto gpu = measured_gpu(common, options.gpu, reading);
  const auto rows = measurements(options.file, reading);
  const models::GemmTable table = make_table(options, gpu, rows, reading);
  report(reading.diagnostics, common, "nothing was fitted");
  if (reading.diagnostics.has_errors()) return ExitCode::input_error;
  // The errors take several times as long as the table.
  std::vector<validate::SummaryLine> errors;
  if (!common.quiet) errors = validate::check_gemm_table(*gpu, table, rows);
  print(common.json    ? answer_json(table, errors)
        : common.quiet ? first_line(table)
                       : first_line(table) + errors_text(errors));
  return ExitCode::fit;
}

}  // namespace

void add_calibrate_command(CLI::App& root, Common& common, Action& action) {
  CLI::App* command = root.add_subcommand("calibrate", "Turns measurements into figures of parts");
  command->require_subcommand(1);
  CLI::App* gemm = command->add_subcommand(
      "gemm", "A table of matrix products from measured times, and how far off it is");
  const auto options = std::make_shared<GemmOptions>();
  gemm->add_option("FILE", options->file, "CSV: dtype,m,n,k,time_us; may be compressed")
      ->required();
  CLI::Option* gpu = gemm->add_option(
      "--gpu", options->gpu, "The part that was measured: a file or catalogue name (required)");
  expect_value(*gpu->required(), "PART");
  expect_value(*gemm->add_option("-o,--output", options->output,
                                 "The table to write, for compute.gemm of the part"),
               "FILE.table");
  gemm->footer("A fifth of the rows, chosen by a hash, is left out of the fit to tell its error.");
  add_common_options(*gemm, common);
  gemm->callback([&common, &action, options] {
    action = [&common, options] { return calibrate_gemm(common, *options); };
  });
}

}  // namespace memsim::app
