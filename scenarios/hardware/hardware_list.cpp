#include "scenarios/hardware/hardware_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "scenarios/hardware/hardware.hpp"
#include "scenarios/schema/quantity.hpp"

namespace memsim::scenarios {
namespace {

// Capacity and bandwidth of one kind of memory, or the bandwidth of a link.
struct Figures {
  std::string part;                    // the GPU that it belongs to; empty: a host's or a link's
  std::string kind;                    // "HBM2"
  std::int64_t count = 1;              // of equal ones
  std::optional<sim::Bytes> capacity;  // of each
  sim::Bandwidth bandwidth;            // of each
  bool linked = false;                 // a host's memory behind a link of its own

  [[nodiscard]] bool same_memory(const Figures& other) const {
    return kind == other.kind && capacity == other.capacity && bandwidth == other.bandwidth &&
           linked == other.linked;
  }
};

struct Summary {
  std::string name;
  std::vector<Figures> figures;  // of a system: GPUs, then the host; empty: the entry has errors
};

Figures of_gpu(const models::GpuSpec& gpu) {
  return {gpu.name, gpu.memory.kind, 1, gpu.memory.capacity, gpu.memory.bandwidth};
}

// The sum of the sockets' own memory, then that behind links (CXL), each at what its link carries.
std::vector<Figures> of_host(const models::HostSpec& host) {
  std::vector<Figures> all{{"", "", 1, sim::Bytes(0), {}}};
  for (const models::SocketSpec& socket : host.sockets) {
    for (const models::NumaSpec& numa : socket.numa) {
      if (numa.link.bandwidth.value() > 0) {
        const Figures one{"", numa.memory.kind, 1, numa.memory.capacity, numa.link.bandwidth, true};
        if (all.size() > 1 && all.back().same_memory(one)) {
          ++all.back().count;
        } else {
          all.push_back(one);
        }
        continue;
      }
      all.front().kind = numa.memory.kind;
      *all.front().capacity += numa.memory.capacity;
      all.front().bandwidth += numa.memory.bandwidth();
    }
  }
  return all;
}

// Equal neighbours are counted, not repeated.
std::vector<Figures> of_gpus(const models::SystemSpec& system) {
  std::vector<Figures> all;
  for (const models::PlacedGpu& gpu : system.gpus) {
    if (!all.empty() && gpu.part.name == all.back().part) {
      ++all.back().count;
    } else {
      all.push_back(of_gpu(gpu.part));
    }
  }
  return all;
}

Summary summarize(const Catalogue& catalogue, HardwareKind kind, std::string name) {
  Summary summary{std::move(name), {}};
  Sources sources;
  Diagnostics diagnostics;
  const std::optional<LoadedHardware> hardware =
      load_entry(catalogue, kind, summary.name, sources, diagnostics);
  if (!hardware) return summary;
  if (hardware->system) {
    summary.figures = of_gpus(*hardware->system);
    std::ranges::move(of_host(hardware->system->host), std::back_inserter(summary.figures));
  }
  if (hardware->gpu) summary.figures.push_back(of_gpu(*hardware->gpu));
  if (hardware->host) summary.figures = of_host(*hardware->host);
  if (hardware->drive) {
    const models::DriveSpec& drive = *hardware->drive;
    summary.figures.push_back({"", drive.kind, 1, drive.capacity, drive.read});
  }
  if (hardware->nic) {
    const models::NicSpec& nic = *hardware->nic;
    const std::string blank = nic.generation.empty() ? "" : " ";
    summary.figures.push_back({"", nic.kind + blank + nic.generation, 1, {}, nic.rate});
  }
  if (hardware->link) {
    summary.figures.push_back({"", hardware->link->kind, 1, {}, hardware->link->bandwidth});
  }
  return summary;
}

std::vector<Summary> summaries(const Catalogue& catalogue, HardwareKind kind) {
  std::vector<Summary> all;
  for (std::string& name : catalogue.names(kind)) {
    all.push_back(summarize(catalogue, kind, std::move(name)));
  }
  return all;
}

// "1024 GiB DDR4": the grade is left to `hw show`.
std::string memory(const Figures& figures) {
  return format_quantity(figures.capacity->value(), Dimension::bytes) + " " +
         figures.kind.substr(0, figures.kind.find('-'));
}

// "768 GiB DDR5+CXL": how much lies behind links is left to `hw show`, as lines have 80 columns.
std::string host_memory(const std::vector<Figures>& figures, const Figures& own) {
  return memory(own) + (std::ranges::any_of(figures, &Figures::linked) ? "+CXL" : "");
}

// "8 x a100-sxm4-40gb"
std::string gpus(const Summary& system) {
  std::string text;
  for (const Figures& gpu : system.figures) {
    if (gpu.part.empty()) continue;
    text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", gpu.count, gpu.part);
  }
  return text;
}

using Row = std::vector<std::string>;

Row heading(HardwareKind kind) {
  switch (kind) {
    case HardwareKind::system:
      return {"SYSTEM", "GPUS", "HOST MEMORY", "BANDWIDTH"};
    case HardwareKind::gpu:
      return {"GPU", "MEMORY", "BANDWIDTH"};
    case HardwareKind::host:
      return {"HOST", "MEMORY", "BANDWIDTH"};
    case HardwareKind::link:
      return {"LINK", "KIND", "BANDWIDTH, EACH WAY"};
    case HardwareKind::drive:
      return {"DRIVE", "CAPACITY", "READS"};
    case HardwareKind::nic:
      break;
  }
  return {"NIC", "KIND", "RATE, EACH WAY"};
}

Row row(HardwareKind kind, const Summary& summary) {
  if (summary.figures.empty()) return {summary.name, "has errors: memsim hw check " + summary.name};
  const auto of_entry = std::ranges::find_if(summary.figures, [&](const Figures& each) {
    return kind == HardwareKind::gpu || each.part.empty();
  });
  const std::string bandwidth = format_quantity(of_entry->bandwidth.value(), Dimension::bandwidth);
  const std::string what =
      of_entry->capacity ? host_memory(summary.figures, *of_entry) : of_entry->kind;
  if (kind == HardwareKind::system) return {summary.name, gpus(summary), what, bandwidth};
  return {summary.name, what, bandwidth};
}

// Columns as wide as their longest cell that another follows.
std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      text += fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    text += row.back() + "\n";
  }
  return text;
}

}  // namespace

