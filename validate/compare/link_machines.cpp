#include "validate/compare/link_machines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "models/machine/units.hpp"
#include "scenarios/hardware/hardware.hpp"
#include "scenarios/hardware/technologies.hpp"
#include "validate/compare/hardware_reading.hpp"
#include "validate/compare/hardware_words.hpp"
#include "validate/import/link_figures.hpp"
#include "validate/import/text_file.hpp"

namespace memsim::validate {
namespace {

using models::NodeKind;
using scenarios::HardwareKind;

std::vector<std::string> sources_of(const scenarios::Settings& settings) {
  std::vector<std::string> sources;
  for (const scenarios::Setting& setting : settings) {
    sources.push_back(setting.value);
    if (!setting.comment.empty()) sources.push_back(setting.comment);
  }
  return sources;
}

std::string pcie_part(const models::LinkSpec& link) {
  return scenarios::technology(link.kind) == "PCIe" ? link.name : "";
}

double memory_peak(const models::GpuSpec& gpu) {
  return static_cast<double>(gpu.memory.bandwidth.value());
}

// One copy in one direction is that of a machine with fewer GPUs; what else it shares the host with
// needs the machine as it is.
std::size_t gpus_needed(const LinkQuestion& question, std::size_t written) {
  const bool shared = question.subject == Subject::host_copy &&
                      (question.both_ways || question.pageable || question.at_once);
  std::size_t least = shared ? written : 1;
  if (question.subject == Subject::peer_copy) least = 2;
  if (question.subject == Subject::host_copy)
    least = std::max(least, static_cast<std::size_t>(question.devices));
  return std::max<std::size_t>(least, 1);
}

// More than any other sign that a system is meant: a figure of it is from there.
constexpr int cited_by_name = 16;

// Whether a comment names the hardware as the row does, in parentheses: "(nvbandwidth sample
// host)".
bool cites(const std::vector<std::string>& sources, std::string_view hardware) {
  const std::size_t begin = hardware.find('(');
  const std::size_t end = hardware.find(')', std::min(begin, hardware.size()));
  if (end == std::string_view::npos) return false;
  const std::string name = plain_words(hardware.substr(begin, end - begin));
  constexpr std::int64_t blanks = 4;  // three words
  return std::ranges::count(name, ' ') >= blanks &&
         std::ranges::any_of(sources, [&](const std::string& source) {
           return plain_words(source).find(name) != std::string::npos;
         });
}

double total_reads(const models::HostSpec& host) {
  double sum = 0;
  for (const models::SocketSpec& socket : host.sockets)
    for (const models::NumaSpec& numa : socket.numa)
      sum += static_cast<double>(
          models::share_of(numa.memory.bandwidth(), numa.memory.achieved.read).value());
  return sum;
}

}  // namespace

LinkMachines::LinkMachines(const std::filesystem::path& scenarios) : catalogue_(scenarios) {
  load_systems();
  load_hosts();
}

void LinkMachines::load_systems() {
  for (const std::string& name : catalogue_.names(HardwareKind::system)) {
    scenarios::Sources sources;
    scenarios::Diagnostics diagnostics;
    auto part = scenarios::load_entry(catalogue_, HardwareKind::system, name, sources, diagnostics);
    if (!part || !part->system) continue;
    systems_.push_back({name,
                        about(HardwareKind::system, name),
                        {*std::move(part->system), sources_of(part->settings), "", ""}});
  }
}

void LinkMachines::load_hosts() {
  for (const std::string& name : catalogue_.names(HardwareKind::host)) {
    scenarios::Sources sources;
    scenarios::Diagnostics diagnostics;
    auto part = scenarios::load_entry(catalogue_, HardwareKind::host, name, sources, diagnostics);
    if (!part || !part->host) continue;
    hosts_.push_back({name, about(HardwareKind::host, name), *std::move(part->host),
                      sources_of(part->settings)});
  }
}

std::size_t LinkMachines::systems_with(const std::string& gpu) const {
  return static_cast<std::size_t>(std::ranges::count_if(systems_, [&](const Entry& entry) {
    return !entry.machine.spec.gpus.empty() && entry.machine.spec.gpus[0].part.name == gpu;
  }));
}

std::optional<std::string> LinkMachines::gpu_of(std::string_view hardware, double most) const {
  const std::vector<Word> words = words_of(hardware);
  std::optional<std::string> best;
  // Longer models come first, of "GB200/GB300" the first one, then variants whose words are
  // written, then the common one.
  std::tuple<std::size_t, std::ptrdiff_t, int, std::size_t> best_rank;
  for (const std::string& name : catalogue_.names(HardwareKind::gpu)) {
    const PartName part = part_name(name);
    std::string card = part.model;  // "A6000" of an "rtxa6000"
    if (card.starts_with("rtxa")) card = card.substr(3);
    auto place = place_of(words, part.model);
    if (!place) place = place_of(words, card);
    if (!place) continue;
    const auto holder = std::ranges::find_if(systems_, [&](const Entry& entry) {
      const auto& gpus = entry.machine.spec.gpus;
      return !gpus.empty() && gpus[0].part.name == name;
    });
    if (holder != systems_.end() && most > memory_peak(holder->machine.spec.gpus[0].part)) continue;
    const std::tuple rank{part.model.size(), -static_cast<std::ptrdiff_t>(*place),
                          fit_of(part, words), systems_with(name)};
    if (best && rank <= best_rank) continue;
    best = name;
    best_rank = rank;
  }
  return best;
}

template <class Fits>
const LinkMachines::Entry* LinkMachines::best(std::string_view hardware, std::size_t least_gpus,
                                              Fits fits) const {
  const Entry* found = nullptr;
  int highest = 0;
  for (const Entry& entry : systems_) {
    const models::SystemSpec& spec = entry.machine.spec;
    if (spec.gpus.size() < least_gpus || !fits(spec)) continue;
    const int score = system_score(entry.name, entry.about, spec, hardware) +
                      (cites(entry.machine.sources, hardware) ? cited_by_name : 0);
    if (found != nullptr && score <= highest) continue;
    found = &entry;
    highest = score;
  }
  return found;
}

const LinkMachines::Entry* LinkMachines::system_of(std::string_view hardware,
                                                   std::size_t least_gpus, double most) const {
  if (const Entry* const entry = named(hardware)) return entry;
  if (const auto part = gpu_of(hardware, most)) {
    return best(hardware, least_gpus, [&](const models::SystemSpec& spec) {
      return std::ranges::any_of(
          spec.gpus, [&](const models::PlacedGpu& gpu) { return gpu.part.name == *part; });
    });
  }
  // Which GPU hangs on a link of PCIe makes no difference to copies over it.
  if (const PcieWords pcie = pcie_of(hardware); pcie.generation > 0) {
    const std::string wanted = fmt::format("pcie{}-x16", pcie.generation);
    return best(hardware, least_gpus, [&](const models::SystemSpec& spec) {
      return std::ranges::any_of(spec.links, [&](const models::PlacedLink& link) {
        return link.from.kind == NodeKind::socket && pcie_part(link.part) == wanted;
      });
    });
  }
  const std::string plain = plain_words(hardware);
  const auto described = std::ranges::find_if(
      systems_, [&](const Entry& entry) { return entry.about.find(plain) != std::string::npos; });
  return described == systems_.end() ? nullptr : &*described;
}

const LinkMachines::Entry* LinkMachines::named(std::string_view hardware) const {
  const std::string plain = plain_words(hardware);
  const Entry* longest = nullptr;
  for (const Entry& entry : systems_) {
    const std::string name = plain_words(entry.name);
    if (plain.find(name) == std::string::npos) continue;
    // "a100" alone is a system, among other words it is the GPU.
    const bool own_words = std::ranges::count(name, ' ') > 2 || !gpu_of(entry.name, 0);
    if (entry.name != hardware && !own_words) continue;
    if (longest == nullptr || name.size() > longest->name.size()) longest = &entry;
  }
  return longest;
}

std::string LinkMachines::unread(std::string_view hardware, const LinkMachine& machine,
                                 bool of_host) const {
  HardwareReading reading(hardware);
  if (!of_host) reading.knows_processor();
  reading.knows(machine.spec.name);
  reading.knows(machine.spec.host.name);
  for (const Entry& entry : systems_)
    if (entry.name == machine.spec.name) reading.knows(entry.about);
  const auto& gpus = machine.spec.gpus;
  for (const Entry& entry : systems_)  // "AWS p5": it has this GPU
    if (!gpus.empty() && !entry.machine.spec.gpus.empty() &&
        entry.machine.spec.gpus[0].part.name == gpus[0].part.name)
      reading.knows(entry.name);
  for (const HostEntry& host : hosts_)
    if (host.name == machine.spec.host.name) reading.knows(host.about);
  // Of "GB200/GB300" the first is asked.
  for (const std::string& name : catalogue_.names(HardwareKind::gpu))
    if (spells(words_of(hardware), part_name(name).model)) reading.knows_model(part_name(name));
  return reading.unread();
}

std::string LinkMachines::about(HardwareKind kind, const std::string& name) const {
  const auto entry = catalogue_.find_entry(kind, name);
  const auto text = entry ? read_text_file(entry->path) : sim::fail("");
  return text ? plain_words(text->substr(0, text->find('\n'))) : "";
}

const LinkMachines::HostEntry* LinkMachines::host_of(std::string_view hardware, std::size_t sockets,
                                                     bool memory) const {
  const std::string plain = plain_words(hardware);
  const HostEntry* best = nullptr;
  for (const HostEntry& host : hosts_) {
    if (!names_host(host.name, host.about, hardware, memory)) continue;
    if (best == nullptr ||
        (best->spec.sockets.size() != sockets && host.spec.sockets.size() == sockets))
      best = &host;
  }
  if (best == nullptr) best = host_of_generation(hardware, plain);
  if (best != nullptr || !says(plain, "xeon")) return best;
  // "2-socket Xeon (~223 GB/s)": the one that reads as much.
  for (const Figure& figure : read_sentence(hardware)) {
    for (const HostEntry& host : hosts_) {
      constexpr double close = 0.01;
      const bool alike = says(host.about, "xeon") && figure.kind == FigureKind::rate &&
                         std::abs(total_reads(host.spec) / figure.middle() - 1) < close;
      if (alike) return &host;
    }
  }
  return nullptr;
}

const LinkMachines::HostEntry* LinkMachines::host_of_generation(std::string_view hardware,
                                                                const std::string& plain) const {
  struct Grade {
    int pcie;
    std::string_view memory;
  };
  constexpr std::array<Grade, 3> grades{{{3, "DDR4-2"}, {4, "DDR4-3200"}, {5, "DDR5-4800"}}};
  const PcieWords pcie = pcie_of(hardware);
  for (const std::string_view maker : {"xeon", "epyc"}) {
    if (!says(plain, maker)) continue;
    for (const HostEntry& host : hosts_) {
      const std::string& kind = host.spec.sockets[0].numa[0].memory.kind;
      for (const Grade& grade : grades)
        if (grade.pcie == pcie.generation && says(host.about, maker) &&
            host.spec.sockets.size() == 2 && kind.starts_with(grade.memory))
          return &host;
    }
  }
  return nullptr;
}

const LinkMachines::HostEntry* LinkMachines::sibling(const std::string& name) const {
  const std::string wanted =
      (name.ends_with("-1s") ? name.substr(0, name.size() - 3) : name) + "-2s";
  const auto found = std::ranges::find(hosts_, wanted, &HostEntry::name);
  return found == hosts_.end() ? nullptr : &*found;
}

sim::Result<void> LinkMachines::set_links(std::string_view hardware, LinkMachine& machine) const {
  const PcieWords pcie = pcie_of(hardware);
  if (pcie.generation == 0 && pcie.lanes == 0) return {};
  constexpr int all_lanes = 16;
  const int lanes = pcie.lanes == 0 ? all_lanes : pcie.lanes;
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;
  for (models::PlacedLink& link : machine.spec.links) {
    if (link.from.kind != NodeKind::socket || scenarios::technology(link.part.kind) != "PCIe")
      continue;
    const std::int64_t generation = pcie.generation == 0 ? link.part.generation : pcie.generation;
    const std::string wanted = fmt::format("pcie{}-x{}", generation, lanes);
    if (link.part.name == wanted) continue;
    const auto part =
        scenarios::load_entry(catalogue_, HardwareKind::link, wanted, sources, diagnostics);
    if (!part) return sim::fail(fmt::format("the catalogue has no link {}", wanted));
    link.part = *part->link;
    machine.linked = wanted;
    for (std::string& source : sources_of(part->settings))
      machine.sources.push_back(std::move(source));
  }
  return {};
}

sim::Result<LinkMachine> LinkMachines::find(std::string_view hardware, const LinkQuestion& question,
                                            double most) const {
  const bool of_host = question.subject == Subject::host_memory ||
                       question.subject == Subject::host_latency ||
                       question.subject == Subject::loaded_latency;
  const std::string plain = plain_words(hardware);
  const bool two = question.remote || question.interleaved || says(plain, "2 socket") ||
                   says(plain, "2x") || says(plain, "superchip") || says(plain, "dual");
  const std::size_t sockets = two ? 2 : 1;
  const HostEntry* host = host_of(hardware, sockets, of_host);
  const std::size_t least = gpus_needed(question, count_of(hardware));
  const Entry* system = system_of(hardware, least, of_host ? 0 : most);
  if (system != nullptr) {
    const auto own = std::ranges::find(hosts_, system->machine.spec.host.name, &HostEntry::name);
    if (own != hosts_.end() && names_host(own->name, own->about, hardware, of_host)) host = nullptr;
  }
  const auto unknown = [&]() -> tl::unexpected<sim::Error> {
    const auto part = gpu_of(hardware, 0);
    if (!part) return sim::fail("the catalogue does not have this hardware");
    if (!gpu_of(hardware, most)) return sim::fail(std::string(other_machine));
    return sim::fail(fmt::format("the catalogue has no machine with {} or more {}", least, *part));
  };
  LinkMachine machine;
  if (system != nullptr) {
    machine = system->machine;
    if (host == nullptr && two && machine.spec.host.sockets.size() < sockets) {
      host = sibling(machine.spec.host.name);
      if (host == nullptr) return sim::fail("the catalogue's machine has one socket");
    }
  } else if (!of_host || host == nullptr) {
    return unknown();
  }
  const bool fits = host != nullptr && (system == nullptr || host->spec.sockets.size() >=
                                                                 machine.spec.host.sockets.size());
  if (fits && machine.spec.host.name != host->name) {
    machine.spec.host = host->spec;
    machine.sources.insert(machine.sources.end(), host->sources.begin(), host->sources.end());
  }
  if (const auto linked = set_links(hardware, machine); !linked)
    return tl::unexpected(linked.error());
  machine.unread = unread(hardware, machine, of_host);
  return machine;
}

}  // namespace memsim::validate
