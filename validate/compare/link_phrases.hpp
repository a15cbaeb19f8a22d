// What the phrases of a measurement's parameter say: "bandwidthTest 32 MiB pageable H2D / D2H".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/units.hpp"

namespace memsim::validate {

enum class Pair : std::uint8_t { any, same_switch, other_switch, all_to_one, one_to_all };

// Bytes read to bytes written. `stream`: by the loops of STREAM with three arrays.
struct Mix {
  std::int64_t reads = 2;
  std::int64_t writes = 1;
  bool stream = true;
};

// What the words of one phrase say; empty: nothing about it.
struct Said {
  std::optional<bool> up, both_ways, pageable, remote, peer_access;
  std::optional<Pair> pair;
  std::optional<Mix> mix;
  std::optional<sim::Bytes> size;
  std::optional<std::int64_t> devices;
};

// The phrases that a parameter lists: "H2D / D2H", "P2P off uni; P2P on uni".
std::vector<std::string> phrases_of(std::string_view parameter);

Said said_by(const std::string& phrase);

// What one phrase says holds on until another one says otherwise, whatever is measured with it.
Said following(Said said, const Said& before);

// The mix that plain words name, by loops of STREAM and its kin or as MLC writes it.
std::optional<Mix> mix_of(std::string_view words);

}  // namespace memsim::validate
