// memsim calibrate: from measurements to the figures that machines are simulated with.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
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

// The GPU that was measured. Empty after a message.
std::optional<models::GpuSpec> measured_gpu(const Common& common, const std::string& name) {
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;
  const scenarios::Catalogue catalogue(common.data / "scenarios");
  const auto hardware = scenarios::load_hardware(catalogue, name, {}, sources, diagnostics);
  print_diagnostics(diagnostics, common, "nothing was fitted");
  if (!hardware) return std::nullopt;
  if (!hardware->gpu) print_error(name + " is no GPU");
  return hardware->gpu;
}

// Empty after a message.
std::optional<std::vector<validate::GemmMeasurement>> measurements(const Common& common,
                                                                   const fs::path& file) {
  const auto text = validate::read_text_file(file);
  if (!text) {
    print_error(text.error().message);
    return std::nullopt;
  }
  const scenarios::SourceFile source(file.string(), *text, scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  validate::GemmMeasurements found = validate::parse_gemm_measurements(source, diagnostics);
  print_diagnostics(diagnostics, common, "nothing was fitted");
  if (diagnostics.has_errors()) return std::nullopt;
  return std::move(found.rows);
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

std::string errors_text(const models::GemmTable& table,
                        const std::vector<validate::SummaryLine>& lines) {
  std::string text = fmt::format("{:<24} {:>6} {:>8} {:>8} {:>8}\n", "errors of " + table.gpu,
                                 "rows", "median", "P90", "bias");
  for (const validate::SummaryLine& line : lines)
    text += fmt::format("{:<24} {:>6} {:>6.1f} % {:>6.1f} % {:>6.1f} %\n", line.quantity,
                        line.compared, 100 * line.median_abs_error.value_or(0),
                        100 * line.p90_abs_error.value_or(0), 100 * line.bias.value_or(0));
  return text;
}

std::string errors_json(const models::GemmTable& table,
                        const std::vector<validate::SummaryLine>& lines) {
  nlohmann::json errors = nlohmann::json::array();
  for (const validate::SummaryLine& line : lines)
    errors.push_back({{"quantity", line.quantity},
                      {"rows", line.compared},
                      {"median_abs_error", line.median_abs_error.value_or(0)},
                      {"p90_abs_error", line.p90_abs_error.value_or(0)},
                      {"bias", line.bias.value_or(0)}});
  const nlohmann::json document = {
      {"schema", "memsim.calibrate-gemm/1"}, {"gpu", table.gpu}, {"errors", std::move(errors)}};
  return document.dump(2) + "\n";
}

bool write(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) print_error(file.string() + " cannot be written");
  return static_cast<bool>(stream);
}

ExitCode calibrate_gemm(const Common& common, const GemmOptions& options) {
  const auto gpu = measured_gpu(common, options.gpu);
  const auto rows = measurements(common, options.file);
  if (!gpu || !rows) return ExitCode::input_error;
  const models::GemmTable table = fit(*gpu, *rows);
  if (table.grids.empty()) {
    print_error(
        fmt::format("{}: no product of a type that {} computes", options.file.string(), gpu->name));
    return ExitCode::input_error;
  }
  const std::string remark =
      fmt::format("Fitted to {} by `memsim calibrate gemm`.", options.file.filename().string());
  if (!options.output.empty() && !write(options.output, scenarios::gemm_table_text(table, remark)))
    return ExitCode::input_error;
  if (common.quiet) return ExitCode::fit;
  const auto errors = validate::check_gemm_table(*gpu, table, *rows);
  print(common.json ? errors_json(table, errors) : errors_text(table, errors));
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
  gemm->add_option("--gpu", options->gpu, "The part that was measured: a file or catalogue name")
      ->required();
  gemm->add_option("-o,--output", options->output,
                   "The table to write, for compute.gemm of the part")
      ->option_text("FILE.table");
  gemm->footer("A fifth of the rows, chosen by a hash, is left out of the fit to tell its error.");
  add_common_options(*gemm, common);
  gemm->callback([&common, &action, options] {
    action = [&common, options] { return calibrate_gemm(common, *options); };
  });
}

}  // namespace memsim::app
