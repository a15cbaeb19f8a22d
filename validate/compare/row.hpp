// One comparison of memsim with a measured, published or computed value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memsim::validate {

enum class Status : std::uint8_t {
  ok,            // within the tolerance of its kind
  off,           // outside
  not_modelled,  // memsim cannot say; the reason names what is missing
  input_error,   // the row cannot be read; the reason says why, with the position
};
std::string_view name(Status status);

// A value is a number with a unit, or a verdict ("fits", "oom", "uncertain").
struct Value {
  bool present = false;
  bool exact = false;          // `integer` holds it exactly, else `number`
  std::int64_t integer = 0;
  double number = 0;
  std::string verdict;         // not empty: a verdict
};

struct Row {
  std::string kind;            // "flows", "allocator", "torch"
  std::string file;
  std::string id;
  std::string quantity;
  std::string unit;
  Value measured;
  Value predicted;
  double error = 0;            // (predicted - measured) / measured; 0/0 is 0, x/0 is 1
  Status status = Status::ok;
  std::string reason;          // why it is off, not modelled or unreadable
};

}  // namespace memsim::validate
