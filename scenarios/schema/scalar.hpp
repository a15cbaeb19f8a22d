// One value of a file as its field wants it, and what is said when it is not.
#pragma once

#include <optional>
#include <string>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/schema.hpp"

namespace memsim::scenarios {

// The value of `node` for a field that is no table and no list. Empty after a diagnostic: E106
// wrong type, E107 unknown word, E121-E123 units, E124 range, E134 as `doubt` says. Of something
// imaginary no value is doubted.
std::optional<Scalar> read_scalar(const Field& field, const Node& node, Diagnostics& diagnostics,
                                  bool imaginary = false);

// A fallback of a schema, as if it stood in a file. Throws InternalError if the field refuses it.
Scalar read_fallback(const Field& field, std::string_view written);

}  // namespace memsim::scenarios
