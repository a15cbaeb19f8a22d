#include "validate/compare/text_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace memsim::validate {
namespace {

std::string percent(const std::optional<double>& fraction) {
  if (!fraction) return "-";
  if (*fraction == 0) return "0";
  return fmt::format("{:.2g}%", *fraction * 100);
}

std::string text(const Value& value) {
  if (!value.present) return "-";
  if (!value.text.empty()) return value.text;
  return value.exact ? fmt::format("{}", value.integer) : fmt::format("{:.6g}", value.number);
}

std::string place(const Row& row) {
  std::string text = row.file;
  if (!row.id.empty()) text += " " + row.id;
  if (!row.quantity.empty()) text += " " + row.quantity;
  return text;
}

std::string values(const Row& row) {
  if (!row.measured.present && !row.predicted.present) return "";
  std::string line =
      fmt::format("measured {}, predicted {}", text(row.measured), text(row.predicted));
  if (!row.unit.empty()) line += " " + row.unit;
  if (row.measured.is_number() && row.predicted.is_number())
    line += fmt::format(" ({}{})", row.error > 0 ? "+" : "", percent(row.error));
  return line;
}

void append_row(const Row& row, std::string& text) {
  text += fmt::format("  {}\n", place(row));
  const std::string numbers = values(row);
  if (!numbers.empty()) text += fmt::format("      {}\n", numbers);
  if (!row.asked.empty()) text += fmt::format("      asked: {}\n", row.asked);
  if (!row.reason.empty()) text += fmt::format("      {}\n", row.reason);
}

std::string render_rows(std::string_view title, std::span<const Row> rows, std::int64_t all) {
  if (rows.empty()) return "";
  const auto shown = static_cast<std::int64_t>(rows.size());
  std::string text = shown < all ? fmt::format("\n{} (the first {} of {})\n", title, shown, all)
                                 : fmt::format("\n{}\n", title);
  for (const Row& row : rows) append_row(row, text);
  return text;
}

bool is_exact(const SummaryLine& line) {
  const bool verdicts = line.oom_recall.has_value() || line.specificity.has_value();
  return line.compared > 0 && line.off == 0 && !verdicts && line.p90_abs_error.value_or(0) == 0 &&
         line.bias.value_or(0) == 0;
}

// Of each kind the quantities that every row met exactly, in one line; where there are few of them,
// each keeps its own.
std::vector<SummaryLine> condense(std::span<const SummaryLine> lines) {
  constexpr std::int64_t few = 4;
  std::map<std::string, std::int64_t> exact;
  for (const SummaryLine& line : lines)
    if (is_exact(line)) ++exact[line.kind];
  std::vector<SummaryLine> condensed;
  for (const SummaryLine& line : lines) {
    if (line.compared == 0) continue;
    const bool joins = is_exact(line) && exact[line.kind] > few;
    const auto joined = std::ranges::find_if(condensed, [&](const SummaryLine& other) {
      return joins && other.kind == line.kind && is_exact(other);
    });
    if (joined != condensed.end()) {
      joined->compared += line.compared;
      continue;
    }
    condensed.push_back(line);
    if (joins) condensed.back().quantity = fmt::format("{} quantities, exact", exact[line.kind]);
  }
  return condensed;
}

std::string render_table(std::span<const SummaryLine> all_lines) {
  const std::vector<SummaryLine> lines = condense(all_lines);
  std::size_t widest = std::string_view("quantity").size();
  for (const SummaryLine& line : lines) widest = std::max(widest, line.quantity.size());
  const auto render_line = [&](std::string_view kind, std::string_view quantity, auto compared,
                               auto off, std::string_view median, std::string_view p90,
                               std::string_view bias) {
    return fmt::format("{:<9} {:<{}} {:>8} {:>6} {:>8} {:>8} {:>8}\n", kind, quantity, widest,
                       compared, off, median, p90, bias);
  };
  if (lines.empty()) return "";
  std::string text =
      "\n" + render_line("kind", "quantity", "compared", "off", "median", "p90", "bias");
  for (const SummaryLine& line : lines) {
    text += render_line(line.kind, line.quantity, line.compared, line.off,
                        percent(line.median_abs_error), percent(line.p90_abs_error),
                        percent(line.bias));
    if (line.oom_recall || line.specificity)
      text += fmt::format("          found of \"oom\": {}, of \"fits\": {}\n",
                          percent(line.oom_recall), percent(line.specificity));
  }
  return text;
}

bool is_worse(const Row& a, const Row& b) {
  const double a_size = std::abs(a.error);
  const double b_size = std::abs(b.error);
  if (a_size != b_size) return a_size > b_size;
  return std::tie(a.file, a.id, a.quantity) < std::tie(b.file, b.id, b.quantity);
}

}  // namespace

