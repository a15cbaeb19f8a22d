#include "scenarios/hardware/technologies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/schema/display.hpp"
#include "scenarios/schema/spelling.hpp"

namespace memsim::scenarios {
namespace {

constexpr std::string_view digits = "0123456789";

// Links and networks.
constexpr std::array<std::string_view, 19> names{
    "PCIe",     "NVLink",   "NVLink-C2C", "CXL",   "xGMI",      "Infinity Fabric",
    "UALink",   "Xe Link",  "UPI",        "QPI",   "HCCS",      "InfiniBand",
    "RoCE",     "Ethernet", "EFA",        "iWARP", "Slingshot", "OPA",
    "Omni-Path"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> other_names{
    {{"PCI Express", "PCIe"}, {"RoCEv2", "RoCE"}, {"IB", "InfiniBand"}}};

// Memories, without what counts their generations.
constexpr std::array<std::string_view, 11> memories{
    "DDR", "LPDDR", "GDDR", "HBM", "HBF", "HMC", "SDRAM", "RLDRAM", "MRDIMM", "MCRDIMM", "Optane"};

constexpr std::array<std::string_view, 9> infiniband_generations{"SDR", "DDR", "QDR", "FDR", "EDR",
                                                                 "HDR", "NDR", "XDR", "GDR"};

// In lower case, without blanks, hyphens and underscores.
std::string folded(std::string_view word) {
  std::string result;
  for (const char c : word) {
    if (c == ' ' || c == '-' || c == '_') continue;
    result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

// The known word that is meant by one with something behind it ("PCIE4"), or nearly spelt so; empty
// if it is one itself, or far from all.
std::string meant(std::string_view written, std::span<const std::string_view> known) {
  const std::string word = folded(written);
  const std::string stem = word.substr(0, word.find_first_of(digits));
  std::vector<std::string> stems;
  for (const std::string_view each : known) {
    if (folded(each) == word) return "";
    stems.push_back(folded(each));
  }
  const auto same = std::ranges::find(stems, stem);
  std::string near = same != stems.end() ? *same : misspelt(stem, stems);
  // Of three letters another one makes another word: the next of EDR, HDR, NDR.
  constexpr std::size_t acronym = 3;
  if (stem.size() <= acronym && !std::ranges::is_permutation(stem, near)) near.clear();
  const auto found = std::ranges::find(stems, near);
  return found == stems.end() ? ""
                              : std::string(known[static_cast<std::size_t>(found - stems.begin())]);
}

void unknown_word(const Node& table, std::string_view key, std::string_view written,
                  std::string meant, std::string note, Diagnostics& diagnostics) {
  Diagnostic diagnostic;
  diagnostic.code = "E107";
  diagnostic.location = table.value_location(key);
  diagnostic.message = fmt::format("`{} = \"{}\"` is not known", key, shortened(written));
  diagnostic.label = fmt::format("did you mean \"{}\"?", meant);
  diagnostic.help = std::move(note);
  diagnostic.suggestion = fmt::format("\"{}\"", meant);
  diagnostics.add(std::move(diagnostic));
}

// A kind of link or network.
void check_name(const Node& table, std::string_view written, Diagnostics& diagnostics) {
  if (std::ranges::find(names, technology(written)) != names.end()) return;
  std::string name = meant(written, names);
  if (name.empty()) return;
  const bool numbered = written.find_first_of(digits) != std::string_view::npos;
  unknown_word(table, "kind", written, std::move(name),
               numbered ? "the generation has a key of its own, `generation`" : "", diagnostics);
}

// "HBM2" is meant by "HMB2": a generation that is not known is no misspelling.
void check_memory(const Node& table, std::string_view written, Diagnostics& diagnostics) {
  const std::size_t count = std::min(written.find_first_of(digits), written.size());
  const std::string_view name = written.substr(0, count);
  std::string right = meant(name, memories);
  if (right.empty()) return;
  right += written.substr(count);
  unknown_word(table, "kind", written, std::move(right), "", diagnostics);
}

}  // namespace

std::string_view technology(std::string_view written) {
  const std::string word = folded(written);
  for (const std::string_view name : names)
    if (folded(name) == word) return name;
  for (const auto& [other, name] : other_names)
    if (folded(other) == word) return name;
  return written;
}

void check_link_kind(const models::LinkSpec& link, const Node& table, Diagnostics& diagnostics) {
  check_name(table, link.kind, diagnostics);
}

void check_network(const models::NicSpec& nic, const Node& table, Diagnostics& diagnostics) {
  check_name(table, nic.kind, diagnostics);
  if (technology(nic.kind) != "InfiniBand") return;
  // "HDR100" is half a port of HDR.
  const std::size_t count = std::min(nic.generation.find_first_of(digits), nic.generation.size());
  std::string right =
      meant(std::string_view(nic.generation).substr(0, count), infiniband_generations);
  if (right.empty()) return;
  right += nic.generation.substr(count);
  unknown_word(table, "generation", nic.generation, std::move(right), "", diagnostics);
}

void check_gpu_memory_kind(const models::GpuMemorySpec& memory, const Node& table,
                           Diagnostics& diagnostics) {
  check_memory(table, memory.kind, diagnostics);
}

void check_host_memory_kind(const models::HostMemorySpec& memory, const Node& table,
                            Diagnostics& diagnostics) {
  check_memory(table, memory.kind, diagnostics);
}

}  // namespace memsim::scenarios
