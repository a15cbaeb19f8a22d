// Reading TOML. The only door to toml++: everything else sees Node.
#pragma once

#include <optional>
#include <string_view>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

// The tree of a file. Lines that are no TOML (E102) or give a key again (E103) are added to the
// diagnostics, with the likely cause, and left out: the tree is then incomplete. Empty after an
// error that leaves no tree, such as a list that is never closed.
std::optional<Node> parse_toml(const SourceFile& file, Diagnostics& diagnostics);

// The tree of `text`, which has the columns of `file`. A text that is not TOML is no fault: for
// values typed on a command line.
std::optional<Node> try_parse_toml(const SourceFile& file, std::string_view text);

}  // namespace memsim::scenarios