std::string outcome_line(const Summary& summary, std::int64_t files) {
  const std::int64_t ok = summary.count(Status::ok);
  const std::int64_t off = summary.count(Status::off);
  const std::int64_t bad = summary.count(Status::input_error);
  std::string line = bad > 0 ? "INPUT ERRORS" : off > 0 ? "OFF" : "OK";
  const std::int64_t together = summary.held_together();
  if (ok + off == 0)
    line += "   nothing was compared";
  else if (together == ok + off && off == 0)
    line += fmt::format("   {} compared rows, held together, within tolerance", ok);
  else
    line += fmt::format("   {} of {} compared rows within tolerance", ok, ok + off);
  line += fmt::format(", {} not modelled", summary.count(Status::not_modelled));
  if (bad > 0) line += fmt::format(", {} unreadable", bad);
  line += fmt::format(" ({} {})\n", files, files == 1 ? "file" : "files");
  if (together > 0 && together < ok + off)
    line += fmt::format("     {} of them held together, by median and P90\n", together);
  return line;
}

void TextReport::add(const Row& row) {
  if (row.status == Status::input_error) {
    if (input_errors_.size() < shown_rows) input_errors_.push_back(row);
    return;
  }
  if (row.status == Status::not_modelled) {
    const std::string reason = fmt::format("{}: {}", row.kind, row.reason);
    const bool known = not_modelled_.contains(reason);
    ++not_modelled_[known || not_modelled_.size() < kept_reasons ? reason : "other reasons"];
    return;
  }
  if (row.status == Status::off && off_.size() < shown_rows) off_.push_back(row);
  if (row.error == 0) return;
  const auto position = std::ranges::upper_bound(worst_, row, is_worse);
  if (position == worst_.end() && worst_.size() == shown_worst) return;
  worst_.insert(position, row);
  if (worst_.size() > shown_worst) worst_.pop_back();
}

std::string TextReport::render_not_modelled() const {
  if (not_modelled_.empty()) return "";
  std::vector<std::pair<std::int64_t, std::string>> reasons;
  reasons.reserve(not_modelled_.size());
  for (const auto& [reason, rows] : not_modelled_) reasons.emplace_back(-rows, reason);
  std::ranges::sort(reasons);
  std::string text = "\nnot modelled\n";
  const std::size_t shown = std::min(reasons.size(), shown_rows);
  for (std::size_t i = 0; i < shown; ++i)
    text += fmt::format("  {:>6}  {}\n", -reasons[i].first, reasons[i].second);
  if (shown < reasons.size())
    text += fmt::format("          and {} reasons more\n", reasons.size() - shown);
  return text;
}

std::string TextReport::render(const Summary& summary, std::int64_t files) const {
  const std::vector<SummaryLine> lines = summary.lines();
  std::string text = outcome_line(summary, files);
  text += render_table(lines);
  text += render_rows("cannot be read", input_errors_, summary.count(Status::input_error));
  text += render_rows("off", off_, summary.count(Status::off));
  text += render_rows("largest errors", worst_, static_cast<std::int64_t>(worst_.size()));
  text += render_not_modelled();
  return text;
}

}  // namespace memsim::validate
