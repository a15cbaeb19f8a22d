// Python pickles of plain data (None, bool, int, float, str, list, tuple, dict), as snapshots of
// PyTorch's memory are written. Nothing that a pickle could have run is known here: opcodes that
// look up or call anything (GLOBAL, REDUCE, BUILD, ...) are refused like those that do not exist.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/result.hpp"

namespace memsim::validate {

class Pickle {
 public:
  // Names a value; values are shared as the pickle shares them.
  enum class Id : std::uint32_t {};
  enum class Type : std::uint8_t { none, boolean, integer, real, text, list, tuple, dict };

  // Reads the first value of `bytes`, protocols 2 to 5. Errors: what is wrong and at which byte;
  // lengths are held against what is there before anything is made of them. Time and memory grow
  // with the bytes alone.
  static sim::Result<Pickle> read(std::string bytes);

  [[nodiscard]] Id root() const { return root_; }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] Type type(Id value) const { return at(value).type; }
  // Of an integer or a boolean. Requires: it is one.
  [[nodiscard]] std::int64_t integer(Id value) const;
  // Requires: a text. Valid as long as the pickle.
  [[nodiscard]] std::string_view text(Id value) const;
  // Of a list or tuple, in their order; of a dict keys and values in turn. Requires: one of these.
  [[nodiscard]] const std::vector<Id>& items(Id value) const;
  // The value of a key of a dict, the last one of several; nothing if it has none, or if it is no
  // dict.
  [[nodiscard]] std::optional<Id> find(Id dict, std::string_view key) const;

 private:
  friend class PickleMachine;

  // integer, boolean: the number; real: its bits; text: offset into the bytes, and length;
  // containers: index into containers_.
  struct Value {
    std::uint64_t payload = 0;
    std::uint32_t length = 0;
    Type type = Type::none;
  };
  [[nodiscard]] const Value& at(Id value) const {
    return values_[static_cast<std::uint32_t>(value)];
  }

  std::string bytes_;
  std::vector<Value> values_;
  std::vector<std::vector<Id>> containers_;
  Id root_{};
};

}  // namespace memsim::validate
