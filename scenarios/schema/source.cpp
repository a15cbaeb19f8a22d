#include "scenarios/schema/source.hpp"

#include <algorithm>
#include <utility>

namespace memsim::scenarios {
namespace {

constexpr std::size_t characters_per_mark = 64;

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

}  // namespace

SourceFile::SourceFile(std::string name, std::string text, SourceRole role, std::size_t order,
                       std::string path)
    : name_(std::move(name)),
      text_(std::move(text)),
      role_(role),
      order_(order),
      path_(std::move(path)) {
  std::size_t begin = 0;
  for (std::size_t end = text_.find('\n'); end != std::string::npos;
       end = text_.find('\n', begin)) {
    add_line(begin, end);
    begin = end + 1;
  }
  add_line(begin, text_.size());
}

void SourceFile::add_line(std::size_t begin, std::size_t end) {
  if (end > begin && text_[end - 1] == '\r') --end;
  Line line{begin, end - begin, marks_.size(), true};
  const std::string_view text = std::string_view(text_).substr(begin, line.size);
  line.plain = std::ranges::all_of(text, starts_character);
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size() && !line.plain; ++i) {
    if (!starts_character(text[i])) continue;
    if (characters++ % characters_per_mark == 0) marks_.push_back(i);
  }
  lines_.push_back(line);
}

std::size_t SourceFile::offset(const Line& line, std::uint32_t column) const {
  std::size_t characters = column - 1;
  if (line.plain) return std::min(characters, line.size);
  const std::size_t mark = line.first_mark + characters / characters_per_mark;
  const std::size_t after = static_cast<std::size_t>(&line - lines_.data()) + 1;
  const std::size_t last = after < lines_.size() ? lines_[after].first_mark : marks_.size();
  if (mark >= last) return line.size;
  std::size_t at = marks_[mark];
  for (characters %= characters_per_mark; characters > 0 && at < line.size; --characters) {
    do {
      ++at;
    } while (at < line.size && !starts_character(text_[line.begin + at]));
  }
  return at;
}

std::string_view SourceFile::line(std::uint32_t number) const {
  if (number < 1 || number > lines_.size()) return {};
  const Line& line = lines_[number - 1];
  return std::string_view(text_).substr(line.begin, line.size);
}

std::string_view SourceFile::slice(const Span& span) const {
  const bool nowhere = span.line < 1 || span.line > lines_.size() || span.column < 1;
  if (nowhere || span.end_column <= span.column) return {};
  const Line& line = lines_[span.line - 1];
  const std::size_t begin = offset(line, span.column);
  const std::size_t end = offset(line, span.end_column);
  return std::string_view(text_).substr(line.begin + begin, end - begin);
}

std::string Location::file_and_line() const {
  return file == nullptr ? "" : file->name() + ":" + std::to_string(span.line);
}

std::string Location::text() const {
  return file == nullptr ? "" : file_and_line() + ":" + std::to_string(span.column);
}

std::string_view text_at(const Location& location) {
  return location.file == nullptr ? std::string_view() : location.file->slice(location.span);
}

Location whole(const SourceFile& file) {
  return {&file, {1, 1, std::max<std::uint32_t>(1, character_count(file.line(1))) + 1}};
}

std::uint32_t character_count(std::string_view text) {
  return static_cast<std::uint32_t>(std::ranges::count_if(text, starts_character));
}

const SourceFile& Sources::add(std::string name, std::string text, SourceRole role,
                               std::string path) {
  return files_.emplace_back(std::move(name), std::move(text), role, files_.size(),
                             std::move(path));
}

}  // namespace memsim::scenarios
