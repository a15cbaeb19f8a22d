#include "scenarios/hardware/hardware_report.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "scenarios/schema/quantity.hpp"

namespace memsim::scenarios {
namespace {

// Capacity and bandwidth of one kind of memory, or the bandwidth of a link.
struct Figures {
  std::string kind;                    // "HBM2"
  std::int64_t count = 1;              // of equal ones
  std::optional<sim::Bytes> capacity;  // of each
  sim::Bandwidth bandwidth;            // of each
};

struct Summary {
  std::string name;
  HardwareKind kind = HardwareKind::system;
  std::vector<Figures> figures;  // empty: the entry has errors
};

Figures of_gpu(const models::GpuSpec& gpu, std::int64_t count) {
  return {gpu.memory.kind, count, gpu.memory.capacity, gpu.memory.bandwidth};
}

Figures of_host(const models::HostSpec& host) {
  Figures sum{"", 1, sim::Bytes(0), {}};
  for (const models::SocketSpec& socket : host.sockets) {
    for (const models::NumaSpec& numa : socket.numa) {
      sum.kind = numa.memory.kind;
      *sum.capacity += numa.memory.capacity;
      sum.bandwidth += numa.memory.bandwidth();
    }
  }
  return sum;
}

// Equal neighbours are counted, not repeated.
std::vector<Figures> of_gpus(const models::SystemSpec& system) {
  std::vector<Figures> all;
  std::string last;
  for (const models::PlacedGpu& gpu : system.gpus) {
    if (!all.empty() && gpu.part.name == last) {
      ++all.back().count;
    } else {
      all.push_back(of_gpu(gpu.part, 1));
    }
    last = gpu.part.name;
  }
  return all;
}

Summary summarize(const Catalogue& catalogue, HardwareKind kind, std::string name) {
  Summary summary{std::move(name), kind, {}};
  Sources sources;
  Diagnostics diagnostics;
  const std::optional<LoadedHardware> hardware =
      load_entry(catalogue, kind, summary.name, sources, diagnostics);
  if (!hardware) return summary;
  if (hardware->system) {
    summary.figures = of_gpus(*hardware->system);
    summary.figures.push_back(of_host(hardware->system->host));
  }
  if (hardware->gpu) summary.figures.push_back(of_gpu(*hardware->gpu, 1));
  if (hardware->host) summary.figures.push_back(of_host(*hardware->host));
  if (hardware->link) {
    summary.figures.push_back({hardware->link->kind, 1, {}, hardware->link->bandwidth});
  }
  return summary;
}

std::vector<Summary> summaries(const Catalogue& catalogue) {
  std::vector<Summary> all;
  for (const HardwareKind kind : hardware_kinds) {
    for (std::string& name : catalogue.names(kind)) {
      all.push_back(summarize(catalogue, kind, std::move(name)));
    }
  }
  return all;
}

std::string counted(std::int64_t count, const std::string& text) {
  return count == 1 ? text : fmt::format("{} x {}", count, text);
}

// "8 x 40 GB HBM2, 1024 GiB DDR4"
std::string memory_column(const Summary& summary) {
  std::string text;
  for (const Figures& figures : summary.figures) {
    if (!figures.capacity) continue;
    const std::string capacity = format_quantity(figures.capacity->value(), Dimension::bytes);
    text += text.empty() ? "" : ", ";
    const std::string family = figures.kind.substr(0, figures.kind.find('-'));
    text += counted(figures.count, capacity) + " " + family;
  }
  return text;
}

// "8 x 1.555 TB/s, 409.6 GB/s"
std::string bandwidth_column(const Summary& summary) {
  std::string text;
  for (const Figures& figures : summary.figures) {
    text += text.empty() ? "" : ", ";
    text +=
        counted(figures.count, format_quantity(figures.bandwidth.value(), Dimension::bandwidth));
  }
  return text;
}

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

std::string hardware_list_text(const Catalogue& catalogue) {
  std::string text = fmt::format("{:<14} {:<6} {:<31} {}\n", "NAME", "KIND", "MEMORY", "BANDWIDTH");
  for (const Summary& summary : summaries(catalogue)) {
    const std::string memory = summary.figures.empty()
                                   ? "has errors: memsim hw check " + summary.name
                                   : memory_column(summary);
    std::string line = fmt::format("{:<14} {:<6} {:<31} {}", summary.name, name(summary.kind),
                                   memory, bandwidth_column(summary));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string hardware_list_json(const Catalogue& catalogue) {
  nlohmann::json entries = nlohmann::json::array();
  for (const Summary& summary : summaries(catalogue)) {
    nlohmann::json figures = nlohmann::json::array();
    for (const Figures& each : summary.figures) {
      nlohmann::json one = {{"kind", each.kind},
                            {"count", each.count},
                            {"bandwidth_bytes_per_second", each.bandwidth.value()}};
      if (each.capacity) one["capacity_bytes"] = each.capacity->value();
      figures.push_back(std::move(one));
    }
    entries.push_back({{"name", summary.name},
                       {"kind", name(summary.kind)},
                       {"readable", !summary.figures.empty()},
                       {"figures", std::move(figures)}});
  }
  return dump({{"schema", "memsim.hardware-list/1"}, {"entries", std::move(entries)}});
}

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
