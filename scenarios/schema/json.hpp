// Reading JSON as a tree with places. The only door to nlohmann's parser for input: everything else
// sees Node.
#pragma once

#include <cstdint>
#include <optional>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

// Deeper nesting is not read: no file of ours needs it, and trees are walked by recursion.
inline constexpr std::size_t deepest_json = 64;

// The tree of a file that holds one JSON value. Empty after a diagnostic: E112 not JSON (the first
// place, with its likely cause), E103 a key given twice (all of them). A whole number beyond 64
// bits is a `real`.
std::optional<Node> parse_json(const SourceFile& file, Diagnostics& diagnostics);

// The same for a file that holds one value a line (JSON Lines): the tree of line `number`.
std::optional<Node> parse_json_line(const SourceFile& file, std::uint32_t number,
                                    Diagnostics& diagnostics);

}  // namespace memsim::scenarios
