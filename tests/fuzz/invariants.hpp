// What holds for every reading, whatever was read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/schema/diagnostic.hpp"

namespace memsim::fuzz {

// Ends the program, and so the fuzzing, with `what` unless it holds.
void require(bool holds, std::string_view what);

// Something was read, or there is at least one error. Every diagnostic has a code, a message and,
// but for options that are missing, a place within its source; all of them can be written.
void check_reading(const scenarios::Diagnostics& diagnostics, bool was_read);

// Input as text.
std::string text_of(const std::uint8_t* data, std::size_t size);

// The texts between lines of "---": one input stands for several files or options.
std::vector<std::string> parts_of(std::string_view text);

// The folder of the sources with hardware/ and models/.
std::filesystem::path shipped_scenarios();

}  // namespace memsim::fuzz
