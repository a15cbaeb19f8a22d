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
  line_starts_.push_back(0);
  for (std::size_t end = text_.find('\n'); end != std::string::npos;
       end = text_.find('\n', end + 1)) {
    line_starts_.push_back(end + 1);
  }
  if (std::ranges::all_of(text_, starts_character)) return;
  for (std::uint32_t number = 1; number <= lines(); ++number) mark(number);
}

void SourceFile::mark(std::uint32_t number) {
  const std::string_view text = line(number);
  if (std::ranges::all_of(text, starts_character)) return;
  wide_lines_.push_back({number, marks_.size()});
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!starts_character(text[i])) continue;
    if (characters++ % characters_per_mark == 0) marks_.push_back(i);
  }
}

std::size_t SourceFile::offset(std::uint32_t number, std::uint32_t column) const {
  const std::string_view text = line(number);
  std::size_t characters = column - 1;
  const auto wide = std::ranges::lower_bound(wide_lines_, number, {}, &WideLine::number);
  if (wide == wide_lines_.end() || wide->number != number) {
    return std::min(characters, text.size());
  }
  const auto next = wide + 1;
  const std::size_t last = next == wide_lines_.end() ? marks_.size() : next->first_mark;
  const std::size_t mark = wide->first_mark + characters / characters_per_mark;
  if (mark >= last) return text.size();
  std::size_t at = marks_[mark];
  for (characters %= characters_per_mark; characters > 0 && at < text.size(); --characters) {
    do {
      ++at;
    } while (at < text.size() && !starts_character(text[at]));
  }
  return at;
}

std::string_view SourceFile::line(std::uint32_t number) const {
  if (number < 1 || number > lines()) return {};
  const std::size_t begin = line_starts_[number - 1];
  std::size_t end = number < lines() ? line_starts_[number] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

std::string_view SourceFile::slice(const Span& span) const {
  if (span.column < 1 || span.end_column <= span.column) return {};
  const std::string_view text = line(span.line);
  const std::size_t begin = offset(span.line, span.column);
  return text.substr(begin, offset(span.line, span.end_column) - begin);
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
