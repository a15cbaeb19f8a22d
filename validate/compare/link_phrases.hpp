// What the phrases of a measurement's parameter say: "bandwidthTest 32 MiB pageable H2D / D2H".
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/units.hpp"
#include "validate/compare/link_vocabulary.hpp"

namespace memsim::validate {

enum class Pair : std::uint8_t { any, same_switch, other_switch, all_to_one, one_to_all };

// What the words of one phrase say; empty: nothing about it.
struct Said {
  std::optional<bool> up, both_ways, pageable, remote, peer_access;
  std::optional<Pair> pair;
  std::optional<Mix> mix;
  std::optional<sim::Bytes> size;
  std::optional<std::int64_t> devices;  // 0: all
  std::optional<std::int64_t> pairs;
  std::optional<std::int64_t> threads;
  std::bitset<meanings> meant;  // all that is said, by Meaning
  std::vector<Spoken> words;    // the same, in order
  std::string unknown;          // the first word that is not understood; empty: none

  [[nodiscard]] bool means(Meaning meaning) const {
    return meant.test(static_cast<std::size_t>(meaning));
  }
};

// The phrases that a parameter lists: "H2D / D2H", "P2P off uni; P2P on uni". What stands in
// parentheses belongs to the phrase before it.
std::vector<std::string> phrases_of(std::string_view parameter);

Said said_by(std::string_view phrase);

// What one phrase says holds on until another one says otherwise, whatever is measured with it.
Said following(Said said, const Said& before);

}  // namespace memsim::validate
