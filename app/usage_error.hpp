// What is wrong with a command line, in the form of all other diagnostics.
#pragma once

#include <span>

#include "scenarios/schema/diagnostic.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): of CLI11
class App;
class ParseError;
}  // namespace CLI

namespace memsim::app {

// E151 unknown option or argument, with the nearest one; E152 something is missing; E153 an option
// with too few or too many values. `typed` is the command line, for their order.
scenarios::Diagnostics usage_errors(const CLI::App& root, const CLI::ParseError& error,
                                    std::span<const char* const> typed);

}  // namespace memsim::app
