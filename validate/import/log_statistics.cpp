#include "validate/import/log_statistics.hpp"

#include <fmt/format.h>

#include <charconv>

#include "validate/import/text_lines.hpp"

namespace memsim::validate {
namespace {

constexpr std::string_view all_pools = ".all";

// A line of statistics: "name.pool key=value ..." or "key=value ...".
void read_line(std::string_view line, std::size_t number, LogStatistics& statistics) {
  const auto words = split_words(line);
  const bool measure = words.size() == 5 && words[0].ends_with(all_pools);
  for (const std::string_view word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = word.substr(0, equals);
    const std::string_view value = word.substr(equals + 1);
    if (!(measure && key == "peak") && !key.starts_with("num_")) continue;
    std::int64_t count = 0;
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), count);
    if (error != std::errc() || stop != value.data() + value.size()) {
      statistics.faults.push_back(
          {number, fmt::format("{} is '{:.40}'; expected an integer", key, value)});
      continue;
    }
    statistics.values[measure ? fmt::format("{}.{}", words[0], key) : std::string(key)] = count;
  }
}

}  // namespace

LogStatistics read_log_statistics(std::string_view log) {
  LogStatistics statistics;
  bool ended = false;
  for (std::size_t number = 1; !log.empty(); ++number) {
    const std::string_view line = next_line(log);
    if (ended)
      read_line(line, number, statistics);
    else
      ended = line == "END";
  }
  return statistics;
}

}  // namespace memsim::validate
