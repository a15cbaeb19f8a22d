#include "scenarios/schema/override.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/schema/toml.hpp"

namespace memsim::scenarios {
namespace {

constexpr std::string_view key_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
constexpr std::size_t most_parts = 32;
constexpr std::string_view blanks = " \t";

class OverrideReader {
 public:
  OverrideReader(const SourceFile& file, Diagnostics& diagnostics)
      : file_(file), text_(file.text()), diagnostics_(diagnostics) {}

  std::optional<Node> read() {
    if (const std::size_t end = text_.find('\n'); end != npos)
      return report(0, end, "expected one line");
    const std::size_t equals = text_.find('=');
    const std::size_t value = text_.find_first_not_of(blanks, equals == npos ? npos : equals + 1);
    if (equals == npos || value == npos) {
      const std::string_view label =
          equals == npos ? "expected a key, `=` and a value" : "expected a value behind `=`";
      return report(0, text_.size(), label);
    }
    if (!read_key(text_.substr(0, equals))) return std::nullopt;
    Node node = value_from(equals, value);
    for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
      Node table;
      table.location = parts_.front().key_location;
      table.set(part->key, part->key_location, std::move(node));
      node = std::move(table);
    }
    return node;
  }

 private:
  static constexpr std::size_t npos = std::string_view::npos;

  [[nodiscard]] Location bytes(std::size_t begin, std::size_t end) const {
    const std::uint32_t column = character_count(text_.substr(0, begin)) + 1;
    const std::uint32_t marked = character_count(text_.substr(begin, end - begin));
    return {&file_, {1, column, column + std::max<std::uint32_t>(1, marked)}};
  }

  std::nullopt_t report(std::size_t begin, std::size_t end, std::string_view label) {
    diagnostics_.add({.code = "E150",
                      .location = bytes(begin, end),
                      .message = "this is no `key=value`",
                      .label = std::string(label),
                      .notes = {},
                      .help = "for example: --set gpu.memory.usable=\"30 GiB\"",
                      .suggestion = ""});
    return std::nullopt;
  }

  // The parts of "gpu[0].memory.usable"; false after an error.
  bool read_key(std::string_view key) {
    const std::size_t end = key.find_last_not_of(blanks) + 1;
    const std::size_t first = key.find_first_not_of(blanks);
    if (first == npos) return report(0, text_.size(), "expected a key before `=`"), false;
    for (std::size_t begin = first; begin <= end;) {
      const std::size_t dot = std::min(key.substr(0, end).find('.', begin), end);
      const std::string_view part = key.substr(begin, dot - begin);
      if (!is_part(part)) {
        report(begin, dot,
               part.find('[') == npos ? "expected letters, digits, `_` and `-` between dots"
                                      : "expected an index: NAME[0]");
        return false;
      }
      if (parts_.size() == most_parts) {
        report(begin, end, fmt::format("a key has at most {} parts", most_parts));
        return false;
      }
      parts_.push_back({std::string(part), bytes(begin, dot), {}});
      begin = dot + 1;
    }
    return true;
  }

  static bool is_part(std::string_view part) {
    const std::optional<ItemKey> item = item_key(part);
    const std::string_view name = item ? item->list : part;
    return !name.empty() && name.find_first_not_of(key_characters) == npos;
  }

  // The value that begins at `begin`, behind the `=` at `equals`.
  [[nodiscard]] Node value_from(std::size_t equals, std::size_t begin) const {
    // As the value of a key that TOML takes, in the same columns.
    std::string assignment(text_);
    std::fill_n(assignment.begin(), equals, ' ');
    assignment.front() = 'v';
    std::optional<Node> toml = try_parse_toml(file_, assignment);
    if (toml && toml->entries.size() == 1) return std::move(toml->entries.front().value);
    const std::size_t end = text_.find_last_not_of(blanks) + 1;
    Node value;
    value.type = NodeType::text;
    value.text = text_.substr(begin, end - begin);
    value.location = bytes(begin, end);
    return value;
  }

  const SourceFile& file_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  std::vector<Entry> parts_;
};

}  // namespace

std::optional<Node> parse_override(const std::string& text, Sources& sources,
                                   Diagnostics& diagnostics) {
  return OverrideReader(sources.add("--set", text, SourceRole::command_line), diagnostics).read();
}

}  // namespace memsim::scenarios
