// Texts that settings come from - files, and what was typed on the command line - and places in
// them.
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
  command_line,  // --set, or a name that was typed
};

// A stretch of one line. Columns count characters (UTF-8 code points) from 1, end_column is the
// first one behind.
struct Span {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t end_column = 1;

  friend auto operator<=>(const Span&, const Span&) = default;
};

class SourceFile {
 public:
  // `path` opens the file from where memsim was called; empty: `name` does, or there is no file.
  SourceFile(std::string name, std::string text, SourceRole role, std::size_t order,
             std::string path = "");

  // What origins call it: "gpu/t4.toml" for an entry of the catalogue, else as it was asked for.
  [[nodiscard]] const std::string& name() const { return name_; }
  // What diagnostics call it.
  [[nodiscard]] const std::string& path() const { return path_.empty() ? name_ : path_; }
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
  // The characters of a span, as far as they exist. Takes the same time however long the line is.
  [[nodiscard]] std::string_view slice(const Span& span) const;

 private:
  // A line of which some character has several bytes.
  struct WideLine {
    std::uint32_t number;
    std::size_t first_mark;  // into marks_
  };
  void mark(std::uint32_t number);
  // Of the character at `column` within its line; the line's size beyond its end.
  [[nodiscard]] std::size_t offset(std::uint32_t number, std::uint32_t column) const;

  std::string name_;
  std::string text_;
  SourceRole role_;
  std::size_t order_;
  std::string path_;
  std::vector<std::size_t> line_starts_;
  std::vector<WideLine> wide_lines_;  // by their numbers
  std::vector<std::size_t> marks_;    // where every 64th character of a wide line is within it
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

std::string_view text_at(const Location& location);
// All of a text of one line.
Location whole(const SourceFile& file);

// Number of characters of a UTF-8 text; every byte of an invalid one counts at most once.
std::uint32_t character_count(std::string_view text);

// Owns the texts of one reading; their addresses stay valid as long as it lives.
class Sources {
 public:
  const SourceFile& add(std::string name, std::string text, SourceRole role, std::string path = "");

 private:
  std::deque<SourceFile> files_;
};

}  // namespace memsim::scenarios
