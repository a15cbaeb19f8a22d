#include "scenarios/schema/syntax_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "scenarios/schema/display.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/toml.hpp"

namespace memsim::scenarios {
namespace {

// Walks a TOML text and keeps what is open. It needs no more than strings, comments and brackets.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  OpenConstruct open_at(std::uint32_t line, std::uint32_t column) {
    while (at_ < text_.size() && (line_ < line || (line_ == line && column_ < column))) step();
    if (quote_.opener != 0) return quote_;
    return brackets_.empty() ? OpenConstruct{} : brackets_.back();
  }

  // The first character beyond the first `most` parts of a key.
  std::optional<Span> first_key_beyond(std::size_t most) {
    constexpr std::string_view ends_key = "\n=,#[]{}";
    for (std::size_t dots = 0; at_ < text_.size(); step()) {
      if (quote_.opener != 0) continue;
      const char c = text_[at_];
      if (c == '.' && ++dots == most) return Span{line_, column_ + 1, column_ + 2};
      if (ends_key.find(c) != std::string_view::npos) dots = 0;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool three_of(char c) const {
    return text_.substr(at_, 3) == std::string_view(std::string(3, c));
  }

  void advance(std::size_t characters) {
    for (std::size_t i = 0; i < characters && at_ < text_.size(); ++i) {
      const char c = text_[at_++];
      if (c == '\n') {
        ++line_;
        column_ = 1;
      } else if (at_ == text_.size() || (static_cast<unsigned char>(text_[at_]) & 0xC0U) != 0x80U) {
        ++column_;
      }
    }
  }

  void step() {
    const char c = text_[at_];
    if (quote_.opener != 0) {
      inside_string(c);
    } else if (c == '#') {
      const std::size_t end = text_.find('\n', at_);
      advance((end == std::string_view::npos ? text_.size() : end) - at_);
    } else if (c == '"' || c == '\'') {
      long_quote_ = three_of(c);
      quote_ = {c, {line_, column_, column_ + 1}};
      advance(long_quote_ ? 3 : 1);
    } else {
      if (c == '[' || c == '{') brackets_.push_back({c, {line_, column_, column_ + 1}});
      if ((c == ']' || c == '}') && !brackets_.empty()) brackets_.pop_back();
      advance(1);
    }
  }

  void inside_string(char c) {
    if (c == '\\' && quote_.opener == '"') {
      advance(2);
    } else if (c == quote_.opener && (!long_quote_ || three_of(c))) {
      quote_ = {};
      advance(long_quote_ ? 3 : 1);
    } else {
      // A short string ends with its line, closed or not.
      if (c == '\n' && !long_quote_) quote_ = {};
      advance(1);
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
  OpenConstruct quote_;
  bool long_quote_ = false;
  std::vector<OpenConstruct> brackets_;
};

bool is_header(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && line[first] == '[';
}

// What is open at the place of an error: "the list that begins at 2:8 is not closed".
std::string unclosed(const OpenConstruct& open, bool header) {
  const std::string_view what = header               ? "header"
                                : open.opener == '[' ? "list"
                                : open.opener == '{' ? "table"
                                                     : "string";
  return fmt::format("the {} that begins at {}:{} is not closed", what, open.span.line,
                     open.span.column);
}

struct Cause {
  std::string_view found;  // part of a description of toml++
  std::string_view words;  // for somebody who wrote the file
};

constexpr std::array causes{
    Cause{"utf-8", "a byte that is not UTF-8"},
    Cause{"control characters", "a control character"},
    Cause{"expected comma or closing", "a comma is missing"},
    Cause{"dangling comma", "no comma after the last key of a table in braces"},
    Cause{"expected value, saw", "the value is missing"},
    Cause{"expected '=',", "a key is followed by `=` and its value"},
    Cause{"expected bare key", "a key is made of letters, digits, `_` and `-`"},
    Cause{"expected 'true'", "TOML writes true and false"},
    Cause{"expected 'false'", "TOML writes true and false"},
    Cause{"expected a comment or whitespace",
          "text behind the value: a quantity needs quotes, as in \"80 GB\""},
    Cause{"could not determine value type",
          "a value is a number, true, false, a list, or text in quotes"},
    Cause{"not representable in 64 bits", "beyond what 64 bits can count"},
    Cause{"expected keys, tables", "a line is a key with its value, or a [table]"},
    Cause{"leading zeroes", "a number does not begin with 0"},
};

// The cause that a description of toml++ points to; without one the description.
std::string likely_cause(std::string_view description) {
  for (const auto& [found, words] : causes) {
    if (description.find(found) != std::string_view::npos) return std::string(words);
  }
  constexpr std::string_view colon = ": ";
  constexpr std::size_t longest = 200;
  const std::size_t place = description.find(colon);
  if (place != std::string_view::npos) description.remove_prefix(place + colon.size());
  return printable(description.substr(0, longest));
}

// The parts of a dotted key.
std::vector<std::string_view> parts_of(std::string_view key) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= key.size();) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    parts.push_back(key.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// Finds the last key of a tree whose path ends with some parts.
class LastKey {
 public:
  explicit LastKey(std::string_view dotted) : wanted_(parts_of(dotted)) {}

  std::optional<Span> in(const Node& root) {
    walk(root);
    return found_;
  }

 private:
  void walk(const Node& node) {
    for (const Entry& entry : node.entries) {
      path_.push_back(entry.key);
      const Span at = entry.key_location.span;
      if (ends_as_wanted() && (!found_ || *found_ < at)) found_ = at;
      walk(entry.value);
      path_.pop_back();
    }
    for (const Node& item : node.items) walk(item);
  }

  [[nodiscard]] bool ends_as_wanted() const {
    return path_.size() >= wanted_.size() &&
           std::equal(wanted_.rbegin(), wanted_.rend(), path_.rbegin());
  }

  std::vector<std::string_view> wanted_;
  std::vector<std::string_view> path_;
  std::optional<Span> found_;
};

// The first place of a key that is given again at `again`, found in what stands before its line.
// The table that both are in is the last one that has such a key.
std::optional<Span> first_place(const SourceFile& file, std::string_view text,
                                const Location& again) {
  std::size_t end = 0;
  for (std::uint32_t line = 1; line < again.span.line; ++line) end = text.find('\n', end) + 1;
  const std::optional<Node> before = try_parse_toml(file, text.substr(0, end));
  return before ? LastKey(text_at(again)).in(*before) : std::nullopt;
}

// The repeated key or header: toml++ points behind `key =`, or at the start of a key or header.
Location repeated_key(const SourceFile& file, std::uint32_t line, std::uint32_t column) {
  constexpr std::string_view separators = " \t=";
  constexpr std::string_view around_keys = " \t{,[";
  const std::string_view whole = file.line(line);
  std::string_view before = file.slice({line, 1, column});
  if (before.find_last_not_of(separators) == std::string_view::npos) {
    before = whole.substr(0, whole.find(is_header(whole) ? ']' : '='));
  }
  before = before.substr(0, before.find_last_not_of(separators) + 1);
  const std::size_t gap = before.find_last_of(around_keys);
  const std::string_view lead = gap == std::string_view::npos ? "" : before.substr(0, gap + 1);
  return {&file, {line, character_count(lead) + 1, character_count(before) + 1}};
}

Diagnostic duplicate(const SourceFile& file, std::string_view text, std::uint32_t line,
                     std::uint32_t column) {
  Location again = repeated_key(file, line, column);
  std::optional<Span> before = first_place(file, text, again);
  // `a.b = 1` after `a = 1`: it is `a` that is given twice.
  const std::string_view key = text_at(again);
  for (std::size_t dot = key.rfind('.'); !before && dot != std::string_view::npos && dot > 0;
       dot = key.rfind('.', dot - 1)) {
    const Location shorter{
        &file, {line, again.span.column, again.span.column + character_count(key.substr(0, dot))}};
    before = first_place(file, text, shorter);
    if (before) again = shorter;
  }
  return {.code = "E103",
          .location = again,
          .message = fmt::format("key {} is given twice", in_quotes(text_at(again))),
          .label = before ? fmt::format("already given at {}:{}", before->line, before->column)
                          : "already given",
          .notes = {},
          .help = "keep one of them",
          .suggestion = ""};
}

// toml++ points behind a number that it cannot hold.
Span number_before(const SourceFile& file, std::uint32_t line, std::uint32_t column) {
  constexpr std::string_view of_numbers =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_+-.";
  const std::string_view before = file.slice({line, 1, column});
  const std::size_t gap = before.find_last_not_of(of_numbers);
  const std::string_view lead = before.substr(0, gap == std::string_view::npos ? 0 : gap + 1);
  const std::uint32_t first = character_count(lead) + 1;
  return {line, std::min(first, column), std::max(first + 1, column)};
}

constexpr std::size_t deepest_key = 64;

}  // namespace

OpenConstruct open_at(std::string_view text, std::uint32_t line, std::uint32_t column) {
  return Scanner(text).open_at(line, column);
}

SyntaxError explain(const SourceFile& file, std::string_view text, std::string_view found,
                    std::uint32_t line, std::uint32_t column) {
  const auto says = [&](std::string_view part) {
    return found.find(part) != std::string_view::npos;
  };
  // toml++ may point one beyond the end of the last line.
  const std::uint32_t end = character_count(file.line(line)) + 1;
  column = std::clamp<std::uint32_t>(column, 1, end);
  const OpenConstruct open = open_at(text, line, column);
  const bool header = is_header(file.line(line));
  const bool at_end = column == end || says("end-of-file");
  const bool is_unclosed = open.opener != 0 && (at_end || open.span.line < line);
  const bool is_nul = file.slice({line, column, column + 1}) == std::string_view("\0", 1);
  // The keys below a header that is left out would count as those of the table before it, and what
  // follows within brackets as keys of their own.
  const bool goes_on = open_at(text, line + 1, 1).opener != 0;
  const bool within_line =
      (open.opener == 0 || open.span.line == line) && !goes_on && !header && !says("utf-8");
  if (says("cannot redefine")) return {duplicate(file, text, line, column), within_line};
  return {{.code = "E102",
           .location = {&file, says("not representable") ? number_before(file, line, column)
                                                         : Span{line, column, column + 1}},
           .message = "this is not TOML",
           .label = is_unclosed ? unclosed(open, header)
                    : is_nul    ? "a NUL byte: is this a file of text?"
                                : likely_cause(found),
           .notes = {},
           .help = "",
           .suggestion = ""},
          within_line};
}

std::optional<Span> too_deep_key(std::string_view text) {
  return Scanner(text).first_key_beyond(deepest_key);
}

Diagnostic too_deep(const SourceFile& file, const Span& key) {
  return {.code = "E102",
          .location = {&file, key},
          .message = fmt::format("a key has more than {} parts", deepest_key),
          .label = "tables do not go that deep",
          .notes = {},
          .help = "",
          .suggestion = ""};
}

}  // namespace memsim::scenarios
