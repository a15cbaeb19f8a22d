// What was typed after --set, sorted by what it is about.
#pragma once

#include <span>
#include <string>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

// Tables to be laid on top of those of files.
struct Overrides {
  Node model;    // model.KEY
  Node train;    // train.KEY, and a single word that is a key of [train] or short for one
  Node machine;  // anything else with a dot: keys of the machine
};

// Later texts win. Errors: E150 no key=value, E103 a key twice in one text, E104 a single word
// that means nothing.
Overrides read_overrides(std::span<const std::string> texts, Sources& sources,
                         Diagnostics& diagnostics);

}  // namespace memsim::scenarios
