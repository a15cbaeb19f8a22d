#include "validate/compare/link_machines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "models/machine/units.hpp"
#include "scenarios/hardware/hardware.hpp"
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

// A word of a name with what stands directly before it.
struct Word {
  std::string text;
  bool hyphenated = false;  // "3e" in "H20-3e"
};

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
}

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  char before = ' ';
  for (const char c : text) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (is_letter_or_digit(c)) {
      if (words.empty() || !is_letter_or_digit(before)) words.push_back({"", before == '-'});
      words.back().text += lower;
    }
    before = c;
  }
  return words;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Pieces of a part's name that tell its variants apart: board, memory.
bool is_variant(std::string_view piece) {
  if (piece == "pcie" || piece == "nvl" || piece == "gcd" || piece.starts_with("sxm")) return true;
  return piece.ends_with("gb") && is_number(piece.substr(0, piece.size() - 2));
}

struct PartName {
  std::string model;                  // "a100", "rtx4070tisuper"
  std::vector<std::string> variants;  // "sxm4", "80gb"
};

PartName part_name(std::string_view name) {
  PartName part;
  for (const Word& piece : words_of(name)) {
    if (is_variant(piece.text)) {
      part.variants.push_back(piece.text);
    } else {
      part.model += piece.text;
    }
  }
  return part;
}

// What may follow a model after a hyphen, and what makes another model of it after a blank.
bool may_be_joined(std::string_view word) {
  return is_variant(word) || is_number(word) || word == "era" || word == "class";
}
bool makes_another(std::string_view word) {
  constexpr std::array<std::string_view, 6> words{"ti", "super", "max", "laptop", "mobile", "d"};
  return std::ranges::find(words, word) != words.end();
}

// Whether words in a row spell the model: "rtx 4090".
bool spells(const std::vector<Word>& words, const std::string& model) {
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    std::string joined;
    for (std::size_t end = begin; end < words.size() && joined.size() < model.size(); ++end) {
      joined += words[end].text;
      if (joined != model) continue;
      if (end + 1 == words.size()) return true;
      const Word& next = words[end + 1];
      if (next.hyphenated ? may_be_joined(next.text) : !makes_another(next.text)) return true;
    }
  }
  return false;
}

bool has_word(const std::vector<Word>& words, std::string_view text) {
  return std::ranges::find(words, text, &Word::text) != words.end();
}

// How well a variant fits what was written; of equal ones modules come before cards, then the
// smaller memory.
int fit_of(const PartName& part, const std::vector<Word>& words) {
  int fit = 0;
  for (const std::string& variant : part.variants) {
    const bool memory = variant.ends_with("gb");
    const std::string_view number = std::string_view(variant).substr(0, variant.size() - 2);
    const bool module = variant.starts_with("sxm");
    const bool written = has_word(words, variant) || (memory && has_word(words, number));
    if (written || (module && has_word(words, "sxm"))) fit += 4;
    if (module) fit += has_word(words, "pcie") ? -2 : 1;
    if (variant == "nvl" && !written) fit -= 4;
  }
  return fit;
}

// "8x ...", "x8", "(8 GPU)"; 0: not said.
std::size_t count_of(std::string_view hardware) {
  const std::vector<Word> words = words_of(hardware);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i].text;
    const bool gpus = i + 1 < words.size() && words[i + 1].text.starts_with("gpu");
    std::string number = word;
    if (word.size() > 1 && word.ends_with('x')) number = word.substr(0, word.size() - 1);
    const bool behind = word.size() > 1 && word.starts_with('x') && i > 0 &&
                        !words[i - 1].text.starts_with("gen");
    if (behind) number = word.substr(1);
    if (!is_number(number) || (number == word && !gpus)) continue;
    std::size_t count = 0;
    std::from_chars(number.data(), number.data() + number.size(), count);
    return count;
  }
  return 0;
}

// "gen4" -> 4, "x8" behind it -> 8.
struct PcieWords {
  int generation = 0;
  int lanes = 16;
};

