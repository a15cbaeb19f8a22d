#include "scenarios/schema/setting.hpp"

namespace memsim::scenarios {
namespace {

std::string origin_of(const Location& location) {
  if (location.file == nullptr) return "default";
  switch (location.file->role()) {
    case SourceRole::command_line:
      return "--set";
    case SourceRole::inherited:
      return "inherited from " + location.file_and_line();
    case SourceRole::given:
    case SourceRole::part:
      break;
  }
  return location.file_and_line();
}

}  // namespace

std::string origin(const Setting& setting) {
  const std::string place = origin_of(setting.location);
  return setting.follows.empty() ? place : "follows " + setting.follows + " (" + place + ")";
}

std::string without_indices(std::string_view path) {
  std::string plain;
  bool inside = false;
  for (const char c : path) {
    inside = c == '[' || (inside && c != ']');
    if (!inside && c != ']') plain += c;
  }
  return plain;
}

std::string comment_of(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == '"' && c == '\\') {
      ++i;
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (quote == 0 && c == '#') {
      const std::size_t begin = line.find_first_not_of("# \t", i);
      return begin == std::string_view::npos ? "" : std::string(line.substr(begin));
    }
  }
  return "";
}

}  // namespace memsim::scenarios
