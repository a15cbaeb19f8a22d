// The words in which people tell what they measured, and what each of them means. A word that is
// not in here is not understood, and its row is not compared: another question might be asked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memsim::validate {

// Bytes read to bytes written. `stream`: by the loops of STREAM with three arrays.
struct Mix {
  std::int64_t reads = 2;
  std::int64_t writes = 1;
  bool stream = true;
};

enum class Meaning : std::uint8_t {
  neutral,       // names of tools, units, particles
  refused,       // memsim has no answer to a row that says this: `reason`
  refused_here,  // to the figure of this phrase
  down,          // host to device
  up,
  one_way,
  both_ways,
  each_way,  // both ways run, one is told
  total,     // both ways, or all devices, added up
  each,      // of one of several devices
  sum,
  together,    // all that is named at the same time
  one_by_one,  // one device at a time
  devices,     // `number` of them; 0: all
  pairs,       // `number` of them, one at a time
  threads,
  number,  // of nothing that is told
  size,
  rate,
  time,
  pageable,
  pinned,
  remote,
  local,
  peer,
  no_peer,
  same_switch,
  other_switch,
  all_to_one,
  one_to_all,
  kernel,  // by a kernel instead of a copy engine
  engine,
  interleaved,
  idle,
  latency,
  read,
  write,
  copy,
  mix,
};
inline constexpr std::size_t meanings = static_cast<std::size_t>(Meaning::mix) + 1;

struct Spoken {
  Meaning meaning = Meaning::neutral;
  std::string words;
  std::int64_t number = 0;
  Mix mix;                  // of read, write, copy and mix
  std::string_view reason;  // of refused and refused_here
};

struct Speech {
  std::vector<Spoken> said;
  std::string unknown;  // the first word that is not understood; empty: none
};

// The meanings of a text, in its order.
Speech read_words(std::string_view text);

}  // namespace memsim::validate
