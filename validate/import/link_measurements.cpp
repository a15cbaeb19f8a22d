#include "validate/import/link_measurements.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <utility>

#include "validate/import/link_figures.hpp"

namespace memsim::validate {
namespace {

using scenarios::Diagnostics;
using scenarios::SourceFile;

constexpr std::size_t row_fields = 6;

// The fields of a line, without their quotes; empty if a quote is not closed. A quote within quotes
// is written twice.
std::optional<std::vector<std::string>> split_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (c == '"' && (quoted || fields.back().empty())) {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  if (quoted) return std::nullopt;
  return fields;
}

void report(const SourceFile& file, std::uint32_t line, std::string message,
            Diagnostics& diagnostics, std::string_view code = "E113") {
  const std::uint32_t end = scenarios::character_count(file.line(line)) + 1;
  diagnostics.add({.code = std::string(code),
                   .location = {&file, {line, 1, end}},
                   .message = std::move(message),
                   .label = "",
                   .notes = {},
                   .help = "",
                   .suggestion = ""});
}

}  // namespace

std::vector<LinkMeasurement> parse_link_measurements(const SourceFile& file,
                                                     Diagnostics& diagnostics) {
  std::vector<LinkMeasurement> rows;
  if (file.line(1) != link_header) {
    report(file, 1, fmt::format("'{:.60}' is not the header {}", file.line(1), link_header),
           diagnostics);
    return rows;
  }
  bool any = false;
  for (std::uint32_t number = 2; number <= file.lines(); ++number) {
    const std::string_view line = file.line(number);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    any = true;
    auto fields = split_fields(line);
    if (!fields) {
      report(file, number, "a quote that is not closed", diagnostics);
    } else if (fields->size() != row_fields) {
      report(file, number,
             fmt::format("a row of {} fields; expected the {} of {}", fields->size(), row_fields,
                         link_header),
             diagnostics);
    } else {
      std::vector<std::string>& field = *fields;
      rows.push_back({number, std::move(field[0]), std::move(field[1]), std::move(field[2]),
                      std::move(field[3]), std::move(field[4]), std::move(field[5])});
    }
  }
  if (!any) report(file, 1, "a header without rows", diagnostics, "E114");
  return rows;
}

bool check_value(const SourceFile& file, const LinkMeasurement& row, Diagnostics& diagnostics) {
  const std::string fault = fault_of(row.value, row.unit);
  if (fault.empty()) return true;
  report(file, row.line, fmt::format("'{:.60}': {}", row.value, fault), diagnostics);
  return false;
}

}  // namespace memsim::validate
