#include "scenarios/schema/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>
#include <utility>

namespace memsim::scenarios {
namespace {

// Decides both the order and what counts as the same diagnostic.
using Key =
    std::tuple<std::size_t, std::uint32_t, std::uint32_t, std::string_view, std::string_view>;

Key key_of(const Diagnostic& d) {
  const std::size_t order = d.location.file == nullptr ? 0 : d.location.file->order() + 1;
  return {order, d.location.span.line, d.location.span.column, d.code, d.message};
}

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// The marked line with a caret under every marked character.
std::string excerpt(const Diagnostic& d) {
  const Span& span = d.location.span;
  const std::string_view line = d.location.file->line(span.line);
  const std::string number = std::to_string(span.line);
  const std::size_t gutter = std::max<std::size_t>(2, number.size());
  const std::string margin(gutter, ' ');
  const std::uint32_t marked = std::max<std::uint32_t>(1, span.end_column - span.column);
  std::string indent;
  for (const char c : slice(line, 1, span.column)) {
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) indent += c == '\t' ? '\t' : ' ';
  }
  std::string text = fmt::format("  --> {}:{}:{}\n{} |\n", d.location.file->name(), span.line,
                                 span.column, margin);
  text += fmt::format("{:>{}} | {}\n", number, gutter, line);
  text += fmt::format("{} | {}{}", margin, indent, std::string(marked, '^'));
  text += d.label.empty() ? "\n" : " " + d.label + "\n";
  if (!d.notes.empty() || !d.help.empty()) text += margin + " |\n";
  return text;
}

std::string paragraph(const Diagnostic& d) {
  std::string text = fmt::format(
      "{}[{}]: {}\n", d.severity() == Severity::error ? "error" : "warning", d.code, d.message);
  if (d.location.file != nullptr) {
    text += excerpt(d);
  } else if (!d.label.empty()) {
    text += "  " + d.label + "\n";
  }
  for (const std::string& note : d.notes) text += "note: " + note + "\n";
  if (!d.help.empty()) text += "help: " + d.help + "\n";
  return text + "\n";
}

}  // namespace

std::string Diagnostic::sentence() const {
  std::string text = code + " ";
  if (location.file != nullptr) text += location.text() + ": ";
  text += message;
  if (!label.empty()) text += "; " + label;
  if (!help.empty()) text += "; " + help;
  return text;
}

void Diagnostics::add(Diagnostic diagnostic) { all_.push_back(std::move(diagnostic)); }

bool Diagnostics::has_errors() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](const Diagnostic& d) { return d.severity() == Severity::error; });
}

std::size_t Diagnostics::errors() const { return sorted().size() - warnings(); }

std::size_t Diagnostics::warnings() const {
  const std::vector<Diagnostic> distinct = sorted();
  return static_cast<std::size_t>(
      std::count_if(distinct.begin(), distinct.end(),
                    [](const Diagnostic& d) { return d.severity() == Severity::warning; }));
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = all_;
  std::stable_sort(result.begin(), result.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return key_of(a) < key_of(b); });
  result.erase(
      std::unique(result.begin(), result.end(),
                  [](const Diagnostic& a, const Diagnostic& b) { return key_of(a) == key_of(b); }),
      result.end());
  return result;
}

std::string Diagnostics::text(std::string_view consequence) const {
  const std::vector<Diagnostic> all = sorted();
  if (all.empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), shown_at_most); ++i) text += paragraph(all[i]);
  std::string counts;
  if (errors() > 0) counts = plural(errors(), "error");
  if (warnings() > 0) counts += (counts.empty() ? "" : ", ") + plural(warnings(), "warning");
  if (all.size() > shown_at_most) {
    counts += fmt::format(" (the first {} are shown)", shown_at_most);
  }
  if (has_errors() && !consequence.empty()) counts += fmt::format("; {}", consequence);
  return text + counts + "\n";
}

std::string Diagnostics::json() const {
  const std::vector<Diagnostic> all = sorted();
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t i = 0; i < std::min(all.size(), shown_at_most); ++i) {
    const Diagnostic& d = all[i];
    const bool placed = d.location.file != nullptr;
    list.push_back({{"file", placed ? d.location.file->name() : ""},
                    {"line", placed ? d.location.span.line : 0},
                    {"col", placed ? d.location.span.column : 0},
                    {"end_col", placed ? d.location.span.end_column : 0},
                    {"code", d.code},
                    {"severity", d.severity() == Severity::error ? "error" : "warning"},
                    {"message", d.message},
                    {"expected", d.label},
                    {"notes", d.notes},
                    {"help", d.help},
                    {"suggestion", d.suggestion}});
  }
  const nlohmann::json document = {{"schema", "memsim.diagnostics/1"},
                                   {"errors", errors()},
                                   {"warnings", warnings()},
                                   {"diagnostics", std::move(list)}};
  // Input may be anything: bytes that are not UTF-8 become U+FFFD.
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace memsim::scenarios