HardwareList hardware_list_text(const Catalogue& catalogue) {
  HardwareList list;
  for (const HardwareKind kind : hardware_kinds) {
    std::vector<Row> rows{heading(kind)};
    for (const Summary& summary : summaries(catalogue, kind)) {
      list.readable = list.readable && !summary.figures.empty();
      rows.push_back(row(kind, summary));
    }
    if (rows.size() > 1) list.text += (list.text.empty() ? "" : "\n") + table(rows);
  }
  return list;
}

HardwareList hardware_list_json(const Catalogue& catalogue) {
  HardwareList list;
  nlohmann::json entries = nlohmann::json::array();
  for (const HardwareKind kind : hardware_kinds) {
    for (const Summary& summary : summaries(catalogue, kind)) {
      list.readable = list.readable && !summary.figures.empty();
      nlohmann::json figures = nlohmann::json::array();
      for (const Figures& each : summary.figures) {
        nlohmann::json one = {{"kind", each.kind},
                              {"count", each.count},
                              {"bandwidth_bytes_per_second", each.bandwidth.value()}};
        if (each.capacity) one["capacity_bytes"] = each.capacity->value();
        if (!each.part.empty()) one["part"] = each.part;
        if (each.linked) one["behind_link"] = true;
        figures.push_back(std::move(one));
      }
      entries.push_back({{"name", summary.name},
                         {"kind", name(kind)},
                         {"readable", !summary.figures.empty()},
                         {"figures", std::move(figures)}});
    }
  }
  const nlohmann::json document = {{"schema", "memsim.hardware-list/1"},
                                   {"entries", std::move(entries)}};
  list.text = document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  return list;
}

}  // namespace memsim::scenarios
