// Kind "torch": what PyTorch training programs allocate, in which order, and what autograd saves
// (validate/data/torch/README.md).
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <utility>

#include "models/training/lowering.hpp"
#include "sim/core/check.hpp"
#include "validate/compare/kind.hpp"
#include "validate/compare/torch_row.hpp"
#include "validate/compare/torch_trace.hpp"
#include "validate/compare/torch_usage.hpp"
#include "validate/import/text_file.hpp"
#include "validate/import/text_lines.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kind_name = "torch";

bool recognises(const fs::path&, std::string_view head) {
  const auto has = [&](std::string_view key) { return head.find(key) != std::string_view::npos; };
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && head[first] == '{' && has("\"family\"") &&
         has("\"args\"") && (has("\"batch\"") || has("\"precision\""));
}

// traces/ID.txt and saved/ID.tsv beside a file of rows.
bool companion(const fs::path& file) {
  const fs::path folder = file.parent_path().filename();
  fs::path stem = file;
  if (stem.extension() == ".gz") stem.replace_extension();
  const bool fits = (folder == "traces" && stem.extension() == ".txt") ||
                    (folder == "saved" && stem.extension() == ".tsv");
  if (!fits) return false;
  std::error_code ignored;
  for (const char* const rows : {"truth.jsonl", "truth.jsonl.gz"})
    if (fs::exists(file.parent_path().parent_path() / rows, ignored)) return true;
  return false;
}

// What memsim predicts for the quantities of a row that belong to no step.
std::map<std::string, std::int64_t> predicted_totals(const models::TensorTotals& totals,
                                                     const models::TensorTotals& totals_2x) {
  return {
      {"params", totals.parameters},
      {"param_bytes", totals.parameter_bytes.value()},
      {"buffer_bytes", totals.buffer_bytes.value()},
      {"input_bytes", totals.input_bytes.value()},
      {"grad_bytes", totals.gradient_bytes.value()},
      {"grad_count", totals.gradients},
      {"optimizer_state_bytes", totals.optimizer_bytes.value()},
      {"optimizer_state_tensors", totals.optimizer_tensors},
      {"saved_unique_storages", totals.saved_storages},
      {"saved_for_backward_bytes", totals.saved_bytes.value()},
      {"saved_for_backward_bytes_512", totals.saved_bytes_512.value()},
      {"saved_for_backward_bytes_2x", totals_2x.saved_bytes.value()},
  };
}

std::string unit_of(std::string_view quantity) {
  return quantity.find("bytes") != std::string_view::npos || quantity.starts_with("after_") ||
                 quantity.starts_with("peak") || quantity.starts_with("start") ||
                 quantity.starts_with("end")
             ? "B"
             : "";
}

class Comparison {
 public:
  explicit Comparison(const fs::path& file) : file_(&file) {}

  std::vector<Row> rows;

  void run(TorchRow& row, const std::string& place) {
    id_ = row.id.empty() ? place : row.id;
    if (row.status != Status::ok) return refuse(row.status, place + ": " + row.reason);
    const auto steps = std::max({row.steps.size(), row.steps_2x.size(), std::size_t{1}});
    row.training.steps = static_cast<std::int64_t>(steps);
    row.training.rules = models::TorchRules::v1_13;
    const auto lowered = models::lower_training(row.network, row.training);
    row.training.rules = models::TorchRules::v2;
    const auto lowered_2x = models::lower_training(row.network, row.training);
    for (const auto* const result : {&lowered, &lowered_2x})
      if (!*result) return refuse(Status::input_error, place + ": " + result->error().message);

    const auto totals = predicted_totals(lowered->totals, lowered_2x->totals);
    for (const auto& [quantity, measured] : row.totals)
      if (const auto found = totals.find(quantity); found != totals.end())
        exact(id_, quantity, measured, found->second);
    compare_rules(row, *lowered, models::TorchRules::v1_13, row.steps, "");
    compare_rules(row, *lowered_2x, models::TorchRules::v2, row.steps_2x, " 2.x");
  }

  void refuse(Status status, std::string reason) {
    Row row = row_for(id_, "");
    row.status = status;
    row.reason = std::move(reason);
    rows.push_back(std::move(row));
  }

 private:
  Row row_for(std::string id, std::string quantity) const {
    Row row;
    row.kind = kind_name;
    row.file = file_->string();
    row.id = std::move(id);
    row.unit = unit_of(quantity);
    row.quantity = std::move(quantity);
    return row;
  }

  // All of these are decided by the program alone: nothing but equality will do.
  Row& exact(std::string id, std::string quantity, std::int64_t measured, std::int64_t predicted) {
    Row row = row_for(std::move(id), std::move(quantity));
    row.measured = exact_value(measured);
    row.predicted = exact_value(predicted);
    row.error = relative_error(row.measured, row.predicted);
    if (measured != predicted) {
      row.status = Status::off;
      row.reason = "not equal";
    }
    rows.push_back(std::move(row));
    return rows.back();
  }

