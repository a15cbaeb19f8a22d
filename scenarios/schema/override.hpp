// `--set key=value`: settings typed on a command line, laid on top of those of files.
#pragma once

#include <optional>
#include <string>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

// "gpu.memory.usable=30 GiB" as a tree with that one key. A part of the key may say which item of a
// list it is about ("gpu[0].memory.usable"). The value is read as TOML if it is TOML, else as a
// string: quotes, which shells take away, may be left out. Errors: E150.
std::optional<Node> parse_override(const std::string& text, Sources& sources,
                                   Diagnostics& diagnostics);

}  // namespace memsim::scenarios
