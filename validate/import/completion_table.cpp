#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "validate/import/flow_scenario.hpp"

namespace memsim::validate {
namespace {

using scenarios::Diagnostics;
using scenarios::SourceFile;

// All of `text` as one number.
template <class Number>
bool read_number(std::string_view text, Number& out) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && stop == text.data() + text.size();
}

// One line after the header; the reason why it cannot be used, or nothing.
std::string read_line(std::string_view line, std::vector<std::optional<double>>& seconds) {
  const std::size_t comma = line.find(',');
  std::uint64_t flow = 0;
  double time = 0;
  if (comma == std::string_view::npos || !read_number(line.substr(0, comma), flow) ||
      !read_number(line.substr(comma + 1), time) || !std::isfinite(time) || time < 0)
    return fmt::format("'{:.60}' is not a flow and its completion in seconds", line);
  if (flow >= seconds.size())
    return fmt::format("flow {} is none of the {} flows of the scenario", flow, seconds.size());
  if (seconds[flow]) return fmt::format("a second line for flow {}", flow);
  seconds[flow] = time;
  return {};
}

void report(const SourceFile& file, std::uint32_t line, std::string reason,
            Diagnostics& diagnostics) {
  diagnostics.add({.code = "E113",
                   .location = {&file, {line, 1, 1}},
                   .message = std::move(reason),
                   .label = "",
                   .notes = {},
                   .help = "",
                   .suggestion = ""});
}

}  // namespace

std::optional<std::vector<std::optional<double>>> parse_completions(const SourceFile& file,
                                                                    std::size_t flows,
                                                                    Diagnostics& diagnostics) {
  std::vector<std::optional<double>> seconds(flows);
  if (file.line(1) != completion_header) {
    report(file, 1, fmt::format("'{:.60}' is not the header {}", file.line(1), completion_header),
           diagnostics);
    return std::nullopt;
  }
  for (std::uint32_t number = 2; number <= file.lines(); ++number) {
    const std::string_view line = file.line(number);
    if (line.empty()) continue;
    std::string reason = read_line(line, seconds);
    if (!reason.empty()) report(file, number, std::move(reason), diagnostics);
  }
  return seconds;
}

}  // namespace memsim::validate
