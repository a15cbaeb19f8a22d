// Reading TOML. The only door to toml++: everything else sees Node.
#pragma once

#include <optional>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

// The tree of a text; empty after a syntax error (E102) or a key given twice (E103), which is added
// to the diagnostics: the first one, with its likely cause.
std::optional<Node> parse_toml(const SourceFile& file, Diagnostics& diagnostics);

// As parse_toml, but a text that is not TOML is no fault: for values typed on a command line.
std::optional<Node> try_parse_toml(const SourceFile& file);

}  // namespace memsim::scenarios
