#include "validate/probe/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace memsim::probe {
namespace {

// Length of the UTF-8 character at the start of `text`; 0 where there is none: stray continuation
// bytes, overlong forms, surrogates, beyond U+10FFFF, cut off (Unicode 15, table 3-7).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length == 0 || first > 0xF4 || text.size() < length) return 0;
  const unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  return length;
}

void append_escape(std::string& text, unsigned char control) {
  constexpr std::string_view digits = "0123456789abcdef";
  text += "\\u00";
  text += digits[control >> 4U];
  text += digits[control & 0xFU];
}

template <typename Number>
void append_number(std::string& text, Number value) {
  std::array<char, 32> buffer{};  // the longest double has 24 characters
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  text.append(buffer.data(), end);
}

}  // namespace

JsonWriter::Scope JsonWriter::object() {
  begin_item();
  open('{');
  return {*this, '}'};
}

JsonWriter::Scope JsonWriter::object(std::string_view key) {
  begin_member(key);
  open('{');
  return {*this, '}'};
}

JsonWriter::Scope JsonWriter::array(std::string_view key) {
  begin_member(key);
  open('[');
  return {*this, ']'};
}

void JsonWriter::begin_item() {
  if (depth_ == 0) return;
  if (!first_) text_ += ',';
  text_ += '\n';
  text_.append(2 * depth_, ' ');
  first_ = false;
}

void JsonWriter::begin_member(std::string_view key) {
  begin_item();
  write_string(key);
  text_ += ": ";
}

void JsonWriter::open(char bracket) {
  text_ += bracket;
  ++depth_;
  first_ = true;
}

void JsonWriter::close(char bracket) {
  --depth_;
  if (!first_) {
    text_ += '\n';
    text_.append(2 * depth_, ' ');
  }
  text_ += bracket;
  if (depth_ == 0) text_ += '\n';
  first_ = false;
}

void JsonWriter::write_integer(std::int64_t value) { append_number(text_, value); }

void JsonWriter::write_integer(std::uint64_t value) { append_number(text_, value); }

void JsonWriter::write_double(double value) {
  if (!std::isfinite(value)) {
    write(nullptr);
  } else {
    append_number(text_, value);
  }
}

void JsonWriter::write_string(std::string_view value) {
  text_ += '"';
  while (!value.empty()) {
    const std::size_t length = utf8_length(value);
    const auto first = static_cast<unsigned char>(value.front());
    if (length == 0) {
      text_ += "\xEF\xBF\xBD";
    } else if (first == '"' || first == '\\') {
      text_ += '\\';
      text_ += value.front();
    } else if (first < 0x20) {
      append_escape(text_, first);
    } else {
      text_.append(value, 0, length);
    }
    value.remove_prefix(length == 0 ? 1 : length);
  }
  text_ += '"';
}

}  // namespace memsim::probe
