#include "validate/calibrate/gemm_check.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "sim/core/digest.hpp"
#include "validate/calibrate/gemm_fit.hpp"

namespace memsim::validate {
namespace {

using models::DataType;
using models::GpuSpec;

constexpr std::uint64_t folds = 5;

using Rows = std::vector<GemmMeasurement>;
// What rows must share to be left out together.
using Group = std::string (*)(const GemmMeasurement&);

std::string by_m(const GemmMeasurement& row) { return fmt::format("m={}", row.m); }
std::string by_n_and_k(const GemmMeasurement& row) {
  return fmt::format("n={} k={}", row.n, row.k);
}

void compare(const GpuSpec& gpu, const Rows& rows, const std::string& quantity, Summary& summary) {
  for (const GemmMeasurement& measured : rows) {
    const auto time = gemm_time(gpu, measured);
    if (!time) continue;
    Row row;
    row.kind = "gemm";
    row.quantity = quantity;
    row.unit = "us";
    row.measured = number_value(measured.microseconds);
    row.predicted = number_value(static_cast<double>(time->value()) / 1e6);
    row.error = relative_error(row.measured, row.predicted);
    summary.add(row);
  }
}

void cross_validate(const GpuSpec& gpu, DataType type, const Rows& rows, Group group,
                    const std::string& quantity, Summary& summary) {
  for (std::uint64_t fold = 0; fold < folds; ++fold) {
    Rows seen;
    Rows unseen;
    for (const GemmMeasurement& row : rows) {
      const bool left_out = sim::Digest().add(group(row)).value() % folds == fold;
      (left_out ? unseen : seen).push_back(row);
    }
    if (seen.empty() || unseen.empty()) continue;
    GpuSpec fitted = gpu;
    fitted.compute.gemm = std::make_shared<const models::GemmTable>(
        models::GemmTable{gpu.name, {fit_gemm(gpu, type, seen)}});
    compare(fitted, unseen, quantity, summary);
  }
}

}  // namespace

std::vector<SummaryLine> check_gemm_table(const GpuSpec& gpu, const models::GemmTable& table,
                                          std::span<const GemmMeasurement> rows) {
  Summary summary;
  GpuSpec fitted = gpu;
  fitted.compute.gemm = std::make_shared<const models::GemmTable>(table);
  for (const models::GemmGrid& grid : table.grids) {
    Rows held_out;
    Rows others;
    for (const GemmMeasurement& row : rows)
      if (row.type == grid.type) (is_held_out(row) ? held_out : others).push_back(row);
    const std::string type(models::name(grid.type));
    compare(fitted, held_out, type + " held out", summary);
    cross_validate(gpu, grid.type, others, by_m, type + " other m", summary);
    cross_validate(gpu, grid.type, others, by_n_and_k, type + " other n, k", summary);
  }
  return summary.lines();
}

}  // namespace memsim::validate
