#include "scenarios/hardware/hardware_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
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

}  // namespace

std::string hardware_text(const LoadedHardware& hardware) {
  std::string text = fmt::format("{} ({})\n", hardware.name, name(hardware.kind));
  std::string group;
  for (const Setting& setting : hardware.settings) {
    const auto [table, key] = split(setting.path);
    if (table != group) text += "\n" + table + "\n";
    group = table;
    text += fmt::format("  {:<17} {:<16} {}\n", key, setting.value, origin(setting));
    if (!setting.comment.empty()) text += fmt::format("    # {}\n", setting.comment);
  }
  return text;
}

std::string hardware_json(const LoadedHardware& hardware) {
  nlohmann::json settings = nlohmann::json::array();
  for (const Setting& setting : hardware.settings) {
    const bool placed = setting.location.file != nullptr;
    settings.push_back({{"path", setting.path},
                        {"value", setting.value},
                        {"origin", origin(setting)},
                        {"file", placed ? setting.location.file->path() : ""},
                        {"line", placed ? setting.location.span.line : 0},
                        {"source", setting.comment},
                        {"help", setting.help}});
  }
  return dump({{"schema", "memsim.hardware/1"},
               {"name", hardware.name},
               {"kind", name(hardware.kind)},
               {"settings", std::move(settings)}});
}

}  // namespace memsim::scenarios
