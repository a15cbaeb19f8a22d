// Kind "gemm": times of matrix products against those of the GPU that the file is called after
// (validate/data/gemm/README.md).
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/hardware/hardware.hpp"
#include "validate/compare/kind.hpp"
#include "validate/compare/tolerance.hpp"
#include "validate/import/gemm_measurements.hpp"
#include "validate/import/text_file.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;
using models::GpuSpec;

constexpr std::string_view kind_name = "gemm";

// Libraries choose among kernels by rules of their own, so single products are far off on every
// GPU.
//
// GPUs with GDDR have a slow memory behind a large cache: whether operands are still in it decides,
// all at once.
Tolerance tolerance_of(const GpuSpec& gpu) {
  return {0.06, gpu.memory.kind.starts_with("GDDR") ? 0.28 : 0.20};
}

bool recognises(const fs::path&, std::string_view head) {
  return head.starts_with(gemm_header) &&
         (head.size() == gemm_header.size() || head[gemm_header.size()] == '\n' ||
          head[gemm_header.size()] == '\r');
}

// The words of a file's name that may be that of a GPU: all of it, then its parts.
std::vector<std::string> words_of(const fs::path& file) {
  const std::string stem = without_gz(file).stem().string();
  std::vector<std::string> words{stem};
  for (const std::string_view separators : {"_ .", "_ .-"}) {
    std::size_t begin = 0;
    while (begin < stem.size()) {
      const std::size_t end = std::min(stem.find_first_of(separators, begin), stem.size());
      if (end > begin) words.push_back(stem.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  for (std::string& word : words)
    for (char& c : word)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return words;
}

// The part of that name; else of the parts whose name begins with the word the one that a table was
// measured on, or the only one.
sim::Result<GpuSpec> find_gpu(const scenarios::Catalogue& catalogue, const std::string& word) {
  std::vector<GpuSpec> candidates;
  for (const std::string& name : catalogue.names(scenarios::HardwareKind::gpu)) {
    if (name != word && !name.starts_with(word + "-")) continue;
    scenarios::Sources sources;
    scenarios::Diagnostics diagnostics;
    const auto part =
        scenarios::load_entry(catalogue, scenarios::HardwareKind::gpu, name, sources, diagnostics);
    if (!part) return sim::fail(fmt::format("the catalogue's {} has errors", name));
    const bool measured =
        part->gpu->compute.gemm != nullptr && part->gpu->compute.gemm->gpu == name;
    if (name == word || measured) return *part->gpu;
    candidates.push_back(*part->gpu);
  }
  if (candidates.size() == 1) return candidates.front();
  if (candidates.empty()) return sim::fail("");
  std::string names = candidates.front().name;
  for (std::size_t i = 1; i < candidates.size(); ++i) names += " or " + candidates[i].name;
  return sim::fail(fmt::format("{} may be {}", word, names));
}

// Errors: why it cannot be told.
sim::Result<GpuSpec> gpu_of(const fs::path& file, const fs::path& data) {
  const scenarios::Catalogue catalogue(data / "scenarios");
  for (const std::string& word : words_of(file.filename())) {
    auto gpu = find_gpu(catalogue, word);
    if (gpu || !gpu.error().message.empty()) return gpu;
  }
  return sim::fail(
      fmt::format("no GPU of the catalogue is called like {}", file.filename().string()));
}

class Comparison {
 public:
  Comparison(const fs::path& file, const GpuSpec& gpu) : file_(file.string()), gpu_(&gpu) {}

  void add(const GemmMeasurement& measured) {
    Row row;
    row.kind = kind_name;
    row.file = file_;
    row.id = gemm_row_name(measured);
    row.quantity = fmt::format("time {} {}", gpu_->name, models::name(measured.type));
    row.unit = "us";
    row.measured = number_value(measured.microseconds);
    if (const auto time = gemm_time(*gpu_, measured)) {
      row.predicted = number_value(static_cast<double>(time->value()) / 1e6);
      row.error = relative_error(row.measured, row.predicted);
      if (was_fitted(measured)) {
        row.status = Status::not_modelled;
        row.reason = fmt::format("no prediction: {} was fitted to it", gpu_->compute.gemm_table);
      } else {
        groups_[row.quantity].push_back(rows_.size());
      }
    } else {
      row.status = Status::not_modelled;
      row.reason = time.error().message;
    }
    rows_.push_back(std::move(row));
  }

  std::vector<Row> finish() {
    const Tolerance tolerance = tolerance_of(*gpu_);
    for (const auto& [quantity, rows] : groups_) hold(tolerance, rows, rows_);
    return std::move(rows_);
  }

 private:
  [[nodiscard]] bool was_fitted(const GemmMeasurement& row) const {
    if (gpu_->compute.gemm == nullptr) return false;
    const models::GemmGrid* grid = gpu_->compute.gemm->find(row.type);
    return grid != nullptr && std::ranges::binary_search(grid->fitted, gemm_fingerprint(row));
  }

  std::string file_;
  const GpuSpec* gpu_;
  std::vector<Row> rows_;
  std::map<std::string, std::vector<std::size_t>> groups_;  // compared rows, by quantity
};

Row row_of_foreigner(const fs::path& file, const GemmForeigner& foreigner) {
  Row row;
  row.kind = kind_name;
  row.file = file.string();
  row.id = fmt::format("line {}", foreigner.line);
  row.quantity = "time";
  row.unit = "us";
  row.status = Status::not_modelled;
  row.reason = fmt::format("no products of type '{}'", foreigner.type);
  return row;
}

void refuse(const fs::path& file, const GemmMeasurements& found, const std::string& reason,
            const RowSink& sink) {
  for (const GemmMeasurement& measured : found.rows) {
    Row row;
    row.kind = kind_name;
    row.file = file.string();
    row.id = gemm_row_name(measured);
    row.quantity = fmt::format("time {}", models::name(measured.type));
    row.unit = "us";
    row.measured = number_value(measured.microseconds);
    row.status = Status::not_modelled;
    row.reason = reason;
    sink(std::move(row));
  }
}

void run(const fs::path& file, const fs::path& data, const RowSink& sink) {
  const auto text = read_text_file(file);
  if (!text) return sink(input_error_row(kind_name, file.string(), "", text.error().message));
  const scenarios::SourceFile source(file.filename().string(), *text, scenarios::SourceRole::given,
                                     0);
  scenarios::Diagnostics diagnostics;
  const GemmMeasurements found = parse_gemm_measurements(source, diagnostics);
  add_input_errors(diagnostics, kind_name, file.string(), "", sink);
  for (const GemmForeigner& foreigner : found.foreigners) sink(row_of_foreigner(file, foreigner));
  const auto gpu = gpu_of(file, data);
  if (!gpu) return refuse(file, found, gpu.error().message, sink);
  Comparison comparison(file, *gpu);
  for (const GemmMeasurement& row : found.rows) comparison.add(row);
  for (Row& row : comparison.finish()) sink(std::move(row));
}

// A file of products stands alone.
bool companion(const fs::path&, const fs::path&) { return false; }
std::string orphan(const fs::path&, std::string_view) { return ""; }

}  // namespace

const Kind gemm_kind{kind_name, recognises, run, companion, orphan, Holding::groups};

}  // namespace memsim::validate
