#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "validate/import/flow_scenario.hpp"
#include "validate/import/text_lines.hpp"

namespace memsim::validate {
namespace {

constexpr std::string_view header = "flow,completion_s";

// All of `text` as one number.
template <class Number>
bool read_number(std::string_view text, Number& out) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  return error == std::errc() && stop == end;
}

// One line after the header; the reason why it cannot be used, or nothing.
std::string read_line(std::string_view line, std::vector<std::optional<double>>& seconds) {
  const std::size_t comma = line.find(',');
  std::uint64_t flow = 0;
  double time = 0;
  if (comma == std::string_view::npos || !read_number(line.substr(0, comma), flow) ||
      !read_number(line.substr(comma + 1), time) || !std::isfinite(time) || time < 0)
    return fmt::format("'{}' is not a flow and its completion in seconds", line);
  if (flow >= seconds.size())
    return fmt::format("flow {} is none of the {} flows of the scenario", flow, seconds.size());
  if (seconds[flow]) return fmt::format("a second line for flow {}", flow);
  seconds[flow] = time;
  return {};
}

}  // namespace

CompletionTable parse_completions(std::string_view text, std::size_t flows) {
  CompletionTable table;
  table.seconds.resize(flows);
  if (text.empty() || next_line(text) != header) {
    table.problems.push_back({"line 1", fmt::format("the header must be {}", header)});
    return table;
  }
  for (std::size_t number = 2; !text.empty(); ++number) {
    const std::string_view line = next_line(text);
    if (line.empty()) continue;
    std::string reason = read_line(line, table.seconds);
    if (!reason.empty())
      table.problems.push_back({fmt::format("line {}", number), std::move(reason)});
  }
  return table;
}

}  // namespace memsim::validate
