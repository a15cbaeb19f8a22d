#include "scenarios/hardware/physical_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "scenarios/hardware/figures.hpp"
#include "scenarios/hardware/technologies.hpp"
#include "scenarios/schema/quantity.hpp"
#include "scenarios/schema/spelling.hpp"

namespace memsim::scenarios {
namespace {

struct Standard {
  std::string_view kind;
  std::int64_t generation;    // 0: all of them
  std::int64_t per_lane;      // bytes per second and direction
  std::int64_t widest;        // lanes of the widest link; 1: the figure is that of the whole link
  std::string_view measured;  // what 16 lanes reach; empty: not known
};

// PCIe 3 to 5: transfers per second x 128/130 / 8, rounded down; PCIe 6: 64 GT/s x 242/256 / 8.
constexpr std::array standards{
    Standard{"PCIe", 1, 250'000'000, 16, ""},
    Standard{"PCIe", 2, 500'000'000, 16, ""},
    Standard{"PCIe", 3, 984'615'384, 16, "12-13"},
    Standard{"PCIe", 4, 1'969'230'769, 16, "24-27"},
    Standard{"PCIe", 5, 3'938'461'538, 16, "50-57"},
    Standard{"PCIe", 6, 7'562'500'000, 16, ""},
    Standard{"NVLink", 2, 25'000'000'000, 6, ""},
    Standard{"NVLink", 3, 25'000'000'000, 12, ""},
    Standard{"NVLink", 4, 25'000'000'000, 18, ""},
    Standard{"NVLink", 5, 50'000'000'000, 18, ""},
    Standard{"NVLink-C2C", 0, 450'000'000'000, 1, ""},
};

// What a link can carry in one direction.
struct Limit {
  const Standard* standard = nullptr;
  sim::Bandwidth bandwidth;
};

// That of the link's standard. What is not stated counts as the best that there is: the newest
// generation, the widest link. Empty if the standard is not known.
std::optional<Limit> limit_of(const models::LinkSpec& link) {
  std::optional<Limit> best;
  for (const Standard& standard : standards) {
    const bool stated = link.generation != 0 && standard.generation != 0;
    if (standard.kind != technology(link.kind) ||
        (stated && standard.generation != link.generation))
      continue;
    const std::int64_t lanes =
        standard.widest == 1 || link.lanes == 0 ? standard.widest : link.lanes;
    const sim::Bandwidth bandwidth = sim::Bandwidth(standard.per_lane) * lanes;
    if (!best || bandwidth > best->bandwidth) best = Limit{&standard, bandwidth};
  }
  return best;
}

std::string rate(sim::Bandwidth bandwidth) {
  return format_quantity(bandwidth.value(), Dimension::bandwidth);
}

// Within 5 %.
bool about(std::int64_t a, std::int64_t b) { return a > b / 100 * 95 && a < b / 100 * 105; }

// What a bandwidth beyond the limit probably is; empty if nobody can tell.
std::string other_meaning(sim::Bandwidth bandwidth, sim::Bandwidth limit) {
  if (about(bandwidth.value(), limit.value() * 2)) {
    return fmt::format("{} is the figure of both directions together", rate(bandwidth));
  }
  if (about(bandwidth.value(), limit.value() * 8)) {
    return "the figure looks like Gb/s: 1 GB/s is 8 Gb/s";
  }
  return "";
}

void contradiction(const Node& table, std::string_view key, std::string message, std::string label,
                   Diagnostics& diagnostics, std::string help = "") {
  diagnostics.add({.code = "E135",
                   .location = table.value_location(key),
                   .message = std::move(message),
                   .label = std::move(label),
                   .notes = {},
                   .help = std::move(help),
                   .suggestion = ""});
}

// "PCIe gen4 x16", as far as it is stated.
std::string standard_of(const models::LinkSpec& link) {
  std::string text(technology(link.kind));
  if (link.generation > 0) text += fmt::format(" gen{}", link.generation);
  if (link.lanes > 0) text += fmt::format(" x{}", link.lanes);
  return text;
}

void report_too_fast(const models::LinkSpec& link, const Location& at, const Limit& limit,
                     Diagnostics& diagnostics) {
  const bool any_generation = link.generation == 0 && limit.standard->generation != 0;
  const std::string most = rate(limit.bandwidth);
  Diagnostic diagnostic;
  diagnostic.code = "E133";
  diagnostic.location = at;
  diagnostic.message = any_generation
                           ? fmt::format("no generation of {} reaches {} in one direction",
                                         standard_of(link), rate(link.bandwidth))
                           : fmt::format("{} cannot reach {} in one direction", standard_of(link),
                                         rate(link.bandwidth));
  diagnostic.label = "limit " + most;
  if (any_generation) diagnostic.label += fmt::format(", of gen{}", limit.standard->generation);
  if (link.lanes == 16 && !limit.standard->measured.empty())
    diagnostic.label += fmt::format("; measured cards give {}", limit.standard->measured);
  std::string other = other_meaning(link.bandwidth, limit.bandwidth);
  if (!other.empty()) diagnostic.notes.push_back(std::move(other));
  if (any_generation) {
    diagnostic.help = "`generation` is missing: it says what the link can carry";
  } else {
    diagnostic.help =
        fmt::format("bandwidth = \"{}\" is nominal; what is reached goes to `achieved`", most);
    diagnostic.suggestion = fmt::format("\"{}\"", most);
  }
  diagnostics.add(std::move(diagnostic));
}

void report_too_slow(const models::LinkSpec& link, const Location& at, sim::Bandwidth limit,
                     Diagnostics& diagnostics) {
  const bool bits = about(link.bandwidth.value() * 8, limit.value());
  diagnostics.add(
      {.code = "W135",
       .location = at,
       .message = fmt::format("{} of {} is unlikely", rate(link.bandwidth), standard_of(link)),
       .label = "it carries " + rate(limit),
       .notes = {},
       .help = bits ? "B is a byte, b is a bit"
                    : "what is reached of the nominal bandwidth goes to `achieved`",
       .suggestion = fmt::format("\"{}\"", rate(limit))});
}

// Bytes per second of one 64-bit channel of "DDR4-3200" or "lpddr5 6400"; empty for other kinds.
std::optional<std::int64_t> channel_limit(std::string_view kind) {
  const std::size_t dash = kind.find_first_of("- ");
  const std::size_t letters = kind.find_first_of("0123456789");
  const bool is_ddr = letters >= 3 && letters < kind.size() &&
                      equal_but_for_case(kind.substr(letters - 3, 3), "ddr");
  if (!is_ddr || dash == std::string_view::npos) return {};
  std::int64_t megatransfers = 0;
  const char* end = kind.data() + kind.size();
  const auto read = std::from_chars(kind.data() + dash + 1, end, megatransfers);
  if (read.ec != std::errc() || read.ptr != end || megatransfers <= 0 ||
      megatransfers > 1'000'000) {
    return {};
  }
  return megatransfers * 1'000'000 * 8;
}

// Vendors sell GiB as GB: 40 GB of HBM are up to 40 GiB.
bool exceeds(sim::Bytes usable, sim::Bytes capacity) {
  return static_cast<sim::Int128>(usable.value()) * 1'000'000'000 >
         static_cast<sim::Int128>(capacity.value()) * (1 << 30);
}

std::string size(sim::Bytes bytes) { return format_quantity(bytes.value(), Dimension::bytes); }

void check_usable(sim::Bytes usable, sim::Bytes capacity, const Node& table,
                  Diagnostics& diagnostics) {
  if (!exceeds(usable, capacity)) return;
  contradiction(table, "usable", "more memory is usable than there is",
                "capacity is " + size(capacity), diagnostics,
                "set `capacity`: what is usable changes with it");
}

}  // namespace

void check_lanes(const models::LinkSpec& link, const Node& table, Diagnostics& diagnostics) {
  constexpr std::array<std::int64_t, 8> widths{0, 1, 2, 4, 8, 12, 16, 32};
  if (technology(link.kind) != "PCIe") return;
  if (std::ranges::find(widths, link.lanes) != widths.end()) return;
  diagnostics.add({.code = "E124",
                   .location = table.value_location("lanes"),
                   .message = fmt::format("no PCIe link has {} lanes", link.lanes),
                   .label = "expected 1, 2, 4, 8, 12, 16 or 32",
                   .notes = {},
                   .help = "",
                   .suggestion = ""});
}

void check_bandwidth(const models::LinkSpec& link, const Node& table, Diagnostics& diagnostics) {
  constexpr std::int64_t far_below = 4;  // fewer lanes would be said in `lanes`
  const std::optional<Limit> limit = limit_of(link);
  if (!limit) return;
  const Location at = table.value_location("bandwidth");
  if (link.bandwidth > limit->bandwidth) return report_too_fast(link, at, *limit, diagnostics);
  const bool stated = link.generation != 0 && link.lanes != 0;
  const bool doubted_as_any_link = link.bandwidth.value() < figures::usual_link.least;
  if (!stated || doubted_as_any_link || link.bandwidth * far_below >= limit->bandwidth) return;
  report_too_slow(link, at, limit->bandwidth, diagnostics);
}

void check_duplex_total(const models::LinkSpec& link, const Node& table, Diagnostics& diagnostics) {
  if (link.duplex_total && *link.duplex_total > link.bandwidth * 2) {
    contradiction(table, "duplex_total", "both directions together exceed twice one direction",
                  "expected at most " + rate(link.bandwidth * 2), diagnostics);
  }
  const models::Fraction better = std::max(link.forward, link.backward);
  const sim::Bandwidth alone(
      sim::scale(link.bandwidth.value(), better.value(), models::parts_per_million));
  if (link.duplex_total && *link.duplex_total < alone) {
    contradiction(table, "duplex_total", "both directions together are slower than one alone",
                  fmt::format("one direction reaches {}", rate(alone)), diagnostics);
  }
}

void check_efficiency(const models::LinkSpec& link, const Node& table, Diagnostics& diagnostics) {
  for (std::size_t i = 1; i < link.efficiency.size(); ++i) {
    if (link.efficiency[i - 1].size < link.efficiency[i].size) continue;
    const Node* points = table.find("efficiency");
    contradiction(points->items[i], "size", "the points of `efficiency` are not in ascending order",
                  "expected a larger size than that of the point before", diagnostics);
  }
}

void check_rate(const models::NicSpec& nic, const Node& table, Diagnostics& diagnostics) {
  constexpr std::int64_t bytes_of_gigabit = 125'000'000;
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> ports{
      {{"EDR", 100}, {"HDR", 200}, {"NDR", 400}, {"XDR", 800}}};
  const auto* const port = std::ranges::find_if(
      ports, [&](const auto& each) { return equal_but_for_case(each.first, nic.generation); });
  if (technology(nic.kind) != "InfiniBand" || port == ports.end()) return;
  const sim::Bandwidth limit(port->second * bytes_of_gigabit);
  const bool bits = about(nic.rate.value() * 8, limit.value());
  if (nic.rate <= limit && !bits) return;
  const std::string what = fmt::format("a port of InfiniBand {}", port->first);
  Diagnostic diagnostic;
  diagnostic.code = bits ? "W135" : "E133";
  diagnostic.location = table.value_location("rate");
  diagnostic.message =
      bits ? fmt::format("{} of {} is unlikely", rate(nic.rate), what)
           : fmt::format("{} cannot reach {} in one direction", what, rate(nic.rate));
  diagnostic.label = fmt::format("{} {}, which is {} Gb/s", bits ? "it carries" : "limit",
                                 rate(limit), port->second);
  std::string other = bits ? "" : other_meaning(nic.rate, limit);
  if (!other.empty()) diagnostic.notes.push_back(std::move(other));
  if (bits) diagnostic.help = "B is a byte, b is a bit";
  diagnostic.suggestion = fmt::format("\"{} Gb/s\"", port->second);
  diagnostics.add(std::move(diagnostic));
}

void check_gpu_usable(const models::GpuMemorySpec& memory, const Node& table,
                      Diagnostics& diagnostics) {
  check_usable(memory.usable, memory.capacity, table, diagnostics);
}

void check_context(const models::GpuSpec& gpu, const Node& table, Diagnostics& diagnostics) {
  if (gpu.driver.context < gpu.memory.usable) return;
  const Node& memory = *table.find("memory");
  const Node* driver = table.find("driver");
  const auto layer = [](const Node* figures, std::string_view key) {
    const Node* value = figures == nullptr ? nullptr : figures->find(key);
    return value == nullptr ? 0 : value->layer;
  };
  const std::uint32_t of_memory = std::max(layer(&memory, "usable"), layer(&memory, "capacity"));
  const bool memory_changed = driver == nullptr || of_memory > layer(driver, "context");
  const std::string_view changed =
      layer(&memory, "usable") == of_memory && memory.find("usable") != nullptr ? "usable"
                                                                                : "capacity";
  contradiction(
      memory_changed ? memory : *driver, memory_changed ? changed : "context",
      "the driver's context takes all of the memory",
      fmt::format("context is {}, usable {}", size(gpu.driver.context), size(gpu.memory.usable)),
      diagnostics);
}

void check_host_usable(const models::HostMemorySpec& memory, const Node& table,
                       Diagnostics& diagnostics) {
  check_usable(memory.usable, memory.capacity, table, diagnostics);
}

void check_channel(const models::HostMemorySpec& memory, const Node& table,
                   Diagnostics& diagnostics) {
  const std::optional<std::int64_t> limit = channel_limit(memory.kind);
  if (!limit || memory.channel_bandwidth.value() <= *limit) return;
  const Location at = table.value_location("channel_bandwidth");
  diagnostics.add(
      {.code = "E133",
       .location = at,
       .message = fmt::format("one channel of {} cannot reach {}", memory.kind,
                              rate(memory.channel_bandwidth)),
       .label = "limit " + rate(sim::Bandwidth(*limit)),
       .notes = {},
       .help = "give the number of channels in `channels` and the bandwidth of one here",
       .suggestion = fmt::format("\"{}\"", rate(sim::Bandwidth(*limit)))});
}

namespace {

void check_none_or_usable(sim::Bandwidth bandwidth, const Node& table, Diagnostics& diagnostics) {
  if (bandwidth.value() == 0 || bandwidth.value() >= figures::least_bandwidth) return;
  Diagnostic diagnostic;
  diagnostic.code = "E124";
  diagnostic.location = table.value_location("bandwidth");
  diagnostic.message = fmt::format("`bandwidth = \"{}\"` is out of range", rate(bandwidth));
  diagnostic.label = fmt::format("expected at least {}, or 0 B/s where there is none",
                                 rate(sim::Bandwidth(figures::least_bandwidth)));
  diagnostics.add(std::move(diagnostic));
}

}  // namespace

void check_memory_link(const models::MemoryLinkSpec& link, const Node& table,
                       Diagnostics& diagnostics) {
  check_none_or_usable(link.bandwidth, table, diagnostics);
}

void check_inter_socket(const models::InterSocketSpec& between, const Node& table,
                        Diagnostics& diagnostics) {
  check_none_or_usable(between.bandwidth, table, diagnostics);
}

}  // namespace memsim::scenarios
