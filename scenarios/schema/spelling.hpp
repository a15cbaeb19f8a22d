// Which known name was meant by an unknown one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace memsim::scenarios {

bool equal_but_for_case(std::string_view a, std::string_view b);

// Fewest insertions, deletions, replacements and swaps of neighbours that turn one into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate at distance <= 2 (and less than half the length of the longer name) that is
// nearest; empty if there is none. Of equals the first. Case does not count.
std::string misspelt(std::string_view unknown, std::span<const std::string> candidates);

// misspelt(), else the first candidate that shares a word (words are separated by `_`, `-`, `.` and
// blanks); empty if there is none.
std::string nearest(std::string_view unknown, std::span<const std::string> candidates);

}  // namespace memsim::scenarios
