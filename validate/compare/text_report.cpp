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
  if (!value.verdict.empty()) return value.verdict;
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
  return line.compared > 0 && line.off == 0 && line.p90_abs_error == 0.0 && line.bias == 0.0;
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

std::string render_foreign(std::span<const std::string> foreign) {
  if (foreign.empty()) return "";
  std::string text = fmt::format("\nnot recognised: {}\n", foreign.size());
  constexpr std::size_t shown_files = 20;
  const std::size_t shown = std::min(foreign.size(), shown_files);
  for (const std::string& file : foreign.first(shown)) text += fmt::format("  {}\n", file);
  if (shown < foreign.size()) text += fmt::format("  and {} more\n", foreign.size() - shown);
  return text;
}

// A reason without its place ("line 7: ..." or "... (line 7)"): what many rows have in common.
std::string_view without_place(std::string_view reason) {
  constexpr std::string_view digits = "0123456789";
  constexpr std::string_view before = "line ";
  if (reason.starts_with(before)) {
    const std::size_t end = reason.find_first_not_of(digits, before.size());
    if (end > before.size() && reason.substr(std::min(end, reason.size())).starts_with(": "))
      return reason.substr(end + 2);
  }
  constexpr std::string_view after = " (line ";
  const std::size_t begin = reason.rfind(after);
  if (begin != std::string_view::npos && reason.ends_with(")") &&
      reason.find_first_not_of(digits, begin + after.size()) == reason.size() - 1)
    return reason.substr(0, begin);
  return reason;
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
  line += fmt::format("   {} of {} compared rows within tolerance", ok, ok + off);
  line += fmt::format(", {} not modelled", summary.count(Status::not_modelled));
  if (bad > 0) line += fmt::format(", {} unreadable", bad);
  return line + fmt::format(" ({} {})\n", files, files == 1 ? "file" : "files");
}

void TextReport::add(const Row& row) {
  if (row.status == Status::input_error) {
    if (input_errors_.size() < shown_rows) input_errors_.push_back(row);
    return;
  }
  if (row.status == Status::not_modelled) {
    const std::string reason = fmt::format("{}: {}", row.kind, without_place(row.reason));
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

std::string TextReport::render(const Summary& summary, std::int64_t files,
                               std::span<const std::string> foreign) const {
  const std::vector<SummaryLine> lines = summary.lines();
  std::string text = outcome_line(summary, files);
  text += render_table(lines);
  text += render_rows("cannot be read", input_errors_, summary.count(Status::input_error));
  text += render_rows("off", off_, summary.count(Status::off));
  text += render_rows("largest errors", worst_, static_cast<std::int64_t>(worst_.size()));
  text += render_not_modelled();
  text += render_foreign(foreign);
  return text;
}

}  // namespace memsim::validate
