// Texts that settings come from - files, and what was typed after --set - and places in them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace memsim::scenarios {

// How a text came into the reading: decides how the origin of its values is described.
enum class SourceRole : std::uint8_t {
  given,         // the file that was asked for
  part,          // placed or named by another file
  inherited,     // named by `inherits`
  command_line,  // --set
};

class SourceFile {
 public:
  SourceFile(std::string name, std::string text, SourceRole role, std::size_t order);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] SourceRole role() const { return role_; }
  // Place among the sources of one reading: diagnostics are sorted by it.
  [[nodiscard]] std::size_t order() const { return order_; }
  // An empty text has one line, and a line end at the end of the text begins one more.
  [[nodiscard]] std::uint32_t lines() const {
    return static_cast<std::uint32_t>(line_starts_.size());
  }
  // A line without its end, counted from 1; empty beyond the last.
  [[nodiscard]] std::string_view line(std::uint32_t number) const;

 private:
  std::string name_;
  std::string text_;
  SourceRole role_;
  std::size_t order_;
  std::vector<std::size_t> line_starts_;
};

// A stretch of one line. Columns count characters (UTF-8 code points) from 1, end_column is the
// first one behind.
struct Span {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t end_column = 1;

  friend auto operator<=>(const Span&, const Span&) = default;
};

struct Location {
  const SourceFile* file = nullptr;  // null: nowhere (a default)
  Span span;

  friend bool operator==(const Location&, const Location&) = default;
  // "a100.toml:7"; empty if nowhere.
  [[nodiscard]] std::string file_and_line() const;
  // "a100.toml:7:12"; empty if nowhere.
  [[nodiscard]] std::string text() const;
};

// The characters [column, end_column) of a line.
std::string_view slice(std::string_view line, std::uint32_t column, std::uint32_t end_column);
std::string_view text_at(const Location& location);

// Number of characters of a UTF-8 text; every byte of an invalid one counts at most once.
std::uint32_t character_count(std::string_view text);

// Owns the texts of one reading; their addresses stay valid as long as it lives.
class Sources {
 public:
  const SourceFile& add(std::string name, std::string text, SourceRole role);

 private:
  std::deque<SourceFile> files_;
};

}  // namespace memsim::scenarios
