// Values that depend on which layer stated what: files, what they inherit, --set.
#pragma once

#include <cstdint>
#include <string>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/schema.hpp"
#include "scenarios/schema/setting.hpp"

namespace memsim::scenarios {

// What `node` was when `layer` was the highest one; null if there was nothing.
const Node* as_of(const Node* node, std::uint32_t layer);

// FieldRules::follows: changes the value of a field of `table`, and what is noted of it, in
// proportion to the key that it follows, if a layer above its own replaced that one alone. False
// after an error: E124, it follows out of its range.
bool follow(const TableSchema& schema, const Node& table, const Field& field, Scalar& scalar,
            Setting& setting, Diagnostics& diagnostics);

// FieldRules::ruled_by: W136 if a layer replaced a key that another one makes ineffective. `path`
// is the key's.
void warn_if_ruled(const Node& table, const Field& field, const std::string& path,
                   Diagnostics& diagnostics);

}  // namespace memsim::scenarios
