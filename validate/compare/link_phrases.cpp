#include "validate/compare/link_phrases.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "validate/compare/hardware_words.hpp"
#include "validate/import/link_figures.hpp"

namespace memsim::validate {
namespace {

std::optional<bool> direction(std::string_view words) {
  const std::size_t down = std::min(words.find(" h2d "), words.find(" host to device "));
  const std::size_t up = std::min(words.find(" d2h "), words.find(" device to host "));
  if (down != up) return up < down;
  if (says(words, "write")) return false;  // of the host, as OpenCL calls it
  if (says(words, "read")) return true;
  return std::nullopt;
}

// How many devices are added up: 4 in "sum of 4", "4 at once".
std::optional<std::int64_t> summands(std::string_view words) {
  constexpr std::int64_t most = 256;
  constexpr std::string_view before = " sum of ";
  constexpr std::string_view behind = " at once ";
  std::size_t at = words.find(behind);
  if (at != std::string_view::npos) at = words.find_last_of(' ', at - 1);
  if (const std::size_t sum = words.find(before); sum != std::string_view::npos) {
    const std::size_t number = sum + before.size();
    if (std::isdigit(static_cast<unsigned char>(words[number])) != 0) at = number - 1;
  }
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = words.substr(at + 1);
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), count);
  if (error != std::errc() || count < 1 || count > most) return std::nullopt;
  return count;
}

template <class Value>
void inherit(std::optional<Value>& own, const std::optional<Value>& previous) {
  if (!own) own = previous;
}

}  // namespace

std::vector<std::string> phrases_of(std::string_view parameter) {
  std::vector<std::string> phrases;
  std::string rest = without_parentheses(parameter);
  for (const std::string_view separator : {" vs ", "->"}) {
    for (std::size_t at = rest.find(separator); at != std::string::npos; at = rest.find(separator))
      rest.replace(at, separator.size(), ";");
  }
  for (std::size_t begin = 0; begin <= rest.size();) {
    std::size_t end = rest.find_first_of("/;", begin);
    const auto is_unit = [&] {  // "GB/s"
      return end != std::string::npos && rest.substr(end, 2) == "/s" &&
             (end + 2 == rest.size() ||
              std::isalpha(static_cast<unsigned char>(rest[end + 2])) == 0);
    };
    while (is_unit()) end = rest.find_first_of("/;", end + 1);
    end = std::min(end, rest.size());
    phrases.push_back(rest.substr(begin, end - begin));
    begin = end + 1;
  }
  return phrases;
}

std::optional<Mix> mix_of(std::string_view words) {
  struct Named {
    std::string_view word;
    Mix mix;
  };
  constexpr std::array<Named, 19> named{{{"3:1", {3, 1, false}},
                                         {"2:1", {2, 1, false}},
                                         {"1:1", {1, 1, false}},
                                         {"all reads", {1, 0, false}},
                                         {"triad like", {2, 1, true}},
                                         {"triad", {2, 1, true}},
                                         {"add", {2, 1, true}},
                                         {"x+y", {2, 1, true}},
                                         {"copy", {1, 1, false}},
                                         {"local copy", {1, 1, false}},
                                         {"scale", {1, 1, false}},
                                         {"mul", {1, 1, false}},
                                         {"diagonal", {1, 1, false}},
                                         {"d2d", {1, 1, false}},
                                         {"dot", {1, 0, false}},
                                         {"init", {0, 1, false}},
                                         {"read+write", {1, 1, false}},
                                         {"read", {1, 0, false}},
                                         {"write", {0, 1, false}}}};
  for (const Named& each : named)
    if (says(words, each.word)) return each.mix;
  return std::nullopt;
}

Said said_by(const std::string& phrase) {
  const std::string words = plain_words(phrase);
  Said said;
  said.up = direction(words);
  if (says_any(words, {"bidir", "bidirectional", "while", "both directions", "duplex"}))
    said.both_ways = true;
  if (says_any(words, {"uni", "unidirectional", "one direction", "single direction"}))
    said.both_ways = false;
  if (says_any(words, {"pageable", "unpinned"})) said.pageable = true;
  if (says(words, "pinned")) said.pageable = false;
  if (says_any(words, {"remote", "cross numa", "cross socket"})) said.remote = true;
  if (says(words, "local")) said.remote = false;
  if (says_any(words, {"p2p off", "no p2p", "staged", "no peer"})) said.peer_access = false;
  if (says(words, "p2p on")) said.peer_access = true;
  if (says_any(words, {"same switch", "sharing one pcie switch"})) said.pair = Pair::same_switch;
  if (says_any(words, {"different", "different switches", "other", "cross"}))
    said.pair = Pair::other_switch;
  said.mix = mix_of(words);
  said.size = read_size(phrase);
  said.devices = summands(words);
  return said;
}

Said following(Said said, const Said& before) {
  inherit(said.up, before.up);
  inherit(said.both_ways, before.both_ways);
  inherit(said.pageable, before.pageable);
  inherit(said.peer_access, before.peer_access);
  inherit(said.size, before.size);
  inherit(said.devices, before.devices);
  return said;
}

}  // namespace memsim::validate
