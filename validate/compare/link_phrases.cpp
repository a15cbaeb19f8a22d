#include "validate/compare/link_phrases.hpp"

#include <cctype>
#include <cstddef>
#include <utility>

#include "validate/import/link_figures.hpp"

namespace memsim::validate {
namespace {

template <class Value>
void inherit(std::optional<Value>& own, const std::optional<Value>& previous) {
  if (!own) own = previous;
}

// The first word about something decides: "H2D while D2H runs" is host to device.
template <class Value>
void settle(std::optional<Value>& own, Value value) {
  if (!own) own = std::move(value);
}

void hear_way(Meaning meaning, Said& said) {
  if (meaning == Meaning::down) settle(said.up, false);
  if (meaning == Meaning::up) settle(said.up, true);
  if (meaning == Meaning::one_way) settle(said.both_ways, false);
  if (meaning == Meaning::both_ways || meaning == Meaning::each_way) said.both_ways = true;
}

void hear_place(Meaning meaning, Said& said) {
  if (meaning == Meaning::pageable) said.pageable = true;
  if (meaning == Meaning::pinned) said.pageable = false;
  if (meaning == Meaning::remote) said.remote = true;
  if (meaning == Meaning::local) said.remote = false;
  if (meaning == Meaning::no_peer) said.peer_access = false;
  if (meaning == Meaning::peer) said.peer_access = true;
  if (meaning == Meaning::same_switch) settle(said.pair, Pair::same_switch);
  if (meaning == Meaning::other_switch) settle(said.pair, Pair::other_switch);
  if (meaning == Meaning::all_to_one) settle(said.pair, Pair::all_to_one);
  if (meaning == Meaning::one_to_all) settle(said.pair, Pair::one_to_all);
}

void hear(const Spoken& spoken, Said& said) {
  hear_way(spoken.meaning, said);
  hear_place(spoken.meaning, said);
  switch (spoken.meaning) {
    case Meaning::devices:
      return settle(said.devices, spoken.number);
    case Meaning::pairs:
      return settle(said.pairs, spoken.number);
    case Meaning::threads:
      return settle(said.threads, spoken.number);
    case Meaning::mix:
      said.mix = spoken.mix;  // "MLC read: triad-like": the loop decides
      return;
    case Meaning::read:
    case Meaning::write:
    case Meaning::copy:
      return settle(said.mix, spoken.mix);
    default:
      return;
  }
}

}  // namespace

std::vector<std::string> phrases_of(std::string_view parameter) {
  std::vector<std::string> phrases(1);
  int depth = 0;
  for (std::size_t at = 0; at < parameter.size(); ++at) {
    const char c = parameter[at];
    if (c == '(') ++depth;
    if (c == ')' && depth > 0) --depth;
    const std::string_view rest = parameter.substr(at);
    const bool ends = rest.size() <= 2 || std::isalpha(static_cast<unsigned char>(rest[2])) == 0;
    const bool unit = rest.starts_with("/s") && ends;  // "GB/s"
    const bool single = (c == '/' && !unit) || c == ';';
    const std::size_t used = rest.starts_with(" vs ") ? 4 : rest.starts_with("->") ? 2 : single;
    if (depth > 0 || used == 0) {
      phrases.back() += c;
      continue;
    }
    phrases.emplace_back();
    at += used - 1;
  }
  return phrases;
}

Said said_by(std::string_view phrase) {
  Said said;
  Speech speech = read_words(phrase);
  for (const Spoken& spoken : speech.said) {
    said.meant.set(static_cast<std::size_t>(spoken.meaning));
    hear(spoken, said);
  }
  said.size = read_size(phrase);
  said.words = std::move(speech.said);
  said.unknown = std::move(speech.unknown);
  return said;
}

Said following(Said said, const Said& before) {
  inherit(said.up, before.up);
  inherit(said.both_ways, before.both_ways);
  inherit(said.pageable, before.pageable);
  inherit(said.peer_access, before.peer_access);
  inherit(said.size, before.size);
  inherit(said.devices, before.devices);
  inherit(said.pairs, before.pairs);
  return said;
}

}  // namespace memsim::validate
