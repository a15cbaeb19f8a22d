// Text on a terminal: what can be shown, how wide it is, lines of at most 80 columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace memsim::scenarios {

inline constexpr std::size_t terminal_columns = 80;

// One character as it is shown.
struct Glyph {
  std::string text;
  std::size_t columns = 1;
};

// The characters of a UTF-8 text. A tab becomes four blanks; control characters and bytes that are
// not UTF-8 become U+FFFD, so that no input reaches a terminal as a command.
std::vector<Glyph> glyphs(std::string_view text);

// All of them in one text.
std::string printable(std::string_view text);

// How many columns the text takes once it is printable.
std::size_t columns(std::string_view text);

// Words of input inside of a message: between backquotes, printable, and cut where they are long.
std::string in_quotes(std::string_view text);
// As in_quotes, without the backquotes.
std::string shortened(std::string_view text);

// The words of a text in lines of at most terminal_columns. The first line begins with `first`, the
// others with `rest`. A word that is longer than a line has a line of its own. Ends with a line
// end.
std::string wrapped(std::string_view text, std::string_view first, std::string_view rest);

}  // namespace memsim::scenarios
