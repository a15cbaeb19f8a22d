// What probably led to a syntax error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/schema/diagnostic.hpp"
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

struct SyntaxError {
  Diagnostic diagnostic;
  bool within_line = false;  // without its line the rest can be read
};

// What the parser found at a place, in words for somebody who wrote the file: E102, or E103 for a
// key that is given again. `text` is the file's without the lines that were left out.
SyntaxError explain(const SourceFile& file, std::string_view text, std::string_view found,
                    std::uint32_t line, std::uint32_t column);

// Tables within tables (`a.b.c`) are read by recursion, which has to end somewhere: the first key
// that goes deeper than that.
std::optional<Span> too_deep_key(std::string_view text);
Diagnostic too_deep(const SourceFile& file, const Span& key);

}  // namespace memsim::scenarios
