#include "scenarios/schema/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace memsim::scenarios {
namespace {

using Json = nlohmann::json;

// Follows the parser through the text: which piece of it a token is. The parser tells what it
// found, not where, but what stands between two tokens is known.
class Cursor {
 public:
  Cursor(const SourceFile& file, std::string_view text, std::uint32_t line)
      : file_(&file), text_(text), line_(line) {}

  // The next token. Requires: the parser has accepted it.
  Location next() {
    constexpr std::string_view between = " \t\r\n,:";
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text_.substr(at_).starts_with(byte_order_mark)) advance(byte_order_mark.size());
    while (at_ < text_.size() && between.find(text_[at_]) != std::string_view::npos) advance(1);
    begin_ = at_;
    const std::uint32_t column = column_;
    advance(token_size());
    return {file_, {line_, column, column_}};
  }
  // The last token as it is written.
  [[nodiscard]] std::string_view written() const { return text_.substr(begin_, at_ - begin_); }

  // The place of a byte behind the last token, or of the end of the text.
  Location place(std::size_t byte) {
    advance(std::min(byte, text_.size()) - std::min(at_, byte));
    return {file_, {line_, column_, column_ + 1}};
  }

 private:
  void advance(std::size_t bytes) {
    for (const std::size_t end = at_ + bytes; at_ < end; ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        column_ = 1;
      } else {
        column_ += character_count(text_.substr(at_, 1));
      }
    }
  }

  [[nodiscard]] std::size_t token_size() const {
    constexpr std::string_view brackets = "{}[]";
    constexpr std::string_view ends = " \t\r\n,:{}[]";
    const std::string_view rest = text_.substr(at_);
    if (rest.empty()) return 0;
    if (brackets.find(rest[0]) != std::string_view::npos) return 1;
    if (rest[0] != '"') return std::min(rest.find_first_of(ends), rest.size());
    std::size_t end = 1;
    while (end < rest.size() && rest[end] != '"') end += rest[end] == '\\' ? 2U : 1U;
    return std::min(end + 1, rest.size());
  }

  const SourceFile* file_;
  std::string_view text_;
  std::size_t begin_ = 0;
  std::size_t at_ = 0;
  std::uint32_t line_;
  std::uint32_t column_ = 1;
};

class TreeBuilder : public nlohmann::json_sax<Json> {
 public:
  TreeBuilder(Cursor cursor, Diagnostics& diagnostics)
      : cursor_(cursor), diagnostics_(&diagnostics) {}

  std::optional<Node> take() {
    if (faulty_) return std::nullopt;
    return std::move(root_);
  }

