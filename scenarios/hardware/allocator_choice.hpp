// Which allocator serves a GPU's tensors.
#pragma once

#include <optional>
#include <string>

#include "models/machine/spec.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

// E107: no allocator of that name. E138: options that it refuses, in its own words.
void check_allocator(const models::AllocatorSpec& allocator, const Node& table,
                     Diagnostics& diagnostics);

// "torch:expandable_segments:True", typed after --allocator, as a table to be laid on top of a
// machine: the name and, behind the first colon, the options of every GPU's allocator.
Node allocator_override(const std::string& text, Sources& sources);

// The same words as a choice by itself. Empty after an error, as check_allocator tells it.
std::optional<models::AllocatorSpec> read_allocator(const std::string& text, Sources& sources,
                                                    Diagnostics& diagnostics);

}  // namespace memsim::scenarios
