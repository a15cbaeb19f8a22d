// What was typed after --set, sorted by what it is about.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

// Tables to be laid, one after the other, on top of those of files.
struct Overrides {
  std::vector<Node> model;  // model.KEY
  std::vector<Node> train;  // train.KEY, and a single word that is a key of [train] or short for it
  std::vector<Node> machine;  // anything else with a dot: keys of the machine
};

// Later texts win. `machine` are the single words that are keys of the machine ("host"). Errors:
// E150 no key=value, E104 a single word that means nothing; W136 where a later text wins.
Overrides read_overrides(std::span<const std::string> texts, std::span<const std::string> machine,
                         Sources& sources, Diagnostics& diagnostics);

}  // namespace memsim::scenarios
