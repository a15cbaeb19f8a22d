// Model and training files as trees: found, parsed, their `schema` checked.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

// The tree of a file without its `schema`. `name` is what origins call it, `named` the place that
// names it. Errors: E101 cannot be read, E102, E103 not TOML, E108 another schema than `schema`.
std::optional<Node> load_workload_file(const std::filesystem::path& path, std::string name,
                                       std::string_view schema, const Location& named,
                                       Sources& sources, Diagnostics& diagnostics);

}  // namespace memsim::scenarios
