#include "scenarios/hardware/hardware_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

namespace memsim::scenarios {
namespace {

// "gpu[0].memory" and "bandwidth"
std::pair<std::string, std::string> split(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return {"", path};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

std::string dump(const nlohmann::json& document) {
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

nlohmann::json to_json(const Setting& setting) {
  const bool placed = setting.location.file != nullptr;
  return {{"value", setting.value},
          {"origin", origin(setting)},
          {"file", placed ? setting.location.file->path() : ""},
          {"line", placed ? setting.location.span.line : 0},
          {"source", setting.comment}};
}

nlohmann::json to_json(const std::optional<Setting>& setting) {
  return setting ? to_json(*setting) : nlohmann::json();
}

// One value in the columns of a report. An origin that 80 columns do not hold goes to a line of
// its own.
std::string value_line(std::string_view key, std::string_view value, const std::string& origin) {
  constexpr std::size_t columns = 80;
  std::string line = fmt::format("  {:<17} {:<16}", key, value);
  const bool fits = line.size() + 1 + origin.size() <= columns;
  line.erase(line.find_last_not_of(' ') + 1);
  return fits ? fmt::format("  {:<17} {:<16} {}\n", key, value, origin)
              : fmt::format("{}\n    {}\n", line, origin);
}

std::string value_line(std::string_view key, const std::optional<Setting>& setting) {
  if (!setting) return value_line(key, "-", "missing");
  return value_line(key, setting->value.empty() ? "\"\"" : setting->value, origin(*setting));
}

}  // namespace

std::string hardware_text(const LoadedHardware& hardware) {
  std::string text = fmt::format("{} ({})\n", hardware.name, name(hardware.kind));
  std::string group;
  for (const Setting& setting : hardware.settings) {
    const auto [table, key] = split(setting.path);
    if (table != group) text += "\n" + table + "\n";
    group = table;
    text += value_line(key, setting.value, origin(setting));
    if (!setting.comment.empty()) text += fmt::format("    # {}\n", setting.comment);
  }
  return text;
}

std::string hardware_json(const LoadedHardware& hardware) {
  nlohmann::json settings = nlohmann::json::array();
  for (const Setting& setting : hardware.settings) {
    nlohmann::json one = to_json(setting);
    one["path"] = setting.path;
    one["help"] = setting.help;
    settings.push_back(std::move(one));
  }
  return dump({{"schema", "memsim.hardware/1"},
               {"name", hardware.name},
               {"kind", name(hardware.kind)},
               {"settings", std::move(settings)}});
}

std::string hardware_difference_text(const HardwareDifference& difference) {
  const std::size_t count = difference.figures.size();
  std::string text =
      fmt::format("{} and {} ({}): {}\n", difference.left, difference.right, name(difference.kind),
                  count == 0 ? "no figure differs"
                             : fmt::format("{} figure{} differ{}", count, count == 1 ? "" : "s",
                                           count == 1 ? "s" : ""));
  std::optional<std::string> group;
  for (const FigureDifference& figure : difference.figures) {
    const auto [table, key] = split(figure.path);
    if (table != group) text += table.empty() ? "\n" : "\n" + table + "\n";
    group = table;
    text += value_line(key, figure.left);
    text += value_line("", figure.right);
  }
  return text;
}

std::string hardware_difference_json(const HardwareDifference& difference) {
  nlohmann::json figures = nlohmann::json::array();
  for (const FigureDifference& figure : difference.figures) {
    figures.push_back({{"path", figure.path},
                       {"help", (figure.left ? figure.left : figure.right)->help},
                       {"left", to_json(figure.left)},
                       {"right", to_json(figure.right)}});
  }
  return dump({{"schema", "memsim.hardware-diff/1"},
               {"kind", name(difference.kind)},
               {"left", difference.left},
               {"right", difference.right},
               {"equal", difference.figures.empty()},
               {"figures", std::move(figures)}});
}

}  // namespace memsim::scenarios
