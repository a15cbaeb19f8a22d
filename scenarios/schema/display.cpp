#include "scenarios/schema/display.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace memsim::scenarios {
namespace {

constexpr std::string_view replacement = "\uFFFD";

struct Range {
  char32_t first;
  char32_t last;
};

// Combining marks and joiners (Unicode 15, the blocks that are in use).
constexpr std::array no_columns{
    Range{0x0300, 0x036F}, Range{0x0483, 0x0489}, Range{0x0591, 0x05BD}, Range{0x0610, 0x061A},
    Range{0x064B, 0x065F}, Range{0x093C, 0x093C}, Range{0x0941, 0x0948}, Range{0x0E34, 0x0E3A},
    Range{0x200B, 0x200F}, Range{0x202A, 0x202E}, Range{0x2060, 0x2064}, Range{0x20D0, 0x20FF},
    Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F}, Range{0xFEFF, 0xFEFF}, Range{0xE0100, 0xE01EF}};

// East Asian Wide and Fullwidth (UAX 11), and emoji.
constexpr std::array two_columns{
    Range{0x1100, 0x115F},   Range{0x231A, 0x231B},   Range{0x2E80, 0x303E},
    Range{0x3041, 0x33FF},   Range{0x3400, 0x4DBF},   Range{0x4E00, 0x9FFF},
    Range{0xA000, 0xA4CF},   Range{0xA960, 0xA97F},   Range{0xAC00, 0xD7A3},
    Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},
    Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F}, Range{0x1F680, 0x1F6FF},
    Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD}};

template <std::size_t count>
bool is_in(const std::array<Range, count>& ranges, char32_t c) {
  return std::ranges::any_of(ranges, [c](Range r) { return r.first <= c && c <= r.last; });
}

struct Decoded {
  char32_t character = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

// The character that a text begins with. Requires: !text.empty().
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || bytes > text.size()) return {};
  char32_t character = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    character = (character << 6U) | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
  if (character < least[bytes] || character > 0x10FFFF || surrogate) return {};
  return {character, bytes};
}

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);  // directions: what is shown would not be what is there
}

Glyph glyph(std::string_view text, const Decoded& decoded) {
  if (decoded.character == '\t') return {"    ", 4};
  if (decoded.bytes == 0 || is_control(decoded.character)) return {std::string(replacement), 1};
  const std::size_t width = is_in(no_columns, decoded.character)    ? 0
                            : is_in(two_columns, decoded.character) ? 2
                                                                    : 1;
  return {std::string(text.substr(0, decoded.bytes)), width};
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

std::vector<Glyph> glyphs(std::string_view text) {
  std::vector<Glyph> result;
  while (!text.empty()) {
    const Decoded decoded = decode(text);
    result.push_back(glyph(text, decoded));
    std::size_t bytes = std::max<std::size_t>(1, decoded.bytes);
    // As columns are counted: what looks like the rest of a character belongs to it.
    while (bytes < text.size() && continues_character(text[bytes])) ++bytes;
    text.remove_prefix(bytes);
  }
  return result;
}

std::string printable(std::string_view text) {
  std::string result;
  for (const Glyph& glyph : glyphs(text)) result += glyph.text;
  return result;
}

std::size_t columns(std::string_view text) {
  std::size_t sum = 0;
  for (const Glyph& glyph : glyphs(text)) sum += glyph.columns;
  return sum;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t longest = 60;  // columns
  constexpr std::string_view ellipsis = "...";
  std::string result;
  std::string cut;
  std::size_t width = 0;
  for (const Glyph& glyph : glyphs(text.substr(0, longest * 8))) {
    width += glyph.columns;
    if (width > longest) return cut + std::string(ellipsis);
    result += glyph.text;
    if (width + ellipsis.size() <= longest) cut = result;
  }
  return result;
}

std::string in_quotes(std::string_view text) { return "`" + shortened(text) + "`"; }

std::string wrapped(std::string_view text, std::string_view first, std::string_view rest) {
  std::string result(first);
  std::size_t width = columns(first);
  bool at_start = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t needed = columns(word);
    if (!at_start && width + 1 + needed > terminal_columns) {
      result += '\n';
      result += rest;
      width = columns(rest);
      at_start = true;
    }
    if (!at_start) {
      result += ' ';
      ++width;
    }
    result += word;
    width += needed;
    at_start = false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result + "\n";
}

}  // namespace memsim::scenarios