PcieWords pcie_of(std::string_view hardware) {
  PcieWords pcie;
  const std::vector<Word> words = words_of(hardware);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i].text;
    constexpr std::string_view gen = "gen";
    if (word.size() != gen.size() + 1 || !word.starts_with(gen) || !is_number(word.substr(3)))
      continue;
    pcie.generation = word.back() - '0';
    if (i + 1 == words.size() || !words[i + 1].text.starts_with('x')) return pcie;
    const std::string lanes = words[i + 1].text.substr(1);
    if (is_number(lanes)) std::from_chars(lanes.data(), lanes.data() + lanes.size(), pcie.lanes);
    return pcie;
  }
  return pcie;
}

std::string pcie_part(const models::LinkSpec& link) { return link.kind == "PCIe" ? link.name : ""; }

// How likely a system is meant: every word of its name that is written counts, the words that
// describe it, the number of its GPUs; servers rather than desktops, and both rather than instances
// of clouds.
int score_of(const std::string& name, const std::string& about, const models::SystemSpec& spec,
             std::string_view hardware) {
  constexpr int named_in_full = 4;
  constexpr int same_count = 3;
  constexpr std::size_t server_channels = 6;
  const std::vector<Word> written = words_of(hardware);
  int score = 0;
  const std::vector<Word> words = words_of(name);
  bool all = words.size() > 1;  // one word is the GPU's, which all candidates have
  for (const Word& word : words) {
    const std::size_t digits = std::min(word.text.find_first_not_of("0123456789"), word.text.size());
    const bool counted = digits > 0 && word.text.substr(digits).starts_with('x');
    const std::string text = counted ? word.text.substr(digits + 1) : word.text;  // "a10" of "1xa10"
    const bool found = std::ranges::any_of(written, [&](const Word& other) {
      const bool series = word.text.starts_with(other.text) && other.text.size() == 2 &&
                          is_number(word.text.substr(2, 1));  // "ND" of "ND96isr"
      return other.text == text || other.text == word.text || other.text == text + "gb" || series;
    });
    score += found ? 2 : 0;
    all = all && found;
  }
  if (all) score += named_in_full;
  const std::vector<Word> description = words_of(about);
  for (const Word& word : written)
    if (word.text == "dgx" && has_word(description, word.text)) score += 2;
  const std::size_t count = spec.gpus.size();
  const std::size_t wanted = count_of(hardware);
  if (wanted == count) score += same_count;
  if (wanted == 0 && count == 1) score += 1;
  if (static_cast<std::size_t>(spec.host.sockets[0].numa[0].memory.channels) >= server_channels)
    score += 1;
  const bool of_cloud = !name.starts_with("1x") && !name.starts_with("8x") &&
                        !name.starts_with("dgx") && !name.starts_with("hgx");
  return of_cloud ? score : score + 1;
}

