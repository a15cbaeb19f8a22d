// What probably led to a syntax error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

// A string or bracket that is still open.
struct OpenConstruct {
  char opener = 0;  // '"', '\'', '[' or '{'; 0: none
  Span span;        // of the opener
};

// What is still open at a place of a TOML text: the innermost string or bracket of the value being
// written there.
OpenConstruct open_at(std::string_view text, std::uint32_t line, std::uint32_t column);

}  // namespace memsim::scenarios
