#include "scenarios/schema/syntax_error.hpp"

#include <vector>

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

}  // namespace

OpenConstruct open_at(std::string_view text, std::uint32_t line, std::uint32_t column) {
  return Scanner(text).open_at(line, column);
}

}  // namespace memsim::scenarios
