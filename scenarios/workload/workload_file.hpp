// Model and training files as trees: found, parsed, their `schema` checked.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

// The tree of a file without its `schema`. `shown` is what messages call it. Errors: E101 cannot be
// read, E102, E103 not TOML, E108 another schema than `schema`.
std::optional<Node> load_workload_file(const std::filesystem::path& path, std::string shown,
                                       std::string_view schema, Sources& sources,
                                       Diagnostics& diagnostics);

// Reports that a name is neither a file nor among `known` (E101).
void report_unknown_name(std::string_view what, std::string_view wanted,
                         const std::vector<std::string>& known, Diagnostics& diagnostics);

}  // namespace memsim::scenarios
