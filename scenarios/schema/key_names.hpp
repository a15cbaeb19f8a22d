// How messages speak of keys and tables.
#pragma once

#include <string>
#include <string_view>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/schema.hpp"

namespace memsim::scenarios {

// "memory.capacity"
std::string join_path(const std::string& path, std::string_view key);

// How a key is given in a file: capacity = "80 GB".
std::string example_of(const Field& field);

// E104 for an entry of `table` that its schema does not know: what was probably meant, else what
// there is. `path` is that of the table.
Diagnostic unknown_key(const TableSchema& schema, const Node& table, const std::string& path,
                       const Entry& entry);

}  // namespace memsim::scenarios
