// Writes one JSON text, piece by piece.
//
// Objects and arrays are scopes: they end with the C++ scope that holds them, so that the text is
// well-formed even when an exception ends a measurement half-way.
//
//   JsonWriter json;
//   {
//     auto document = json.object();
//     json.member("bytes", 2097152);
//     json.member("malloc_ns", samples);  // [1, 2, 3]
//   }
//   json.text();
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace memsim::probe {

class JsonWriter {
 public:
  // An open object or array; its end writes the bracket.
  class Scope {
   public:
    ~Scope() { writer_.close(bracket_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    friend class JsonWriter;
    Scope(JsonWriter& writer, char bracket) : writer_(writer), bracket_(bracket) {}

    JsonWriter& writer_;
    char bracket_;
  };

  // The document itself, or an element of the array that is open.
  [[nodiscard]] Scope object();
  // Members of the object that is open. Requires: `key` is new in it.
  [[nodiscard]] Scope object(std::string_view key);
  [[nodiscard]] Scope array(std::string_view key);

  // Integers and shortest decimals that read back as the same double; not-a-number, infinities and
  // absent optionals are null; bytes that are not UTF-8 become U+FFFD. A vector is an array on one
  // line.
  template <typename Value>
  void member(std::string_view key, const Value& value) {
    begin_member(key);
    write(value);
  }

  // All that was written. It is a document once all scopes have ended; the last line ends with a
  // line feed.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void begin_item();
  void begin_member(std::string_view key);
  void open(char bracket);
  void close(char bracket);

  void write_integer(std::int64_t value);
  void write_integer(std::uint64_t value);
  void write_double(double value);
  void write_string(std::string_view value);

  template <typename Value>
  void write(const Value& value) {
    if constexpr (std::is_same_v<Value, bool>) {
      text_ += value ? "true" : "false";
    } else if constexpr (std::is_null_pointer_v<Value>) {
      text_ += "null";
    } else if constexpr (std::is_floating_point_v<Value>) {
      write_double(value);
    } else if constexpr (std::is_integral_v<Value>) {
      using Wide = std::conditional_t<std::is_signed_v<Value>, std::int64_t, std::uint64_t>;
      write_integer(Wide{value});
    } else {
      write_string(value);
    }
  }

  template <typename Value>
  void write(const std::optional<Value>& value) {
    if (value) {
      write(*value);
    } else {
      write(nullptr);
    }
  }

  template <typename Value>
  void write(const std::vector<Value>& values) {
    text_ += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) text_ += ", ";
      write(values[i]);
    }
    text_ += ']';
  }

  std::string text_;
  std::size_t depth_ = 0;
  bool first_ = true;  // nothing stands in the innermost open scope yet
};

}  // namespace memsim::probe
