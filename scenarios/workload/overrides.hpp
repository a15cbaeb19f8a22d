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
  Node train;    // train.KEY, and the aliases of setting_aliases()
  Node machine;  // anything else with a dot: keys of the machine
};

// Later texts win. Errors: E150 no key=value, E104 a single word that is no alias.
Overrides read_overrides(std::span<const std::string> texts, Sources& sources,
                         Diagnostics& diagnostics);

}  // namespace memsim::scenarios
