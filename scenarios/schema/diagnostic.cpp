#include "scenarios/schema/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>
#include <utility>

#include "scenarios/schema/display.hpp"

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

constexpr std::string_view ellipsis = "...";

// The part of a line that is shown: all of it, or as much around the marked place as a terminal
// shows.
struct Excerpt {
  std::string text;
  std::size_t indent = 0;  // columns before the marked place
  std::size_t marked = 0;  // columns
};

bool fits(const SourceFile& file, std::uint32_t line, std::size_t room) {
  // A character has at most four bytes: a longer line need not be looked at.
  return file.line(line).size() <= 4 * room && columns(file.line(line)) <= room;
}

// The first character that is shown: that of the line, unless the marked place would be out of
// sight.
std::uint32_t first_shown(const SourceFile& file, const Span& span, std::size_t room) {
  if (fits(file, span.line, room)) return 1;
  const bool near_start =
      span.end_column <= room &&
      columns(file.slice({span.line, 1, span.end_column})) + ellipsis.size() <= room;
  const auto lead = static_cast<std::uint32_t>(room / 3);
  return near_start || span.column <= lead ? 1 : span.column - lead;
}

Excerpt excerpt(const SourceFile& file, const Span& span, std::size_t room) {
  const bool whole = fits(file, span.line, room);
  std::uint32_t column = first_shown(file, span, room);
  Excerpt result;
  if (column > 1) result.text = ellipsis;
  std::size_t width = result.indent = result.text.size();
  const std::uint32_t beyond = column + static_cast<std::uint32_t>(room) + 1;
  for (const Glyph& glyph : glyphs(file.slice({span.line, column, beyond}))) {
    if (width + glyph.columns + (whole ? 0 : ellipsis.size()) > room) break;
    result.text += glyph.text;
    width += glyph.columns;
    if (column < span.column) result.indent = width;
    if (column >= span.column && column < span.end_column) result.marked += glyph.columns;
    ++column;
  }
  if (!file.slice({span.line, column, column + 1}).empty()) result.text += ellipsis;
  result.marked = std::max<std::size_t>(1, result.marked);
  return result;
}

// The marked line with a caret under every marked character and the label beside them, or below if
// there is no room.
std::string marked_line(const Diagnostic& d) {
  const Span& span = d.location.span;
  const std::string number = std::to_string(span.line);
  const std::size_t gutter = std::max<std::size_t>(2, number.size());
  const std::string margin(gutter, ' ');
  const std::string bar = margin + " | ";
  const Excerpt shown = excerpt(*d.location.file, span, terminal_columns - bar.size());
  std::string line = fmt::format("{:>{}} | {}", number, gutter, shown.text);
  line.erase(line.find_last_not_of(' ') + 1);
  std::string carets = bar + std::string(shown.indent, ' ') + std::string(shown.marked, '^');
  const bool beside = carets.size() + 1 + columns(d.label) <= terminal_columns;
  if (beside && !d.label.empty()) carets += " " + d.label;
  std::string text =
      fmt::format("  --> {}:{}:{}\n{} |\n{}\n{}\n", printable(d.location.file->path()), span.line,
                  span.column, margin, line, carets);
  if (!beside) text += wrapped(d.label, bar, bar);
  if (!d.notes.empty() || !d.help.empty()) text += margin + " |\n";
  return text;
}

std::string paragraph(const Diagnostic& d) {
  const std::string_view kind = d.severity() == Severity::error ? "error" : "warning";
  std::string text = wrapped(d.message, fmt::format("{}[{}]: ", kind, d.code), "  ");
  if (d.location.file != nullptr) {
    text += marked_line(d);
  } else if (!d.label.empty()) {
    text += wrapped(d.label, "  ", "  ");
  }
  for (const std::string& note : d.notes) text += wrapped(note, "note: ", "      ");
  if (!d.help.empty()) text += wrapped(d.help, "help: ", "      ");
  return text + "\n";
}

std::size_t count_warnings(const std::vector<Diagnostic>& all) {
  return static_cast<std::size_t>(
      std::ranges::count(all, Severity::warning, &Diagnostic::severity));
}

// At most Diagnostics::shown_at_most, in their order: the first errors, and warnings if there is
// room beside them.
std::vector<Diagnostic> most_important(const std::vector<Diagnostic>& sorted) {
  constexpr std::size_t most = Diagnostics::shown_at_most;
  std::size_t errors_left = std::min(most, sorted.size() - count_warnings(sorted));
  std::size_t warnings_left = most - errors_left;
  std::vector<Diagnostic> chosen;
  for (const Diagnostic& d : sorted) {
    std::size_t& left = d.severity() == Severity::error ? errors_left : warnings_left;
    if (left == 0) continue;
    --left;
    chosen.push_back(d);
  }
  return chosen;
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

Diagnostic missing_option(std::string_view option, std::string_view expected,
                          std::string_view help) {
  Diagnostic diagnostic;
  diagnostic.code = "E152";
  diagnostic.message = fmt::format("`{}` is missing", option);
  diagnostic.label = expected;
  diagnostic.help = help;
  return diagnostic;
}

void Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity() == Severity::error) ++errors_added_;
  all_.push_back(std::move(diagnostic));
}

std::size_t Diagnostics::errors() const {
  const std::vector<Diagnostic> distinct = sorted();
  return distinct.size() - count_warnings(distinct);
}

std::size_t Diagnostics::warnings() const { return count_warnings(sorted()); }

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
  for (const Diagnostic& diagnostic : most_important(all)) text += paragraph(diagnostic);
  const std::size_t warned = count_warnings(all);
  std::string counts;
  if (all.size() > warned) counts = plural(all.size() - warned, "error");
  if (warned > 0) counts += (counts.empty() ? "" : ", ") + plural(warned, "warning");
  if (all.size() > shown_at_most) {
    counts += fmt::format(" (the first {} are shown)", shown_at_most);
  }
  if (has_errors() && !consequence.empty()) counts += fmt::format("; {}", consequence);
  return text + counts + "\n";
}

std::string Diagnostics::json() const {
  const std::vector<Diagnostic> all = sorted();
  nlohmann::json list = nlohmann::json::array();
  for (const Diagnostic& d : most_important(all)) {
    const bool placed = d.location.file != nullptr;
    list.push_back({{"file", placed ? d.location.file->path() : ""},
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
                                   {"verdict", has_errors() ? "invalid" : "valid"},
                                   {"diagnostics", std::move(list)}};
  // Input may be anything: bytes that are not UTF-8 become U+FFFD.
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace memsim::scenarios