// Whether words name a host: its model ("8180"), or the generation that its first comment names.
// Of its memory a generation says nothing: channels and the links between sockets differ by model.
bool is_named(const std::string& name, const std::string& about, std::string_view hardware,
              bool memory) {
  constexpr std::array<std::string_view, 11> generations{
      "skylake",        "cascade lake", "ice lake", "sapphire rapids", "emerald rapids",
      "granite rapids", "rome",         "milan",    "genoa",           "turin",
      "grace"};
  const std::vector<Word> words = words_of(hardware);
  const std::string plain = plain_words(hardware);
  constexpr std::size_t shortest_model = 4;
  const bool model = std::ranges::any_of(words_of(name), [&](const Word& piece) {
    return piece.text.size() >= shortest_model && has_word(words, piece.text) &&
           piece.text.find_first_of("0123456789") != std::string::npos;
  });
  return model || std::ranges::any_of(generations, [&](std::string_view generation) {
           return says(plain, generation) && says(about, generation) &&
                  (!memory || generation == "grace");
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
    auto part =
        scenarios::load_entry(catalogue_, HardwareKind::system, name, sources, diagnostics);
    if (!part || !part->system) continue;
    systems_.push_back({name, about(HardwareKind::system, name),
                        {*std::move(part->system), sources_of(part->settings)}});
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

std::optional<std::string> LinkMachines::gpu_of(std::string_view hardware) const {
  const std::vector<Word> words = words_of(hardware);
  std::optional<std::string> best;
  int best_fit = 0;
  std::size_t best_length = 0;
  for (const std::string& name : catalogue_.names(HardwareKind::gpu)) {
    const PartName part = part_name(name);
    std::string card = part.model;  // "A6000" of an "rtxa6000"
    if (card.starts_with("rtxa")) card = card.substr(3);
    if (!spells(words, part.model) && !spells(words, card)) continue;
    const int fit = fit_of(part, words);
    const bool better = part.model.size() > best_length ||
                        (part.model.size() == best_length && fit > best_fit);
    if (best && !better) continue;
    best = name;
    best_fit = fit;
    best_length = part.model.size();
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
    const int score = score_of(entry.name, entry.about, spec, hardware);
    if (found != nullptr && score <= highest) continue;
    found = &entry;
    highest = score;
  }
  return found;
}

const LinkMachines::Entry* LinkMachines::system_of(std::string_view hardware,
                                                   std::size_t least_gpus) const {
  if (const auto part = gpu_of(hardware)) {
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
  const auto named = std::ranges::find_if(
      systems_, [&](const Entry& entry) { return entry.about.find(plain) != std::string::npos; });
  return named == systems_.end() ? nullptr : &*named;
}

std::string LinkMachines::about(HardwareKind kind, const std::string& name) const {
  const auto entry = catalogue_.find_entry(kind, name);
  const auto text = entry ? read_text_file(entry->path) : sim::fail("");
  return text ? plain_words(text->substr(0, text->find('\n'))) : "";
}

const LinkMachines::HostEntry* LinkMachines::host_of(std::string_view hardware,
                                                     std::size_t sockets, bool memory) const {
  const std::string plain = plain_words(hardware);
  const HostEntry* best = nullptr;
  for (const HostEntry& host : hosts_) {
    if (!is_named(host.name, host.about, hardware, memory)) continue;
    if (best == nullptr || (best->spec.sockets.size() != sockets &&
                            host.spec.sockets.size() == sockets))
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
  if (pcie.generation == 0) return {};
  const std::string wanted = fmt::format("pcie{}-x{}", pcie.generation, pcie.lanes);
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;
  for (models::PlacedLink& link : machine.spec.links) {
    if (link.from.kind != NodeKind::socket || link.part.kind != "PCIe" || link.part.name == wanted)
      continue;
    const auto part =
        scenarios::load_entry(catalogue_, HardwareKind::link, wanted, sources, diagnostics);
    if (!part) return sim::fail(fmt::format("the catalogue has no link {}", wanted));
    link.part = *part->link;
    for (std::string& source : sources_of(part->settings))
      machine.sources.push_back(std::move(source));
  }
  return {};
}

sim::Result<LinkMachine> LinkMachines::find(std::string_view hardware,
                                            const LinkQuestion& question) const {
  const bool of_host = question.subject == Subject::host_memory ||
                       question.subject == Subject::host_latency ||
                       question.subject == Subject::loaded_latency;
  const std::string plain = plain_words(hardware);
  const bool two = question.remote || question.interleaved || says(plain, "2 socket") || says(plain, "2x") ||
                   says(plain, "superchip") || says(plain, "dual");
  const std::size_t sockets = two ? 2 : 1;
  const HostEntry* host = host_of(hardware, sockets, of_host);
  const Entry* system = system_of(hardware, question.subject == Subject::peer_copy ? 2 : 1);
  if (system != nullptr) {
    const auto own =
        std::ranges::find(hosts_, system->machine.spec.host.name, &HostEntry::name);
    if (own != hosts_.end() && is_named(own->name, own->about, hardware, of_host)) host = nullptr;
  }
  const auto unknown = [&] { return sim::fail("the catalogue does not have this hardware"); };
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
  return machine;
}

}  // namespace memsim::validate
