// As much of a JSON Schema validator as memsim's schemas need, over trees of TOML files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/schema/node.hpp"

namespace memsim::scenarios {

// Why `value` does not follow the schema document `root`; empty if it does. Throws
// std::runtime_error for a keyword that it does not know.
std::string violation(const nlohmann::json& root, const Node& value);

}  // namespace memsim::scenarios