  bool null() override { return scalar(NodeType::null); }
  bool boolean(bool value) override {
    Node node;
    node.flag = value;
    return scalar(NodeType::flag, std::move(node));
  }
  bool number_integer(std::int64_t value) override {
    Node node;
    node.integer = value;
    return scalar(NodeType::integer, std::move(node));
  }
  bool number_unsigned(std::uint64_t value) override {
    if (!std::in_range<std::int64_t>(value)) return scalar(NodeType::real);
    return number_integer(static_cast<std::int64_t>(value));
  }
  bool number_float(Json::number_float_t /*value*/, const Json::string_t& /*written*/) override {
    return scalar(NodeType::real);
  }
  bool string(std::string& value) override {
    Node node;
    node.text = std::move(value);
    node.location = cursor_.next();
    return add(NodeType::text, std::move(node));
  }
  bool binary(Json::binary_t& /*value*/) override { return false; }  // JSON has none
  bool key(std::string& value) override {
    keys_.push_back({std::move(value), cursor_.next()});
    return true;
  }
  bool start_object(std::size_t /*elements*/) override { return open(NodeType::table); }
  bool start_array(std::size_t /*elements*/) override { return open(NodeType::list); }
  bool end_object() override {
    report_repeated_keys(open_.back());
    return close();
  }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t position, const std::string& /*last_token*/,
                   const Json::exception& error) override {
    // The parser counts the bytes that it has read, the wrong one included.
    const Location place = cursor_.place(position > 0 ? position - 1 : 0);
    report({.code = "E112",
            .location = place,
            .message = "this is not JSON",
            .label = cause(error.what()),
            .notes = {},
            .help = "",
            .suggestion = ""});
    return false;
  }

 private:
  struct Key {
    std::string text;
    Location location;
  };

  // The root object is a value without a key.
  bool add(NodeType type, Node node) {
    node.type = type;
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().type == NodeType::table) {
      open_.back().entries.push_back(
          {std::move(keys_.back().text), keys_.back().location, std::move(node)});
      keys_.pop_back();
    } else {
      open_.back().items.push_back(std::move(node));
    }
    return true;
  }

  bool scalar(NodeType type, Node node = {}) {
    node.location = cursor_.next();
    node.text = cursor_.written();
    return add(type, std::move(node));
  }

  bool open(NodeType type) {
    Node node;
    node.type = type;
    node.location = cursor_.next();
    if (open_.size() == deepest_json) {
      report({.code = "E112",
              .location = node.location,
              .message = "this JSON is nested too deeply",
              .label = fmt::format("expected at most {} levels", deepest_json),
              .notes = {},
              .help = "",
              .suggestion = ""});
      return false;
    }
    open_.push_back(std::move(node));
    return true;
  }

  bool close() {
    cursor_.next();
    Node node = std::move(open_.back());
    open_.pop_back();
    const NodeType type = node.type;
    return add(type, std::move(node));
  }

  void report_repeated_keys(const Node& table) {
    std::vector<const Entry*> sorted;
    sorted.reserve(table.entries.size());
    for (const Entry& entry : table.entries) sorted.push_back(&entry);
    std::ranges::stable_sort(sorted, {}, [](const Entry* entry) { return entry->key; });
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i]->key != sorted[i - 1]->key) continue;
      const Span& first = sorted[i - 1]->key_location.span;
      report({.code = "E103",
              .location = sorted[i]->key_location,
              .message = fmt::format("key `{}` is given twice", sorted[i]->key),
              .label = fmt::format("already given at {}:{}", first.line, first.column),
              .notes = {},
              .help = "keep one of them",
              .suggestion = ""});
    }
  }

  // "... syntax error while parsing value - invalid literal; last read: 'x'; expected ..." in
  // words.
  [[nodiscard]] std::string cause(std::string_view what) const {
    if (what.find("unexpected end of input") != std::string_view::npos && !open_.empty()) {
      const Node& innermost = open_.back();
      return fmt::format("the {} that begins at {}:{} is not closed",
                         innermost.type == NodeType::list ? "list" : "object",
                         innermost.location.span.line, innermost.location.span.column);
    }
    constexpr std::string_view reason_mark = " - ";
    constexpr std::string_view number_mark = "number overflow";
    if (what.find(number_mark) != std::string_view::npos) return "a number beyond all bounds";
    const std::size_t reason = what.find(reason_mark);
    if (reason == std::string_view::npos) return std::string(what);
    what.remove_prefix(reason + reason_mark.size());
    // What was read last stands in the marked line.
    const std::size_t read = what.find("; last read");
    const std::size_t expected = what.rfind("; expected");
    std::string text(what.substr(0, std::min(read, expected)));
    if (expected != std::string_view::npos) text += what.substr(expected);
    return text;
  }

  void report(Diagnostic diagnostic) {
    faulty_ = true;
    diagnostics_->add(std::move(diagnostic));
  }

  Cursor cursor_;
  Diagnostics* diagnostics_;
  std::vector<Node> open_;
  std::vector<Key> keys_;  // whose value is still to come
  std::optional<Node> root_;
  bool faulty_ = false;
};

std::optional<Node> parse(const SourceFile& file, std::string_view text, std::uint32_t line,
                          Diagnostics& diagnostics) {
  TreeBuilder builder(Cursor(file, text, line), diagnostics);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

}  // namespace

std::optional<Node> parse_json(const SourceFile& file, Diagnostics& diagnostics) {
  return parse(file, file.text(), 1, diagnostics);
}

std::optional<Node> parse_json_line(const SourceFile& file, std::uint32_t number,
                                    Diagnostics& diagnostics) {
  return parse(file, file.line(number), number, diagnostics);
}

}  // namespace memsim::scenarios
