#include "scenarios/schema/override.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/schema/toml.hpp"

namespace memsim::scenarios {
namespace {

constexpr std::string_view key_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

struct Part {
  std::string text;
  Location location;
};

Location columns(const SourceFile& file, std::size_t begin, std::size_t end) {
  return {&file, {1, static_cast<std::uint32_t>(begin + 1), static_cast<std::uint32_t>(end + 1)}};
}

// The parts of "gpu.memory.usable" in text[0, end); empty if it is no such key.
std::vector<Part> key_parts(const SourceFile& file, std::size_t end) {
  std::vector<Part> parts;
  const std::string_view text = std::string_view(file.text()).substr(0, end);
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t dot = std::min(text.find('.', begin), text.size());
    const std::string_view part = text.substr(begin, dot - begin);
    if (part.empty() || part.find_first_not_of(key_characters) != std::string_view::npos) return {};
    parts.push_back({std::string(part), columns(file, begin, dot)});
    begin = dot + 1;
  }
  return parts;
}

}  // namespace

std::optional<Node> parse_override(const std::string& text, Sources& sources,
                                   Diagnostics& diagnostics) {
  const SourceFile& file = sources.add("--set", text, SourceRole::command_line);
  const std::size_t equals = text.find('=');
  const std::size_t key_end = equals == std::string::npos
                                  ? std::string::npos
                                  : text.find_last_not_of(' ', equals == 0 ? 0 : equals - 1) + 1;
  const std::vector<Part> key =
      equals == std::string::npos ? std::vector<Part>{} : key_parts(file, key_end);
  const std::size_t begin =
      equals == std::string::npos ? equals : text.find_first_not_of(' ', equals + 1);
  if (key.empty() || begin == std::string::npos) {
    diagnostics.add({.code = "E150",
                     .location = columns(file, 0, character_count(text)),
                     .message = "this is no `key=value`",
                     .label = "expected a key, `=` and a value",
                     .notes = {},
                     .help = "for example: --set gpu.memory.usable=\"30 GiB\"",
                     .suggestion = ""});
    return std::nullopt;
  }
  if (std::optional<Node> toml = try_parse_toml(file)) return toml;

  Node value;
  value.type = NodeType::text;
  value.text = text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
  value.location = columns(file, begin, begin + character_count(value.text));
  for (auto part = key.rbegin(); part != key.rend(); ++part) {
    Node table;
    table.location = key.front().location;
    table.set(part->text, part->location, std::move(value));
    value = std::move(table);
  }
  return value;
}

}  // namespace memsim::scenarios
