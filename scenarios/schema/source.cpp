#include "scenarios/schema/source.hpp"

#include <utility>

namespace memsim::scenarios {
namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

}  // namespace

SourceFile::SourceFile(std::string name, std::string text, SourceRole role, std::size_t order)
    : name_(std::move(name)), text_(std::move(text)), role_(role), order_(order) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

std::string_view SourceFile::line(std::uint32_t number) const {
  if (number < 1 || number > line_starts_.size()) return {};
  std::string_view rest = std::string_view(text_).substr(line_starts_[number - 1]);
  rest = rest.substr(0, rest.find('\n'));
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  return rest;
}

std::string Location::file_and_line() const {
  return file == nullptr ? "" : file->name() + ":" + std::to_string(span.line);
}

std::string Location::text() const {
  return file == nullptr ? "" : file_and_line() + ":" + std::to_string(span.column);
}

std::string_view slice(std::string_view line, std::uint32_t column, std::uint32_t end_column) {
  std::uint32_t at = 0;
  std::size_t begin = line.size();
  std::size_t end = line.size();
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!starts_character(line[i])) continue;
    ++at;
    if (at == column) begin = i;
    if (at == end_column) {
      end = i;
      break;
    }
  }
  return begin < end ? line.substr(begin, end - begin) : std::string_view();
}

std::string_view text_at(const Location& location) {
  if (location.file == nullptr) return {};
  return slice(location.file->line(location.span.line), location.span.column,
               location.span.end_column);
}

std::uint32_t character_count(std::string_view text) {
  std::uint32_t count = 0;
  for (const char c : text) {
    if (starts_character(c)) ++count;
  }
  return count;
}

const SourceFile& Sources::add(std::string name, std::string text, SourceRole role) {
  return files_.emplace_back(std::move(name), std::move(text), role, files_.size());
}

}  // namespace memsim::scenarios
