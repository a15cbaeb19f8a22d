#include "validate/import/text_lines.hpp"

#include <algorithm>

namespace memsim::validate {

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::vector<std::string_view> split_words(std::string_view line) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  std::vector<std::string_view> words;
  for (auto at = line.begin(); at != line.end();) {
    const auto begin = std::find_if_not(at, line.end(), is_blank);
    const auto end = std::find_if(begin, line.end(), is_blank);
    if (begin != end) words.emplace_back(begin, end);
    at = end;
  }
  return words;
}

}  // namespace memsim::validate
