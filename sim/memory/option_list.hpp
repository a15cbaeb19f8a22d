// Options of allocators as one text: "key:value,key:value", whole numbers all of them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/core/result.hpp"

namespace memsim::sim {

struct NumberOption {
  std::string_view key;
  std::int64_t least;
  std::int64_t most;
  std::int64_t* value;  // holds the default; set when the text has the key
  bool power_of_two = false;
};

// Blanks around keys and values do not count; an empty text changes nothing. Errors: a key that
// `owner` does not know or that comes twice, a value that is missing or out of bounds; the message
// names the option, what was found and what is expected. Values before an error stay set.
Result<void> read_options(std::string_view owner, std::string_view text,
                          std::span<const NumberOption> options);

}  // namespace memsim::sim
