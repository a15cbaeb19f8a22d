// From a system file whose parts are composed to the nodes and links of a machine.
#pragma once

#include <optional>

#include "models/machine/spec.hpp"
#include "scenarios/hardware/hardware_schema.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/faults.hpp"
#include "scenarios/schema/node.hpp"

namespace memsim::scenarios {

// `tree` is what `file` was read from: it tells the places of faulty references. `faults` are the
// keys that could not be read: what depends on them is not judged. Empty after an error: E124 too
// many links, E140 undefined node, E141 unreachable node, E142 id given twice, E143 unclear
// reference.
std::optional<models::SystemSpec> build_system(const SystemFile& file, const Node& tree,
                                               const Faults& faults, Diagnostics& diagnostics);

}  // namespace memsim::scenarios