  void compare_rules(const TorchRow& row, const models::LoweredTraining& lowered,
                     models::TorchRules rules, const std::vector<TorchQuantities>& steps,
                     const std::string& suffix) {
    TorchUsage usage = torch_usage(lowered, row.training);
    for (std::size_t i = 0; i < steps.size(); ++i)
      compare_step(id_ + " step" + std::to_string(i) + suffix, steps[i], usage.steps[i]);
    compare_trace(row, rules, std::move(usage.events), suffix);
  }

  void compare_step(const std::string& id, const TorchQuantities& measured,
                    const TorchQuantities& predicted) {
    const std::map<std::string, std::int64_t> known(predicted.begin(), predicted.end());
    for (const auto& [quantity, value] : measured) {
      if (const auto found = known.find(quantity); found != known.end()) {
        exact(id, quantity, value, found->second);
        continue;
      }
      Row row = row_for(id, quantity);
      row.measured = exact_value(value);
      row.status = Status::not_modelled;
      row.reason = "memsim's step has no " + quantity;
      rows.push_back(std::move(row));
    }
  }

  // traces/ID.txt.gz or traces/ID.txt beside the rows; empty if there is neither.
  [[nodiscard]] fs::path trace_file() const {
    if (id_.empty() || id_.find('/') != std::string::npos) return {};
    for (const char* const extension : {".txt.gz", ".txt"}) {
      const fs::path candidate = file_->parent_path() / "traces" / (id_ + extension);
      std::error_code ignored;
      if (fs::is_regular_file(candidate, ignored)) return candidate;
    }
    return {};
  }

  void compare_trace(const TorchRow& row, models::TorchRules rules,
                     std::vector<TorchEvent> predicted, const std::string& suffix) {
    const fs::path path = trace_file();
    if (path.empty()) return;
    const sim::Result<std::string> text = read_text_file(path);
    auto trace = text ? parse_torch_trace(*text, rules) : sim::fail(text.error().message);
    if (!trace)
      return refuse(Status::input_error, path.filename().string() + ": " + trace.error().message);
    // Before the first step there are markers of the script's set-up, and one at its end.
    std::erase_if(*trace, [](const TorchEvent& event) {
      return event.kind == TorchEventKind::marker && !event.marker.starts_with("step");
    });
    if (row.training.precision == models::Precision::autocast_bf16 ||
        row.training.precision == models::Precision::autocast_fp16) {
      order_conversions(*trace);
      order_conversions(predicted);
    }
    compare_events(*trace, predicted, suffix);
  }

  // Predicted: events that agree from the start.
  void compare_events(const std::vector<TorchEvent>& trace,
                      const std::vector<TorchEvent>& predicted, const std::string& suffix) {
    const auto [real, ours] =
        std::mismatch(trace.begin(), trace.end(), predicted.begin(), predicted.end());
    const auto agree = real - trace.begin();
    Row& row = exact(id_ + suffix, "sequence", static_cast<std::int64_t>(trace.size()), agree);
    row.unit = "events";
    if (real == trace.end() && ours == predicted.end()) return;
    row.status = Status::off;
    row.reason = "event " + std::to_string(agree + 1) + where(trace, agree) + ": the trace " +
                 (real == trace.end() ? "ends" : describe(*real)) + ", memsim " +
                 (ours == predicted.end() ? "ends" : describe(*ours));
  }

  static std::string where(const std::vector<TorchEvent>& trace, std::ptrdiff_t end) {
    for (std::ptrdiff_t i = end; i-- > 0;) {
      const TorchEvent& event = trace[static_cast<std::size_t>(i)];
      if (event.kind == TorchEventKind::marker) return " (" + event.marker + ")";
    }
    return "";
  }

  const fs::path* file_;
  std::string id_;
};

// One row over many lines, not rows line by line.
bool is_one_row(std::string_view text) {
  std::size_t starts = 0;
  while (!text.empty())
    if (next_line(text).starts_with('{')) ++starts;
  return starts == 1;
}

void run_row(Comparison& comparison, std::string_view text, const std::string& place) {
  TorchRow row = parse_torch_row(text);
  try {
    comparison.run(row, place);
  } catch (const sim::InternalError&) {
    comparison.refuse(Status::not_modelled, place + ": sizes beyond 64 bits");
  }
}

void run(const fs::path& file, const RowSink& sink) {
  const sim::Result<std::string> content = read_text_file(file);
  if (!content) {
    sink(input_error_row(kind_name, file.string(), "", content.error().message));
    return;
  }
  Comparison comparison(file);
  const auto hand_over = [&] {
    for (Row& row : comparison.rows) sink(std::move(row));
    comparison.rows.clear();
  };
  std::string_view text = *content;
  if (is_one_row(text)) {
    run_row(comparison, text, "line 1");
    hand_over();
    return;
  }
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = next_line(text);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    run_row(comparison, line, "line " + std::to_string(number));
    hand_over();
  }
}

}  // namespace

const Kind torch_kind{kind_name, recognises, run, companion};

}  // namespace memsim::validate
