// Texts line by line and word by word.
#pragma once

#include <string_view>
#include <vector>

namespace memsim::validate {

// Cuts the first line off `text` (without its end, LF or CRLF). Requires: text is not empty.
std::string_view next_line(std::string_view& text);

// The words between blanks and tabs.
std::vector<std::string_view> split_words(std::string_view line);

}  // namespace memsim::validate
