// Figures that can be but hardly are, and the slip of the hand that they probably come from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/schema/node.hpp"
#include "scenarios/schema/schema.hpp"

namespace memsim::scenarios {

// The value that was probably meant where `node` states one outside of the field's usual range: the
// same number in another unit ("1555 GB/s" for "1555 MB/s"), or as a share ("0.93" for 93). Empty
// if no such value is usual.
std::string probably_meant(const Field& field, const Node& node);

// For a value outside of the usual range of its field; empty within. W135: it is unlikely. E134: a
// file gives one part the sum over several; W134 for the same on a command line, where somebody
// asks "what if". `value` is in the integer unit of the field.
std::optional<Diagnostic> doubt(const Field& field, const Node& node, std::int64_t value);

// A value of a field as it is written in messages: 31.5 GB/s, 0.93, 8.
std::string format_value(const Field& field, std::int64_t value);

// "`bandwidth = "1555 MB/s"`"
std::string assignment(const Field& field, const Node& node);

}  // namespace memsim::scenarios
